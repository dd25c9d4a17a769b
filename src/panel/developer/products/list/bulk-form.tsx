import { z } from 'zod';
import type { BulkChange } from '../../../../catalog/index.ts';
import { keysOf } from '../../../../kernel/core/records.ts';
import {
  asFormError,
  Choice,
  Field,
  type Filled,
  optional,
  price as priceSchema,
} from '../../../../web/index.ts';
import { CategoryPicker, type CategoryPlace } from '../../../pickers/category-picker.tsx';
import { pickedIds } from '../../../pickers/choices.tsx';
import { amount } from '../product.tsx';

const STATUSES = [
  ['', 'Leave as it is'],
  ['active', 'Active'],
  ['inactive', 'Inactive: hidden from the shop'],
] as const;

/** The ways to change prices: the API's kind, and the sign of the amount that is typed. */
const PRICES = {
  '': ['Leave as they are', null, 1],
  set: ['Set to', 'set', 1],
  raise_percent: ['Raise by percent', 'percent', 1],
  lower_percent: ['Lower by percent', 'percent', -1],
  raise: ['Raise by an amount', 'amount', 1],
  lower: ['Lower by an amount', 'amount', -1],
} as const;

const PRICE_KINDS = keysOf(PRICES);

/** The fields of a change of several products. */
export const BulkForm = z.object({
  status: z.enum(['', 'active', 'inactive']).default(''),
  price: z.enum(PRICE_KINDS).default(''),
  by: optional(priceSchema).default(null),
  add_category_ids: pickedIds,
  remove_category_ids: pickedIds,
});

/** The API's names of the fields that have another one in the form. */
export const FIELD_OF: Readonly<Record<string, string>> = {
  'change.price.amount': 'by',
  'change.price.percent': 'by',
  'change.add_category_ids': 'add_category_ids',
};

/** Returns the change that a form describes, or the error of one that changes nothing. */
export function changeOf(form: z.output<typeof BulkForm>): BulkChange | ReturnType<typeof asFormError> {
  const { status, price, by, add_category_ids: added, remove_category_ids: removed } = form;
  const [, kind, sign] = PRICES[price];
  if (kind && (by === null || by < 0)) return asFormError('Enter by how much.', 422, 'by');
  const value = sign * (by ?? 0);
  const change: BulkChange = {
    ...(status && { status }),
    ...(kind === 'percent' && { price: { kind, percent: value } }),
    ...(kind && kind !== 'percent' && { price: { kind, amount: value } }),
    ...(added.length > 0 && { add_category_ids: added }),
    ...(removed.length > 0 && { remove_category_ids: removed }),
  };
  return Object.keys(change).length > 0 ? change : asFormError('Choose at least one change.');
}

interface FieldsProps {
  readonly f: Filled;
  readonly currency: string;
  readonly categories: readonly CategoryPlace[];
}

/** The fields of {@link BulkForm}; what is left as it is doesn't change. */
export const BulkFields = ({ f, currency, categories }: FieldsProps) => (
  <>
    <Choice f={f} name="status" label="Status" options={STATUSES} value="" />
    <div class="pair">
      <Choice
        f={f}
        name="price"
        label="Prices"
        options={PRICE_KINDS.map((kind) => [kind, PRICES[kind][0]] as const)}
        value=""
        hint="Also of every variant. A percentage changes the prices in all currencies"
      />
      <Field f={f} name="by" label={`Amount (${currency}) or percentage`} attributes={amount} />
    </div>
    {(['add_category_ids', 'remove_category_ids'] as const).map((name) => (
      <CategoryPicker
        f={f}
        name={name}
        legend={name === 'add_category_ids' ? 'Add to categories' : 'Take out of categories'}
        categories={categories}
        stored={[]}
      />
    ))}
  </>
);
