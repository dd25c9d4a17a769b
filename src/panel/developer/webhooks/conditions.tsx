import { z } from 'zod';
import {
  type Answer,
  Area,
  Choice,
  Field,
  type Filled,
  type FormError,
  lines,
  type Outcome,
  type PageRequest,
  Rows,
  rowsOf,
  words as wordsOf,
} from '../../../web/index.ts';
import { FILTER_KEYS, type Webhook } from '../../../webhooks/index.ts';
import { CategoryPicker, type CategoryPlace } from '../../pickers/category-picker.tsx';
import { pickedIds } from '../../pickers/choices.tsx';
import { loadProducts, type ProductChoices, ProductPicker } from '../../pickers/product-picker.tsx';

type WebhookFilter = z.output<typeof Webhook>['filter'];

/** The keys whose ids have a field of their own, by that field: a picker, or a line for ids. */
const ID_FIELDS = {
  ...{ product_ids: 'product_id', category_ids: 'category_id', parent_ids: 'parent_id' },
  ...{ variant_ids: 'variant_id', customer_ids: 'customer_id' },
} as const;
type IdField = keyof typeof ID_FIELDS;
// Object.keys returns string[].
const ID_FIELD_NAMES = Object.keys(ID_FIELDS) as IdField[];

/** The keys whose values are texts. */
const TYPED_KEYS = FILTER_KEYS.filter((key) => !Object.values<string>(ID_FIELDS).includes(key));

const KEY_OPTIONS = TYPED_KEYS.map((key) => [key, words(key)] as const);

/** `product_id` → `Product id`. */
function words(key: string): string {
  const spaced = key === 'sku' ? 'SKU' : key.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** What the pickers of a webhook's conditions show. */
export interface ConditionChoices {
  readonly products: ProductChoices;
  readonly categories: readonly CategoryPlace[];
}

const idsOf = (filter: WebhookFilter, field: IdField): number[] =>
  (filter?.[ID_FIELDS[field]] ?? []).map(Number);

/** Loads what the product picker shows, with the names of the products that a filter has. */
export const loadConditionProducts = (
  request: PageRequest,
  filter: WebhookFilter,
): Promise<Answer<ProductChoices>> =>
  loadProducts(request, { name: 'product_ids', stored: idsOf(filter, 'product_ids') });

interface ConditionsProps {
  readonly f: Filled;
  readonly filter: WebhookFilter;
  readonly choices: ConditionChoices;
}

const HINT = 'None: events of all of them.';

/** The conditions that an event must meet: products and categories by pickers, variants and customers by ids, other keys as rows. */
export const Conditions = ({ f, filter, choices }: ConditionsProps) => (
  <>
    <ProductPicker
      f={f}
      name="product_ids"
      legend="Only events about these products"
      hint={HINT}
      products={choices.products}
      stored={idsOf(filter, 'product_ids')}
    />
    <CategoryPicker
      f={f}
      name="category_ids"
      legend="Only events about these categories"
      hint={HINT}
      categories={choices.categories}
      stored={idsOf(filter, 'category_ids')}
    />
    <CategoryPicker
      f={f}
      name="parent_ids"
      legend="Only events about categories directly below these"
      hint="None: events of all of them. Applies to events of categories."
      categories={choices.categories}
      stored={idsOf(filter, 'parent_ids')}
    />
    <Field
      f={f}
      name="variant_ids"
      label="Only events about these variants"
      value={idsOf(filter, 'variant_ids').join(', ')}
      hint="Ids, separated by commas, from the product's editor. Applies to events of stock"
      attributes={{ inputmode: 'numeric', autocomplete: 'off' }}
    />
    <Field
      f={f}
      name="customer_ids"
      label="Only events about these customers"
      value={idsOf(filter, 'customer_ids').join(', ')}
      hint="Ids, separated by commas: the number at the end of the address of a customer's page"
      attributes={{ inputmode: 'numeric', autocomplete: 'off' }}
    />
    <TypedConditions f={f} filter={filter} />
  </>
);

const TypedConditions = ({ f, filter }: Omit<ConditionsProps, 'choices'>) => {
  const typed = Object.entries(filter ?? {}).filter(([key]) => TYPED_KEYS.includes(key));
  return (
    <Rows
      f={f}
      name="filter"
      legend="Only events that match"
      one="condition"
      hint="Each condition must hold for events that have its field. Without conditions all events are sent."
      rows={typed}
      counted={['values']}
      spare={0}
      full={typed.length >= TYPED_KEYS.length}
    >
      {({ f: rowForm, at, row }) => (
        <>
          <Choice
            f={rowForm}
            name={at('key')}
            label="Field"
            options={KEY_OPTIONS}
            value={row?.[0] ?? 'sku'}
          />
          <Area
            f={rowForm}
            name={at('values')}
            label="Is one of (one per line)"
            value={row?.[1].join('\n') ?? ''}
          />
        </>
      )}
    </Rows>
  );
};

const Condition = z.object({ key: z.string(), values: lines });

/** Ids that were typed, separated by commas or spaces; each once. */
const typedIds = z
  .string()
  .default('')
  .pipe(wordsOf)
  .refine((all) => all.every((id) => /^[1-9]\d{0,14}$/.test(id)), 'must be ids: whole numbers from 1')
  .transform((all) => [...new Set(all.map(Number))]);

/** The fields of the conditions in a webhook's form. */
export const ConditionFields = {
  filter: rowsOf(Condition, ['values']),
  ...{ product_ids: pickedIds, category_ids: pickedIds, parent_ids: pickedIds },
  ...{ variant_ids: typedIds, customer_ids: typedIds },
};

interface SentConditions extends Record<IdField, number[]> {
  readonly filter: readonly z.output<typeof Condition>[];
}

/** Returns the filter of the conditions, or null without any. */
export function filterOf({
  filter: rows,
  ...ids
}: SentConditions): Record<string, (string | number)[]> | null {
  const filter = new Map<string, (string | number)[]>();
  for (const { key, values } of rows) {
    filter.set(key, [...(filter.get(key) ?? []), ...values]);
  }
  for (const field of ID_FIELD_NAMES) {
    if (ids[field].length > 0) filter.set(ID_FIELDS[field], ids[field]);
  }
  return filter.size > 0 ? Object.fromEntries(filter) : null;
}

/** Returns the API's refusal with the errors of filter keys at their own fields, or at the typed conditions. */
export function withFilterErrors({ trouble }: { readonly trouble: FormError }): Outcome {
  const errors: Record<string, string[]> = {};
  for (const [path, texts] of Object.entries(trouble.errors)) {
    const key = path.startsWith('filter.') ? path.slice('filter.'.length) : null;
    const own = ID_FIELD_NAMES.find((one) => ID_FIELDS[one] === key);
    const field = own ?? (key === null ? path : 'filter');
    const named = key === null || own ? texts : texts.map((text) => `${words(key)} ${text}`);
    errors[field] = [...(errors[field] ?? []), ...named];
  }
  return { trouble: { ...trouble, errors } };
}
