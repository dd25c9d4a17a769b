import type { SnapshotLine } from '../../cart/index.ts';
import type { StoredOrder } from '../../orders/index.ts';
import { type CartTotals, computeTotals, couponFor, rulesFor } from '../../pricing/index.ts';
import { billingDraft } from '../billing.ts';
import { type BuyerDraft, filledFields, ships } from '../buyer.ts';
import type { SessionRow } from '../tables.ts';

/** A purchased line; amounts in minor units. */
export interface PurchaseLine
  extends Pick<SnapshotLine, 'id' | 'productId' | 'variantId' | 'sku' | 'name' | 'options' | 'quantity'> {
  readonly unitPrice: number;
  readonly subtotal: number;
}

/** What the checkout page shows: the session's frozen cart, or the order once placed. */
export interface Purchase {
  readonly lines: readonly PurchaseLine[];
  readonly totals: Omit<CartTotals, 'lines' | 'shippingTax'>;
  readonly currency: string;
  readonly coupon: string | null;
  /** The shipping country, if known. */
  readonly country: string | null;
  readonly ships: boolean;
}

/**
 * Returns a session's totals for a shipping country, with the tax and shipping rules at the time it was
 * created.
 */
export function totalsFor({ snapshot, pricing }: SessionRow, country: string | null): CartTotals {
  const { lines, currency, coupon } = snapshot;
  const terms = coupon && couponFor(coupon.terms, currency);
  return computeTotals(lines, rulesFor(pricing, currency, country), terms);
}

/** Returns the country that a session's totals currently use. */
export const countryOf = ({ buyer, snapshot }: SessionRow): string | null =>
  buyer.country ?? snapshot.country;

/** Returns a session's purchase with totals for the given country. */
export function sessionPurchase(session: SessionRow, country: string | null): Purchase {
  const { snapshot } = session;
  const totals = totalsFor(session, country);
  return {
    lines: snapshot.lines.map((line, n) => ({ ...line, subtotal: totals.lines[n]?.subtotal ?? 0 })),
    totals,
    currency: snapshot.currency,
    coupon: snapshot.coupon?.code ?? null,
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
  country: null,
  ships: false,
});

/** Returns an order's purchase; the session keeps no lines once ordered. */
export const orderPurchase = ({ row, lines }: StoredOrder): Purchase => ({
  lines,
  totals: row,
  currency: row.currency,
  coupon: row.couponCode,
  country: row.shippingAddress?.country ?? null,
  ships: row.shippingAddress?.line1 !== undefined,
});

/** Returns the buyer of an order in the fields of the page. */
export const orderBuyer = ({ row }: StoredOrder): BuyerDraft => ({
  ...filledFields({ ...row.shippingAddress }),
  ...filledFields(billingDraft(row.billingAddress)),
  ...(row.note !== null && { note: row.note }),
  ...(row.email !== null && { email: row.email }),
});
