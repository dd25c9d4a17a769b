import { z } from 'zod';
import {
  amountField,
  checked,
  optional,
  optionalText,
  rowsOf,
  wholeNumber,
  withAmounts,
} from '../../../../web/index.ts';
import { pickedCountries } from '../../../pickers/country-field.tsx';

/** The parts of a tier's row that make it count. */
export const TIER_PARTS = ['from', 'price'] as const;

const ValueTier = withAmounts(z.object({ from: amountField.required, price: amountField.required }), [
  'from',
  'price',
]);
const WeightTier = withAmounts(z.object({ from: wholeNumber, price: amountField.required }), ['price']);

/** The form of a shipping method. */
export const MethodForm = withAmounts(
  z.object({
    id: z.string().trim().optional(),
    name: z.string().trim(),
    description: optionalText,
    active: checked,
    countries: pickedCountries,
    min_days: optional(wholeNumber),
    max_days: optional(wholeNumber),
    basis: z.enum(['price', 'value', 'weight']),
    price: amountField.optional,
    // Rows of the other bases are neither saved nor checked. A form without rows has no field of them.
    by_value: z.unknown().optional(),
    by_weight: z.unknown().optional(),
    free_over: amountField.optional,
  }),
  ['price', 'free_over'],
).transform((form, context) => {
  const tiers = tiersOf(form);
  if (!tiers.success) {
    for (const issue of tiers.error.issues) context.addIssue({ ...issue, code: 'custom' });
    return z.NEVER;
  }
  if (form.basis === 'price' && form.price === null) {
    context.addIssue({ code: 'custom', path: ['price'], message: 'is required' });
  }
  if (form.min_days !== null && form.max_days !== null && form.max_days < form.min_days) {
    context.addIssue({
      code: 'custom',
      path: ['max_days'],
      message: 'must not be less than “Days at least”',
    });
  }
  return { ...form, tiers: tiers.data };
});
/** The values of a shipping method's form. */
export type MethodInput = z.output<typeof MethodForm>;

const ByValue = z.object({ by_value: rowsOf(ValueTier, TIER_PARTS) });
const ByWeight = z.object({ by_weight: rowsOf(WeightTier, TIER_PARTS) });
/** The tiers of a method; none for one price. */
const TiersRead = {
  price: z.object({}).transform(() => undefined),
  value: ByValue.transform(({ by_value }) =>
    by_value.map(({ from, price }) => ({ from_subtotal: from, price })),
  ),
  weight: ByWeight.transform(({ by_weight }) =>
    by_weight.map(({ from, price }) => ({ from_weight: from, price })),
  ),
} as const;

const tiersOf = (form: { basis: keyof typeof TiersRead; by_value?: unknown; by_weight?: unknown }) =>
  TiersRead[form.basis].safeParse(form);
