import type { Currencies } from '../../kernel/values/money.ts';
import type { ProductState } from '../products/product-state.ts';
import type { Prices } from '../tables.ts';
import type { FieldErrors } from '../writes/field-errors.ts';

/** The regular price of a body, and what it is checked against. */
interface RegularPricePatch {
  readonly errors: FieldErrors;
  readonly money: Currencies;
  /** Prefix of the field's name in errors. */
  readonly field: string;
  /** Undefined keeps the one of `before`, null removes it. */
  readonly input: number | null | undefined;
  /** The stored product or variant, if there is one. */
  readonly before: Pick<ProductState, 'prices' | 'regularPrice'> | null | undefined;
  /** The ordinary prices after the patch. */
  readonly prices: Prices;
}

/**
 * Returns the regular price of a product or variant in minor units of the main currency, or null. Adds an error when it
 * is below the price, unless both stay as they were.
 */
export function patchRegularPrice(patch: RegularPricePatch): number | null {
  const { errors, money, input, before, prices } = patch;
  const field = `${patch.field}regular_price`;
  const kept = before?.regularPrice ?? null;
  const regular = input === undefined ? kept : input && errors.amount(field, input, money.currency);
  const price = prices[money.currency] ?? 0;
  const isUnchanged = input === undefined && price === before?.prices[money.currency];
  if (!isUnchanged && regular !== null && regular < price && !errors.byField[field])
    errors.add(field, 'must not be below the price');
  return regular;
}
