/** What the buttons of the checkout page do. */
import { checkoutPort } from '../../cart/index.ts';
import { releaseCart } from '../../inventory/index.ts';
import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { orderById, type StoredOrder } from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import { cancelUnpaid, providerFor } from '../payments/cancel-order.ts';
import { type Paid, pay } from '../payments/pay.ts';
import type { Provider } from '../payments/provider.ts';
import { providerName } from '../payments/resolve-provider.ts';
import { placeFromSession } from '../place-order.ts';
import { totalsFor } from '../sessions/session-totals.ts';
import { voidSession } from '../sessions/store.ts';
import { type BuyerDraft, buyerOf } from './buyer.ts';
import { moneyText } from './form.tsx';
import { redirect } from './html.ts';
import {
  away,
  CANCELLED,
  GONE,
  home,
  type PageRequest,
  say,
  show,
  UNFINISHED,
  UNREACHABLE,
} from './responses.tsx';

/** Why an order could not be placed, in words for the shopper. */
const REFUSALS: Partial<Record<Failure['code'], string>> = {
  insufficient_stock: 'One of the items was sold out in the meantime. Please go back to your cart.',
  slot_unavailable: 'The chosen time was booked out in the meantime. Please go back to your cart.',
  coupon_not_applicable: 'The coupon can no longer be used. Please go back to your cart and remove it.',
  cart_locked: 'There is an order for this cart already.',
};

/** The shopper doesn't want to buy: order, session and stock are given up, unless the order is paid. */
export async function cancelCheckout(visit: PageRequest): Promise<Response> {
  const { runtime, db, loaded } = visit;
  const { session, tenant, order } = loaded;
  if (!order) {
    await voidSession(db, session);
    const { tenantId, cartId, cartVersion } = session;
    await releaseCart(runtime, db, tenantId, cartId, cartVersion + 1);
    await checkoutPort(runtime.env, tenantId, cartId).reserved(cartVersion, 0);
    return away(visit, null);
  }
  const left = await cancelUnpaid(runtime, db, tenant, order.row.id);
  if (!left.ok) return show(visit, { message: 'The order could not be cancelled yet. Please try again.' });
  return left.value.row.status === 'cancelled' ? away(visit, left.value) : home(visit, left.value);
}

/** Places the order if it isn't yet, and begins its payment. */
export async function buy(visit: PageRequest, form: URLSearchParams, draft: BuyerDraft, decline: boolean) {
  const { runtime, db, loaded } = visit;
  const { session, tenant } = loaded;
  const open = tenant.status === 'active' && providerName(runtime.env, tenant.settings) === session.provider;
  const provider = await providerFor(runtime.env, db, tenant, session.provider);
  if (!open || !provider.ok || !provider.value) return say(visit, 'Not available', UNREACHABLE, 503);
  if (loaded.order) return payFor(visit, provider.value, loaded.order, decline);

  const buyer = buyerOf(draft, session.snapshot);
  if (!buyer.ok) return show(visit, { draft, errors: buyer.failure.errors ?? {} });
  const { grandTotal } = totalsFor(session, draft.country ?? null);
  if (form.get('shown_total') !== String(grandTotal)) {
    const total = moneyText(grandTotal, session.snapshot.currency);
    const message = `For your address the total is ${total}. Please check it, and press the button again.`;
    return show(visit, { draft, message });
  }
  const { test, patience } = provider.value;
  const placed = await placeFromSession(runtime, db, loaded, {
    buyer: buyer.value,
    test,
    patience,
    opensPayment: true,
  });
  if (placed.ok) {
    notifyCart(runtime, db, placed.value);
    return payFor(visit, provider.value, placed.value, decline);
  }
  const { code } = placed.failure;
  if (code === 'session_not_found') return say(visit, 'Checkout has ended', GONE, 410);
  return say(visit, 'Your order could not be placed', REFUSALS[code] ?? ERRORS[code][1], 409);
}

async function payFor(
  visit: PageRequest,
  provider: Provider,
  order: StoredOrder,
  decline: boolean,
): Promise<Response> {
  const { runtime, db, loaded } = visit;
  const { tenantId, id: orderId } = order.row;
  const page = `${loaded.session.origin}/checkout/${loaded.token}`;
  const places = { done: `${page}/return`, back: page };
  try {
    const paid = await pay(runtime, db, { tenantId, orderId, provider }, places, decline);
    if (!paid.ok) return show(visit, { message: ERRORS[paid.failure.code][1] }, order);
    return await follow(visit, paid.value);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    console.error(JSON.stringify({ event: 'payment_unfinished', tenant: tenantId, name }));
    return asItStands(visit, order);
  }
}

/** Answers a press that failed half-way by what has become of the order, which may be paid all the same. */
async function asItStands(visit: PageRequest, before: StoredOrder): Promise<Response> {
  const read = await orderById(visit.db, before.row.tenantId, before.row.id);
  const order = read.ok ? read.value : before;
  switch (order.row.status) {
    case 'paid':
      return home(visit, order);
    case 'cancelled':
      return say(visit, 'Order cancelled', CANCELLED, 410);
    case 'pending':
      return show(visit, { message: UNFINISHED }, order);
  }
}

/** Leads the shopper where the payment has led. */
export function follow(visit: PageRequest, paid: Paid): Promise<Response> | Response {
  switch (paid.state) {
    case 'redirect':
      return redirect(visit.c, paid.url);
    case 'paid':
    case 'waiting':
      return home(visit, paid.order);
    case 'unreachable':
      return show(visit, { message: UNREACHABLE }, paid.order);
    case 'declined':
      return show(visit, { message: 'The payment was declined. You can try again.' }, paid.order);
    case 'open':
      return redirect(visit.c, `/checkout/${visit.loaded.token}`);
    case 'over':
      return say(visit, 'Order cancelled', CANCELLED, 410);
  }
}
