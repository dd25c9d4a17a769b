import type { StockDemand } from '../../inventory/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/core/money.ts';
import { countryOnly } from '../../kernel/core/postal-address.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import {
  type CartTotals,
  type Coupon,
  type CouponRefusal,
  couponFor,
  couponRefusal,
  type PricedLine,
  type PricedShipping,
  type PricingRules,
  presentShippingMethod,
  presentTotals,
  rulesFor,
  traceTotals,
} from '../../pricing/index.ts';
import type { CartCoupon } from '../../promotions/index.ts';
import type { CartAnswer } from '../schemas.ts';
import type { CartSnapshot, SnapshotLine } from '../snapshot.ts';
import { type CartState, type Line, lockingOrder } from './state.ts';
import { type ClaimedStock, claimedStock, unavailable } from './stock.ts';
import { warningsOf } from './warnings.ts';

/** Returns the pricing input of a line. */
export const pricedLine = ({ offer, quantity, unitPrice }: Line): PricedLine => ({
  productId: offer.productId,
  categoryIds: offer.categoryIds,
  unitPrice,
  quantity,
  ships: offer.ships,
  taxClass: offer.taxClass,
  weight: offer.weight,
});

/** The reason why a coupon does not apply to a cart. */
type CouponRejection = 'not_started' | 'ended' | 'currency' | CouponRefusal;

/** Returns the coupon in the cart's currency, or the reason why it does not apply at `at` (ms). */
export function couponOn(
  { head, lines }: CartState,
  coupon: CartCoupon,
  at: number,
): { readonly coupon: Coupon } | { readonly refusal: CouponRejection } {
  if (coupon.startsAt !== null && at < coupon.startsAt) return { refusal: 'not_started' };
  if (coupon.endsAt !== null && at >= coupon.endsAt) return { refusal: 'ended' };
  const terms = couponFor(coupon.terms, head.currency);
  if (!terms) return { refusal: 'currency' };
  const refusal = couponRefusal(terms, lines.map(pricedLine));
  return refusal ? { refusal } : { coupon: terms };
}

/** A cart's totals with the shipping in them, and whether its coupon applies. */
export interface CartBill {
  readonly totals: CartTotals;
  readonly shipping: PricedShipping;
  readonly couponApplies: boolean;
}

/** The last rendering of the cart. */
export interface RenderedCart {
  readonly state: CartState;
  readonly version: number;
  readonly mine: boolean;
  readonly body: string;
  readonly bill: CartBill;
}

/** Computes the totals of a cart at its current prices. */
export function priceCart(state: CartState, at: number): CartBill {
  const { head, lines } = state;
  const applied = head.coupon && couponOn(state, head.coupon, at);
  const coupon = applied && 'coupon' in applied ? applied.coupon : null;
  const { totals, shipping } = traceTotals(lines.map(pricedLine), rulesOf(state), coupon);
  return { totals, shipping, couponApplies: coupon !== null };
}

/** Returns the rules for the cart's currency and country, with the shipping method that was chosen. */
export const rulesOf = ({ head, pricing }: CartState): PricingRules => ({
  ...rulesFor(pricing, head.currency, head.address?.country ?? null),
  chosenMethod: head.shippingMethod,
});

/**
 * Renders a cart for the API. Only its owner sees address and e-mail; others see the country, which
 * determines the totals.
 */
export function presentCart(
  state: CartState,
  { totals, shipping, couponApplies }: CartBill,
  mine: boolean,
): CartAnswer {
  const { head, lines } = state;
  const { currency, address, coupon, email } = head;
  return {
    cart_token: head.token,
    items: lines.map((line, n) => presentLine(line, totals.lines[n]?.subtotal ?? 0, currency)),
    total_quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    totals: presentTotals(totals, currency),
    currency,
    ...orderOf(state),
    shipping_method: presentShippingMethod(shipping, currency),
    warnings: warningsOf(state, shipping),
    metadata: { ...head.metadata },
    ...(coupon && { coupon: { code: coupon.code, applies: couponApplies } }),
    ...(address && { shipping_address: mine ? address : { country: address.country } }),
    ...(mine && email !== null && { email }),
  };
}

/** Returns the cart's status, and the order that locks it once it is known to exist. */
function orderOf(state: CartState): Pick<CartAnswer, 'status' | 'order'> {
  const lock = lockingOrder(state, now());
  if (!lock || lock.state === 'placing') return { status: 'open' };
  const { id, number, payUrl, state: status } = lock;
  const redirect = status === 'pending' && payUrl !== undefined ? { redirect_url: payUrl } : {};
  return {
    status: status === 'paid' ? 'paid' : 'ordered',
    ...(number !== undefined && { order: { id, number, status, ...redirect } }),
  };
}

const presentLine = ({ id, offer, quantity, unitPrice }: Line, subtotal: number, currency: string) => ({
  id,
  product_id: offer.productId,
  variant_id: offer.variantId,
  name: offer.name,
  slug: offer.slug,
  image: offer.image,
  type: offer.type,
  selected: [...offer.selected],
  sku: offer.sku,
  options: JSON.parse(offer.options),
  quantity,
  unit_price: toNumber(unitPrice, currency),
  total: toNumber(subtotal, currency),
});

/**
 * Returns why the cart cannot be sold, or null. Does not check quantities: the stock reservation does, which
 * knows what is already reserved for this cart.
 */
export function unsellable({ lines }: CartState): Failed | null {
  if (lines.length === 0) return fail('cart_empty');
  const gone = lines.find((line) => line.gone);
  return gone ? unavailable(gone, gone.quantity) : null;
}

/**
 * Returns the snapshot at the cart's current prices, with the contact data that `customerId`, the session's
 * customer, may see.
 */
export function snapshotOf(
  state: CartState,
  { cartId, customerId }: { readonly cartId: string; readonly customerId: number | null },
  at: number,
): CartSnapshot {
  const { head, lines } = state;
  const contactShown = head.customerId !== null && head.customerId === customerId;
  const hidden = head.customerId !== null && !contactShown;
  const { totals, couponApplies } = priceCart(state, at);
  return {
    cartId,
    cartToken: head.token,
    version: head.version,
    currency: head.currency,
    lines: lines.flatMap((line, n) => {
      const lineTotals = totals.lines[n];
      return lineTotals ? [{ ...snapshotLine(line), totals: lineTotals }] : [];
    }),
    totals,
    demands: demandsOf(claimedStock(lines)),
    country: head.address?.country ?? null,
    address: hidden ? countryOnly(head.address) : head.address,
    customerId: head.customerId,
    email: hidden ? null : head.email,
    contactShown,
    metadata: head.metadata,
    shippingMethod: head.shippingMethod,
    coupon:
      head.coupon && couponApplies
        ? { id: head.coupon.id, code: head.coupon.code, terms: head.coupon.terms }
        : null,
  };
}

const snapshotLine = (line: Line): Omit<SnapshotLine, 'totals'> => ({
  ...pricedLine(line),
  id: line.id,
  variantId: line.offer.variantId,
  name: line.offer.name,
  sku: line.offer.sku,
  options: JSON.parse(line.offer.options),
  demands: demandsOf(claimedStock([line])),
  links: line.offer.links,
});

const demandsOf = (all: ReadonlyMap<string, ClaimedStock>): StockDemand[] =>
  [...all.values()].map(({ need: { kind, id }, quantity }) =>
    kind === 'slot' ? { slotId: id, quantity } : { itemId: id, quantity },
  );
