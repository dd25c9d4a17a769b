import { z } from 'zod';
import {
  type Answer,
  Area,
  Choice,
  type Filled,
  type FormError,
  lines,
  type Outcome,
  type PageRequest,
  Rows,
  rowsOf,
} from '../../../web/index.ts';
import { FILTER_KEYS, namesIds, type Webhook } from '../../../webhooks/index.ts';
import { CategoryPicker, type CategoryPlace } from '../../pickers/category-picker.tsx';
import { pickedIds } from '../../pickers/choices.tsx';
import { loadProducts, type ProductChoices, ProductPicker } from '../../pickers/product-picker.tsx';

type WebhookFilter = z.output<typeof Webhook>['filter'];

/** The keys whose ids are chosen with a picker, by the picker's field. */
const PICKED = { product_ids: 'product_id', category_ids: 'category_id' } as const;

/** The keys whose values are typed. */
const TYPED_KEYS = FILTER_KEYS.filter((key) => !Object.values<string>(PICKED).includes(key));

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

const idsOf = (filter: WebhookFilter, key: string): number[] => (filter?.[key] ?? []).map(Number);

/** Loads what the product picker shows, with the names of the products that a filter has. */
export const loadConditionProducts = (
  request: PageRequest,
  filter: WebhookFilter,
): Promise<Answer<ProductChoices>> =>
  loadProducts(request, { name: 'product_ids', stored: idsOf(filter, PICKED.product_ids) });

interface ConditionsProps {
  readonly f: Filled;
  readonly filter: WebhookFilter;
  readonly choices: ConditionChoices;
}

const HINT = 'None: events of all of them.';

/** The conditions that an event must meet: products and categories by pickers, other keys as rows. */
export const Conditions = ({ f, filter, choices }: ConditionsProps) => (
  <>
    <ProductPicker
      f={f}
      name="product_ids"
      legend="Only events about these products"
      hint={HINT}
      products={choices.products}
      stored={idsOf(filter, PICKED.product_ids)}
    />
    <CategoryPicker
      f={f}
      name="category_ids"
      legend="Only events about these categories"
      hint={HINT}
      categories={choices.categories}
      stored={idsOf(filter, PICKED.category_ids)}
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

/** The fields of the conditions in a webhook's form. */
export const ConditionFields = {
  filter: rowsOf(Condition, ['values']),
  product_ids: pickedIds,
  category_ids: pickedIds,
};

interface SentConditions extends Record<keyof typeof PICKED, number[]> {
  readonly filter: readonly z.output<typeof Condition>[];
}

/** Returns the filter of the conditions, or null without any. Ids are numbers; the API refuses other texts. */
export function filterOf({
  filter: rows,
  ...picked
}: SentConditions): Record<string, (string | number)[]> | null {
  const filter = new Map<string, (string | number)[]>();
  for (const { key, values } of rows) {
    const read = values.map((value) => (namesIds(key) && /^\d{1,15}$/.test(value) ? Number(value) : value));
    filter.set(key, [...(filter.get(key) ?? []), ...read]);
  }
  for (const field of ['product_ids', 'category_ids'] as const) {
    if (picked[field].length > 0) filter.set(PICKED[field], picked[field]);
  }
  return filter.size > 0 ? Object.fromEntries(filter) : null;
}

/** Returns the API's refusal with the errors of filter keys at their pickers, or at the typed conditions. */
export function withFilterErrors({ trouble }: { readonly trouble: FormError }): Outcome {
  const errors: Record<string, string[]> = {};
  for (const [path, texts] of Object.entries(trouble.errors)) {
    const key = path.startsWith('filter.') ? path.slice('filter.'.length) : null;
    const picker = Object.entries(PICKED).find(([, one]) => one === key)?.[0];
    const field = picker ?? (key === null ? path : 'filter');
    const named = key === null || picker ? texts : texts.map((text) => `${words(key)} ${text}`);
    errors[field] = [...(errors[field] ?? []), ...named];
  }
  return { trouble: { ...trouble, errors } };
}
