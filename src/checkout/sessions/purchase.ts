import { promotionsOf, type SnapshotLine } from '../../cart/index.ts';
import { promotionsOfOrder, type StoredOrder, sharesOfLine } from '../../orders/index.ts';
import {
  type CartTotals,
  type LineShare,
  lineShares,
  type PromotionShare,
  promotionFor,
  promotionShares,
  rulesFor,
  type TracedTotals,
  traceTotals,
} from '../../pricing/index.ts';
import { type BuyerDraft, filledFields, ships } from '../buyer.ts';
import type { SessionRow } from '../tables.ts';

/** A purchased line; amounts in minor units. */
export interface PurchaseLine
  extends Pick<SnapshotLine, 'id' | 'productId' | 'variantId' | 'sku' | 'name' | 'options' | 'quantity'> {
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly discounts: readonly LineShare[];
}

/** What the checkout page shows: the session's frozen cart, or the order once placed. */
export interface Purchase {
  readonly lines: readonly PurchaseLine[];
  readonly totals: Omit<CartTotals, 'lines' | 'shippingTax'>;
  readonly currency: string;
  readonly coupon: string | null;
  /** What applies, in its order; the amounts sum to the discount. */
  readonly promotions: readonly PromotionShare[];
  /** The shipping country, if known. */
  readonly country: string | null;
  readonly ships: boolean;
}

/**
 * Returns a session's totals for a shipping country, with the promotions and the tax and shipping rules at the
 * time it was created.
 */
export function pricedFor({ snapshot, pricing }: SessionRow, country: string | null): TracedTotals {
  const { lines, currency } = snapshot;
  const promotions = promotionsOf(snapshot).flatMap((one) => promotionFor(one, currency) ?? []);
  return traceTotals(lines, rulesFor(pricing, currency, country), promotions);
}

/** Returns the amounts of {@link pricedFor}. */
export const totalsFor = (session: SessionRow, country: string | null): CartTotals =>
  pricedFor(session, country).totals;

/** Returns the country that a session's totals currently use. */
export const countryOf = ({ buyer, snapshot }: SessionRow): string | null =>
  buyer.country ?? snapshot.country;

/** Returns a session's purchase with totals for the given country. */
export function sessionPurchase(session: SessionRow, country: string | null): Purchase {
  const { snapshot } = session;
  const { totals, applied } = pricedFor(session, country);
  const promotions = promotionShares(applied);
  return {
    lines: snapshot.lines.map((line, n) => ({
      ...line,
      subtotal: totals.lines[n]?.subtotal ?? 0,
      discounts: lineShares(applied, n),
    })),
    totals,
    currency: snapshot.currency,
    coupon: promotions.find(({ code }) => code !== null)?.code ?? null,
    promotions,
    country,
    ships: ships(snapshot),
  };
}

/** Returns the purchase of a session that ended without an order: no lines, totals of 0. */
export const emptyPurchase = ({ snapshot }: SessionRow): Purchase => ({
  lines: [],
  totals: { subtotal: 0, discount: 0, shipping: 0, tax: 0, grandTotal: 0, taxIncluded: false },
  currency: snapshot.currency,
  coupon: null,
  promotions: [],
  country: null,
  ships: false,
});

/** Returns an order's purchase; the session keeps no lines once ordered. */
export const orderPurchase = ({ row, lines }: StoredOrder): Purchase => ({
  lines: lines.map((line) => ({ ...line, discounts: sharesOfLine(row, line) })),
  totals: row,
  currency: row.currency,
  coupon: row.couponCode,
  promotions: promotionsOfOrder(row),
  country: row.shippingAddress?.country ?? null,
  ships: row.shippingAddress?.line1 !== undefined,
});

/** Returns the buyer of an order in the fields of the page. */
export const orderBuyer = ({ row }: StoredOrder): BuyerDraft => ({
  ...filledFields({ ...row.shippingAddress }),
  ...(row.email !== null && { email: row.email }),
});
