import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { type Currencies, divideHalfUp, toMinor, toNumber } from '../../kernel/values/money.ts';
import { MAX_PRODUCT_CATEGORIES } from '../limits.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import type { ProductState } from '../products/product-state.ts';
import type { Prices } from '../tables.ts';
import type { BulkChange } from './schemas.ts';

type PriceChange = NonNullable<BulkChange['price']>;

/** Hundredths of a percent in the whole. */
const BASIS_POINTS = 10_000;

/** Returns the patch by which a bulk change changes one product. */
export function patchOf(
  { type, prices, categoryIds, variants }: ProductState,
  { status, price, add_category_ids: added = [], remove_category_ids: removed = [] }: BulkChange,
  money: Currencies,
): Result<ProductPatch> {
  const all = [...new Set([...categoryIds, ...added])].filter((id) => !removed.includes(id));
  if (all.length > Math.max(MAX_PRODUCT_CATEGORIES, categoryIds.length))
    return invalid('category_ids', `must have at most ${MAX_PRODUCT_CATEGORIES} categories`);
  const common: ProductPatch = {
    ...(status && { status }),
    ...(added.length + removed.length > 0 && { category_ids: all }),
  };
  if (!price) return ok(common);
  if (type !== 'configurable') {
    const changed = changedPrices(prices, price, money);
    return changed.ok ? ok({ ...common, ...changed.value }) : changed;
  }
  const patches: NonNullable<ProductPatch['variants']> = [];
  for (const { id, attributes, prices: own } of variants) {
    const changed = changedPrices(own, price, money);
    if (!changed.ok) return changed;
    patches.push({ ...(id !== null && { id }), attributes, ...changed.value });
  }
  return ok({ ...common, variants: patches });
}

/** Returns the changed price in the main currency, and in the others with `percent`. Fails below 0. */
function changedPrices(
  prices: Prices,
  change: PriceChange,
  { currency }: Currencies,
): Result<{ price: number; prices?: Record<string, number> }> {
  if (change.kind === 'set') return ok({ price: change.amount });
  const main = prices[currency] ?? 0;
  if (change.kind === 'amount') {
    const amount = toMinor(change.amount, currency);
    if (amount === null) return invalid('price', `has more decimals than ${currency}`);
    if (main + amount < 0) return invalid('price', 'would be below 0');
    return ok({ price: toNumber(main + amount, currency) });
  }
  const factor = BASIS_POINTS + Math.round(change.percent * 100);
  const changed = Object.entries(prices).map(([code, minor]) => {
    const result = divideHalfUp(BigInt(minor) * BigInt(factor), BigInt(BASIS_POINTS));
    return [code, toNumber(result, code)] as const;
  });
  const { [currency]: price = 0, ...others } = Object.fromEntries(changed);
  return ok({ price, prices: others });
}
