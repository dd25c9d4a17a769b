import { z } from 'zod';
import {
  amountField,
  checked,
  decimal,
  type FormError,
  type Outcome,
  optional,
  optionalInstant,
  type PageRequest,
  wholeNumber,
  withAmounts,
} from '../../../web/index.ts';
import { pickedIds } from '../../pickers/choices.tsx';

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
        ...{ kind, buy: input['effect.buy'] ?? 0, get: input['effect.get'] ?? 0 },
        percent_off: input['effect.percent_off'] ?? 0,
      };
    default:
      return { kind };
  }
}

/** Converts a form to an API body. */
export function bodyOf(input: PromotionInput) {
  const { name, trigger, code, starts_at, ends_at, max_uses, max_uses_per_customer, priority, active } =
    input;
  return {
    ...{ name, trigger, effect: effectOf(input), priority, active, combinable: input.combinable === 'yes' },
    ...(trigger === 'code' && { code: code || null }),
    conditions: {
      minimum_subtotal: input['conditions.minimum_subtotal'],
      minimum_quantity: input['conditions.minimum_quantity'],
      first_order: input['conditions.first_order'],
      product_ids: input['conditions.product_ids'],
      category_ids: input['conditions.category_ids'],
    },
    ...{ starts_at, ends_at, max_uses, max_uses_per_customer },
  };
}

/** Returns the API's refusal with an error of the effect's `value` at the field of the chosen kind. */
export function withShownErrors({ trouble }: { trouble: FormError }, { sent }: PageRequest): Outcome {
  const { 'effect.value': value, ...others } = trouble.errors;
  if (!value) return { trouble };
  const field = sent['effect.kind']?.[0] === 'fixed' ? 'effect.amount' : 'effect.percent';
  return { trouble: { ...trouble, errors: { ...others, [field]: value } } };
}
