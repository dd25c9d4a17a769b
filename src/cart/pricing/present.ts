import { now } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/values/money.ts';
import {
  type LineTotals,
  lineShares,
  percentOf,
  presentLineShares,
  presentPromotions,
  presentShippingMethod,
  presentTotals,
  promotionShares,
  type TracedTotals,
} from '../../pricing/index.ts';
import { type CartState, type Line, lockingOrder } from '../object/state.ts';
import type { CartAnswer } from '../schemas.ts';
import { unappliedCodes } from './explain.ts';
import { warningsOf } from './warnings.ts';

/** For whom a cart is rendered: its owner and its agent also see contact data. */
export type Viewer = 'anyone' | 'owner' | 'agent';

/**
 * Renders a cart for the API. Only its owner sees address and e-mail; others see the country, which
 * determines the totals.
 */
export function presentCart(state: CartState, traced: TracedTotals, isOwner: boolean): CartAnswer {
  const { head, lines } = state;
  const { currency, address, email } = head;
  const { totals, applied, shipping } = traced;
  const coupons = couponsOf(state, traced);
  // A client that knows of one code only shows the one that it sent last.
  const coupon = coupons.at(-1);
  return {
    cart_token: head.token,
    items: lines.map((line, n) => ({
      ...presentLine(line, currency),
      ...presentLineTotals(totals.lines[n], currency),
      discounts: presentLineShares(lineShares(applied, n), currency),
    })),
    total_quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    totals: presentTotals(totals, currency),
    currency,
    ...orderOf(state),
    shipping_method: presentShippingMethod(shipping, currency),
    warnings: warningsOf(state, shipping),
    metadata: { ...head.metadata },
    ...(coupon && { coupon }),
    coupons,
    applied_promotions: presentPromotions(promotionShares(applied), currency),
    ...(address && { shipping_address: isOwner ? address : { country: address.country } }),
    ...(isOwner && email !== null && { email }),
  };
}

/** Returns the codes that the shopper entered, and whether each applies, else why not. */
function couponsOf(state: CartState, traced: TracedTotals): CartAnswer['coupons'] {
  const unapplied = unappliedCodes(state, traced, now());
  return state.head.codes.map(({ id, code }) => ({
    code: code ?? '',
    applies: traced.applied.some(({ promotion }) => promotion.id === id),
    ...unapplied.get(id),
  }));
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

/** Returns the unit price before its reduction; null if it is not reduced. */
const regularPrice = ({ offer }: Line, currency: string): number | null => {
  const regular = offer.reducedFrom[currency];
  return regular === undefined ? null : toNumber(regular, currency);
};

const presentLineTotals = (totals: LineTotals | undefined, currency: string) => ({
  total: toNumber(totals?.subtotal ?? 0, currency),
  tax: toNumber(totals?.tax ?? 0, currency),
  tax_rate_percent: percentOf(totals?.taxRate ?? 0),
});

const presentLine = (line: Line, currency: string) => {
  const { id, offer, quantity, unitPrice } = line;
  return {
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
    regular_price: regularPrice(line, currency),
  };
};
