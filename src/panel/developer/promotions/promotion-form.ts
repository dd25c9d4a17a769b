import { z } from 'zod';
import type { PromotionAnswer } from '../../../promotions/index.ts';
import {
  amountField,
  checked,
  decimal,
  optional,
  optionalInstant,
  shownInstant,
  wholeNumber,
  withAmounts,
} from '../../../web/index.ts';
import { countOf } from '../../count-of.ts';
import type { EditPart, Values } from '../../editing/changes.ts';
import { pickedIds } from '../../pickers/choices.tsx';
import { gainText } from './sentence.tsx';

const percentage = optional(decimal);

/** The form of a promotion: its fields are named by their paths in the API. */
export const PromotionForm = withAmounts(
  z.object({
    name: z.string(),
    trigger: z.string(),
    code: z.string().trim().optional(),
    'effect.kind': z.string(),
    'effect.percent': percentage,
    'effect.amount': amountField.optional,
    'effect.buy': optional(wholeNumber),
    'effect.get': optional(wholeNumber),
    'effect.percent_off': percentage,
    'conditions.minimum_subtotal': amountField.optional,
    'conditions.minimum_quantity': optional(wholeNumber),
    'conditions.first_order': checked,
    'conditions.product_ids': pickedIds,
    'conditions.category_ids': pickedIds,
    starts_at: optionalInstant,
    ends_at: optionalInstant,
    max_uses: optional(wholeNumber),
    max_uses_per_customer: optional(wholeNumber),
    combinable: z.string(),
    priority: wholeNumber,
    active: checked,
  }),
  ['effect.amount', 'conditions.minimum_subtotal'],
);
export type PromotionInput = z.output<typeof PromotionForm>;

/** Returns the effect of the chosen kind. An empty field is sent as 0, which the API refuses by name. */
function effectOf(input: PromotionInput) {
  const kind = input['effect.kind'];
  switch (kind) {
    case 'percent':
      return { kind, value: input['effect.percent'] ?? 0 };
    case 'fixed':
      return { kind, value: input['effect.amount'] ?? 0 };
    case 'buy_x_get_y':
      return {
        kind,
        buy: input['effect.buy'] ?? 0,
        get: input['effect.get'] ?? 0,
        percent_off: input['effect.percent_off'] ?? 0,
      };
    default:
      return { kind };
  }
}

/** Returns ids in an order of their own: a picker lists what is chosen in that of its page. */
const sorted = (ids: readonly number[]): number[] => [...ids].sort((a, b) => a - b);

/** Returns a form's values by the keys of {@link partsOf}. */
export function valuesOf(input: PromotionInput): Values {
  const { name, trigger, code, priority, active, max_uses, max_uses_per_customer } = input;
  return {
    name,
    effect: effectOf(input),
    priority,
    active,
    combinable: input.combinable === 'yes',
    trigger: trigger === 'code' ? { trigger, code: code || null } : { trigger },
    'conditions.minimum_subtotal': input['conditions.minimum_subtotal'],
    'conditions.minimum_quantity': input['conditions.minimum_quantity'],
    'conditions.first_order': input['conditions.first_order'],
    'conditions.product_ids': sorted(input['conditions.product_ids']),
    'conditions.category_ids': sorted(input['conditions.category_ids']),
    starts_at: shownInstant(input.starts_at),
    ends_at: shownInstant(input.ends_at),
    max_uses,
    max_uses_per_customer,
  };
}

const CONDITION = /^conditions\.(.+)$/;

/** Returns the API's body of a form's values, or of those that were changed. */
export function bodyOf({ trigger, ...values }: Values): object {
  const entries = Object.entries(values);
  const conditions = entries.flatMap(([key, value]) => {
    const [, name] = CONDITION.exec(key) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(entries.filter(([key]) => !CONDITION.test(key))),
    // The trigger with its code: see `valuesOf`.
    ...(trigger as object | undefined),
    ...(conditions.length > 0 && { conditions: Object.fromEntries(conditions) }),
  };
}

/** The number of products or categories in words. */
const counted = (noun: string) => (ids: unknown) => {
  const count = Array.isArray(ids) ? ids.length : 0;
  return count === 0 ? 'all products' : countOf(count, noun);
};

/** Returns the parts of a promotion that its form edits; amounts are in words in the main currency. */
export const partsOf = (currency: string): readonly EditPart<PromotionAnswer>[] => [
  { key: 'name', label: 'Name' },
  {
    key: 'trigger',
    label: 'How it applies',
    of: ({ trigger, code }) => (trigger === 'code' ? { trigger, code } : { trigger }),
  },
  {
    key: 'effect',
    label: 'What it gives',
    // The form's effects have the fields of the API's: see `effectOf`.
    say: (effect) => gainText(effect as PromotionAnswer['effect'], currency),
  },
  {
    key: 'conditions.minimum_subtotal',
    label: 'Cart worth at least',
    of: ({ conditions }) => conditions.minimum_subtotal,
  },
  {
    key: 'conditions.minimum_quantity',
    label: 'Units at least',
    of: ({ conditions }) => conditions.minimum_quantity,
  },
  {
    key: 'conditions.first_order',
    label: "Only on a shopper's first order",
    of: ({ conditions }) => conditions.first_order,
  },
  {
    key: 'conditions.product_ids',
    label: 'Only these products',
    of: ({ conditions }) => sorted(conditions.product_ids),
    say: counted('product'),
  },
  {
    key: 'conditions.category_ids',
    label: 'Only these categories',
    of: ({ conditions }) => sorted(conditions.category_ids),
    say: counted('category'),
  },
  { key: 'starts_at', label: 'Starts (UTC)' },
  { key: 'ends_at', label: 'Ends (UTC)' },
  { key: 'max_uses', label: 'Orders in all' },
  { key: 'max_uses_per_customer', label: 'Orders per customer' },
  { key: 'combinable', label: 'Other promotions' },
  { key: 'priority', label: 'Priority' },
  { key: 'active', label: 'Active' },
];

/** Returns the form's field of an error's path: the effect's `value` is in the field of the chosen kind. */
export const fieldOf =
  (input: PromotionInput) =>
  (path: string): string => {
    if (path !== 'effect.value') return path;
    return input['effect.kind'] === 'fixed' ? 'effect.amount' : 'effect.percent';
  };
