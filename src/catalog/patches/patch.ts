import type { Currencies } from '../../kernel/values/money.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import type { ProductState } from '../products/product-state.ts';
import type { Prices, ProductType } from '../tables.ts';
import type { FieldErrors } from '../writes/field-errors.ts';

/** A product body that is being applied; each step adds its errors. */
export interface Patch {
  /** The stored product, or null for a new one. */
  readonly before: ProductState | null;
  readonly input: ProductPatch;
  /** The product's type after the patch. */
  readonly type: ProductType;
  readonly money: Currencies;
  readonly errors: FieldErrors;
}

/** Returns the first of input, previous value and default that is not undefined; null counts as a value. */
export function firstDefined<T>(input: T | undefined, before: T | undefined, empty: T): T {
  if (input !== undefined) return input;
  return before !== undefined ? before : empty;
}

/** Returns the prices in currencies other than the main one; they are kept when `prices` is omitted. */
export function otherPrices(prices: Prices | undefined, money: Currencies): Prices {
  const { [money.currency]: _main, ...others } = prices ?? {};
  return others;
}
