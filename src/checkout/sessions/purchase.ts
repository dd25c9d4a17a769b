import { type CartSnapshot, promotionsOf, type SnapshotLine } from '../../cart/index.ts';
import { toNumber } from '../../kernel/values/money.ts';
import { type OrderRow, promotionsOfOrder, type StoredOrder, sharesOfLine } from '../../orders/index.ts';
import {
  type ChosenShipping,
  choosePromotions,
  type LineShare,
  lineShares,
  type PricingRules,
  type PromotionShare,
  type PromotionSource,
  presentShippingMethod,
  presentShippingMethods,
  promotionFor,
  promotionShares,
  rulesFor,
  type ShippingMethodOption,
  type ShownTotals,
  type TracedTotals,
  traceTotals,
} from '../../pricing/index.ts';
import { FLAT_RATE_METHOD } from '../../shipping/index.ts';
import { billingDraft } from '../billing.ts';
import { type BuyerDraft, filledFields, ships } from '../buyer.ts';
import type { SessionRow } from '../tables.ts';

/** A purchased line; amounts in minor units. */
export interface PurchaseLine
  extends Pick<
    SnapshotLine,
    'id' | 'productId' | 'variantId' | 'sku' | 'name' | 'options' | 'selected' | 'quantity'
  > {
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly discounts: readonly LineShare[];
}

/** What the checkout page shows: the session's frozen cart, or the order once placed. */
export interface Purchase {
  readonly lines: readonly PurchaseLine[];
  readonly totals: ShownTotals;
  readonly currency: string;
  readonly coupon: string | null;
  /** What applies, in its order; the amounts sum to the discount. */
  readonly promotions: readonly PromotionShare[];
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

/** Returns the tax and shipping rules of a session for a delivery, as they were when it was created. */
const rulesOf = ({ snapshot, pricing }: SessionRow, { country, method }: Delivery): PricingRules => ({
  ...rulesFor(pricing, snapshot.currency, country),
  chosenMethod: method,
});

/** Returns the promotions that a cart was frozen with: what applied then, and what could apply elsewhere. */
export const frozenPromotions = (snapshot: CartSnapshot): readonly PromotionSource[] => [
  ...promotionsOf(snapshot),
  ...(snapshot.alternatives ?? []),
];

/** Prices a session for a delivery, with those of the promotions it was frozen with that are best for it. */
export function priceSession(session: SessionRow, delivery: Delivery): TracedTotals {
  const { lines, currency } = session.snapshot;
  const rules = rulesOf(session, delivery);
  const candidates = frozenPromotions(session.snapshot).flatMap((one) => promotionFor(one, currency) ?? []);
  return traceTotals(lines, rules, choosePromotions(lines, rules, candidates));
}

/** Returns the delivery that the buyer form says; what it lacks, or has as the page's default, is the cart's. */
export const deliveryOf = (
  { snapshot }: SessionRow,
  { country, shipping_method: method, default_method }: BuyerDraft,
): Delivery => ({
  country: country ?? snapshot.country,
  method: (method !== default_method && method) || (snapshot.shippingMethod ?? null),
});

/** Returns a session's purchase, priced for a delivery. */
export function sessionPurchase(session: SessionRow, delivery: Delivery): Purchase {
  const { snapshot } = session;
  const { currency } = snapshot;
  const { totals, shipping, applied } = priceSession(session, delivery);
  const promotions = promotionShares(applied);
  return {
    lines: snapshot.lines.map((line, n) => ({
      ...line,
      subtotal: totals.lines[n]?.subtotal ?? 0,
      discounts: lineShares(applied, n),
    })),
    totals,
    currency,
    coupon: promotions.find(({ code }) => code !== null)?.code ?? null,
    promotions,
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
  promotions: [],
  country: null,
  ships: false,
  shippingMethod: null,
  hasMethods: false,
  shippingMethods: [],
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
  shippingMethod: row.shippingMethod && {
    ...row.shippingMethod,
    price: toNumber(row.shipping, row.currency),
  },
  hasMethods: row.shippingMethod !== null && row.shippingMethod.name !== FLAT_RATE_METHOD.name,
  shippingMethods: [],
});

/** The columns of an order that say who bought it. */
type BuyerColumns = Pick<OrderRow, 'shippingAddress' | 'billingAddress' | 'note' | 'email'>;

/** Returns the buyer of an order in the fields of the page. */
export const orderBuyer = ({ row }: { readonly row: BuyerColumns }): BuyerDraft => ({
  ...filledFields({ ...row.shippingAddress }),
  ...filledFields(billingDraft(row.billingAddress)),
  ...(row.note !== null && { note: row.note }),
  ...(row.email !== null && { email: row.email }),
});
