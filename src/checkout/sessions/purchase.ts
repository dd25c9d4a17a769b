import type { SnapshotLine } from '../../cart/index.ts';
import { toNumber } from '../../kernel/core/money.ts';
import type { StoredOrder } from '../../orders/index.ts';
import {
  type CartTotals,
  type ChosenShipping,
  couponFor,
  presentShippingMethod,
  presentShippingMethods,
  rulesFor,
  type ShippingMethodOption,
  type TracedTotals,
  traceTotals,
} from '../../pricing/index.ts';
import { FLAT_RATE_METHOD } from '../../shipping/index.ts';
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
  readonly shippingMethod: ChosenShipping | null;
  /** Whether the tenant has methods, whose names mean something to shoppers, not only flat rates. */
  readonly hasMethods: boolean;
  /** The methods to choose from; none once the order is placed. */
  readonly shippingMethods: readonly ShippingMethodOption[];
}

/** Where a session's goods go, and how. */
export interface Delivery {
  /** Null: not known yet. */
  readonly country: string | null;
  /** The id of the chosen shipping method; null: the cheapest applies. */
  readonly method: string | null;
}

/** Prices a session for a delivery, with the tax and shipping rules at the time it was created. */
export function priceSession({ snapshot, pricing }: SessionRow, { country, method }: Delivery): TracedTotals {
  const { lines, currency, coupon } = snapshot;
  const terms = coupon && couponFor(coupon.terms, currency);
  return traceTotals(lines, { ...rulesFor(pricing, currency, country), chosenMethod: method }, terms);
}

/** Returns the delivery that the buyer form says; what it lacks is the cart's. */
export const deliveryOf = ({ snapshot }: SessionRow, draft: BuyerDraft): Delivery => ({
  country: draft.country ?? snapshot.country,
  method: draft.shipping_method ?? snapshot.shippingMethod ?? null,
});

/** Returns a session's purchase, priced for a delivery. */
export function sessionPurchase(session: SessionRow, delivery: Delivery): Purchase {
  const { snapshot } = session;
  const { currency } = snapshot;
  const { totals, shipping } = priceSession(session, delivery);
  return {
    lines: snapshot.lines.map((line, n) => ({ ...line, subtotal: totals.lines[n]?.subtotal ?? 0 })),
    totals,
    currency,
    coupon: snapshot.coupon?.code ?? null,
    country: delivery.country,
    ships: ships(snapshot),
    shippingMethod: presentShippingMethod(shipping, currency),
    hasMethods: (session.pricing.shipping.methods ?? []).length > 0,
    shippingMethods: presentShippingMethods(shipping, currency),
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
  shippingMethod: null,
  hasMethods: false,
  shippingMethods: [],
});

/** Returns an order's purchase; the session keeps no lines once ordered. */
export const orderPurchase = ({ row, lines }: StoredOrder): Purchase => ({
  lines,
  totals: row,
  currency: row.currency,
  coupon: row.couponCode,
  country: row.shippingAddress?.country ?? null,
  ships: row.shippingAddress?.line1 !== undefined,
  shippingMethod: row.shippingMethod && {
    ...row.shippingMethod,
    price: toNumber(row.shipping, row.currency),
  },
  hasMethods: row.shippingMethod !== null && row.shippingMethod.name !== FLAT_RATE_METHOD.name,
  shippingMethods: [],
});

/** Returns the buyer of an order in the fields of the page. */
export const orderBuyer = ({ row }: StoredOrder): BuyerDraft => ({
  ...filledFields({ ...row.shippingAddress }),
  ...filledFields(billingDraft(row.billingAddress)),
  ...(row.note !== null && { note: row.note }),
  ...(row.email !== null && { email: row.email }),
});
