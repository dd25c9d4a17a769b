import { type Currencies, toNumber } from '../../kernel/values/money.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import type { ProductState, VariantState } from '../products/product-state.ts';
import {
  cheapestReductions,
  pricesToPay,
  type Reducible,
  reductions,
  reductionsBySale,
} from './displayed-prices.ts';

/** The prices of a product or variant in a body. */
type PricesInput = Pick<ProductPatch, 'price' | 'regular_price' | 'sale'>;

/** A stored product or variant, if there is one, and the tenant's currencies. */
interface Stored {
  readonly old: Reducible | null | undefined;
  readonly money: Currencies;
}

/** A stored product, if there is one, and the tenant's currencies. */
interface StoredProduct extends Stored {
  readonly old: ProductState | null;
}

/** Returns the price of a body's sale in the main currency. */
export const salePriceOf = ({ sale }: PricesInput, { currency }: Currencies): number | undefined =>
  sale?.price ?? sale?.prices?.[currency];

/** The prices that responses show during a sale: the sale's, and the ordinary one as `regular_price`. */
interface PricesDuringSale {
  readonly price?: number | undefined;
  readonly regular_price: number;
}

/**
 * Returns the prices that are set by a body with those of responses during a sale. They don't show the regular price
 * that had been set: it stays.
 */
export function asSetDuringSale(input: PricesDuringSale, { old, money }: Stored) {
  const price = old && isAsShown(input, old, money) ? ordinaryOf(old, money) : input.regular_price;
  return { price, regular_price: undefined };
}

/** Returns whether a body has the price and the regular price that are shown: an import may have made them equal a sale's. */
const isAsShown = (input: PricesDuringSale, old: Reducible, { currency }: Currencies): boolean =>
  isAmount(input.price, pricesToPay(old)[currency], currency) &&
  isAmount(input.regular_price, reductions(old, currency)[currency], currency);

const ordinaryOf = ({ prices }: Reducible, { currency }: Currencies): number =>
  toNumber(prices[currency] ?? 0, currency);

const isAmount = (input: number | null | undefined, minor: number | null | undefined, currency: string) =>
  minor != null && input === toNumber(minor, currency);

/**
 * Returns a body of a product with its own prices as set. Only what was read during a sale has the same `price` in the
 * product and its sale: a sale must be below the ordinary price. One with another sale was read during the sale that runs
 * if it shows the prices of that.
 */
export function ownPricesAsSet<Body extends ProductPatch>(body: Body, { old, money }: StoredProduct): Body {
  const { price, regular_price, sale } = body;
  if ((body.type ?? old?.type) === 'configurable' || price === undefined) return body;
  if (!sale || typeof regular_price !== 'number') return body;
  const shown = { price, regular_price };
  const isRead = price === salePriceOf(body, money) || (old && isAsShownBySale(shown, old, money));
  return isRead ? { ...body, ...asSetDuringSale(shown, { old, money }) } : body;
}

const isAsShownBySale = (input: PricesDuringSale, old: Reducible, money: Currencies): boolean =>
  reductionsBySale(old)[money.currency] !== undefined && isAsShown(input, old, money);

/**
 * Returns the regular price that a body sets for a configurable product itself: undefined if it is the one that the
 * cheapest variant shows, before or after the patch, because responses show that instead.
 */
export function configurableRegularPrice(
  { regular_price }: ProductPatch,
  { currency }: Currencies,
  states: readonly (readonly VariantState[])[],
): ProductState['regularPrice'] | undefined {
  const shown = states.map((variants) => cheapestReductions(variants, currency)[currency]);
  return shown.some((minor) => isAmount(regular_price, minor, currency)) ? undefined : regular_price;
}
