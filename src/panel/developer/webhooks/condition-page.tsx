import type { Child } from 'hono/jsx';
import { z } from 'zod';
import {
  type Answer,
  Area,
  asFormError,
  type Filled,
  Form,
  type FormError,
  formPages,
  lines,
  type Outcome,
  type Page,
  type PageRequest,
} from '../../../web/index.ts';
import { filterKeysOf } from '../../../webhooks/index.ts';
import type { EditPart } from '../../editing/changes.ts';
import { EditedParts, saveEdit } from '../../editing/save-edit.tsx';
import { CategoryPicker, loadCategories } from '../../pickers/category-picker.tsx';
import { pickedIds } from '../../pickers/choices.tsx';
import { CustomerPicker, loadCustomers } from '../../pickers/customer-picker.tsx';
import { loadProducts, ProductPicker } from '../../pickers/product-picker.tsx';
import { loadVariants, VariantPicker } from '../../pickers/variant-picker.tsx';
import { apiPath, WEBHOOKS_PATH } from '../webhook-actions.tsx';
import { keyTitle } from './conditions.tsx';
import { findHook, type Hook, titleOf } from './find-hook.ts';

/** The form of a condition: `ids` of a picker, or `texts`, one a line. */
const Condition = z.object({ ids: pickedIds, texts: lines.optional() });

const PICKER = { name: 'ids', legend: 'Only events about these', hint: 'None: events of all of them.' };

/** Returns the picker of a key's ids, with the names of those that are stored. */
async function pickerOf(f: Filled, key: string, stored: readonly number[]): Promise<Answer<Child> | null> {
  const props = { f, stored, ...PICKER };
  const wanted = { name: PICKER.name, stored };
  const shown = <T,>(loaded: Answer<T>, show: (value: T) => Child): Answer<Child> =>
    loaded.ok ? { ok: true, value: show(loaded.value) } : loaded;
  switch (key) {
    case 'product_id':
      return shown(await loadProducts(f.request, wanted), (products) => (
        <ProductPicker {...props} products={products} />
      ));
    case 'variant_id':
      return shown(await loadVariants(f.request, wanted), (variants) => (
        <VariantPicker {...props} variants={variants} />
      ));
    case 'customer_id':
      return shown(await loadCustomers(f.request, wanted), (customers) => (
        <CustomerPicker {...props} customers={customers} />
      ));
    case 'category_id':
    case 'parent_id':
      return shown(await loadCategories(f.request), (categories) => (
        <CategoryPicker {...props} categories={categories} />
      ));
    default:
      return null;
  }
}

/** The values of a key that has no picker. */
const Texts = ({ f, values }: { readonly f: Filled; readonly values: readonly (string | number)[] }) => (
  <Area
    f={f}
    name="texts"
    label="Only events with one of these"
    hint="One per line. None: events with any."
    value={values.join('\n')}
  />
);

/** Returns the values of a condition in an order of their own: the form shows those of a picker in another one. */
const inOrder = (values: readonly (string | number)[]): (string | number)[] =>
  values.map((value) => (typeof value === 'string' ? value.trim() : value)).toSorted();

/** Returns the one part that the form of a key edits. */
const partsOf = (key: string): readonly EditPart<Hook>[] => [
  { key, label: keyTitle(key), of: ({ filter }) => inOrder(filter?.[key] ?? []) },
];

/** Returns the webhook and the key of the path, or why there is no such condition. */
async function findCondition(request: PageRequest): Promise<Answer<{ hook: Hook; key: string }>> {
  const found = await findHook(request);
  if (!found.ok) return found;
  const key = request.param('key');
  const isKnown = filterKeysOf(found.value.events).includes(key);
  return isKnown
    ? { ok: true, value: { hook: found.value, key } }
    : { ok: false, ...asFormError('These events have no such field.', 404) };
}

const conditionPage = async (request: PageRequest, formError: FormError | null) => {
  const found = await findCondition(request);
  if (!found.ok) return found;
  const { hook, key } = found.value;
  const f = { request, formError };
  const stored = hook.filter?.[key] ?? [];
  const picker = await pickerOf(f, key, stored.map(Number));
  if (picker?.ok === false) return picker;
  const here = `${WEBHOOKS_PATH}/${hook.id}`;
  return {
    title: `Condition: ${keyTitle(key)}`,
    trail: [[WEBHOOKS_PATH, 'Webhooks'] as const, [here, titleOf(hook)] as const],
    body: (
      <Form request={request} action={`${here}/conditions/${key}`} submit="Save" unsaved>
        <EditedParts f={f} parts={partsOf(key)} stored={hook} />
        {picker ? picker.value : <Texts f={f} values={stored} />}
      </Form>
    ),
  };
};

/** Returns the refusal of a filter as the error of the field that the form has for the values. */
const atField = (formError: FormError, field: keyof z.output<typeof Condition>): Outcome => {
  const messages = Object.values(formError.errors).flat();
  if (messages.length === 0) return { formError };
  return { formError: { ...formError, errors: { [field]: messages } } };
};

/**
 * Replaces one condition and leaves the others; without values, takes it out. Asks where somebody else has changed
 * the same one meanwhile.
 */
async function changeCondition(request: PageRequest, sent: z.output<typeof Condition>): Promise<Outcome> {
  const found = await findCondition(request);
  if (!found.ok) return found;
  const { hook, key } = found.value;
  const values = sent.texts ?? sent.ids;
  const saved = await saveEdit(request, {
    path: apiPath(request),
    to: `${WEBHOOKS_PATH}/${hook.id}`,
    load: () => findHook(request),
    parts: () => partsOf(key),
    values: { [key]: inOrder(values) },
    patch: ({ filter: stored }) => {
      const { [key]: _, ...others } = stored ?? {};
      const filter = { ...others, ...(values.length > 0 && { [key]: values }) };
      return { filter: Object.keys(filter).length > 0 ? filter : null };
    },
  });
  if (!('formError' in saved)) return saved;
  return atField(saved.formError, sent.texts === undefined ? 'ids' : 'texts');
}

/** The page of one condition of a webhook: one field of events, and the values that it may have. */
export const conditionPages: readonly Page[] = formPages(
  { path: '/developer/webhooks/:id/conditions/:key', audience: 'developer', needs: 'owner', form: Condition },
  conditionPage,
  changeCondition,
);
