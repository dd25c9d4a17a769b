/** The actions of the checkout page: pay and cancel. */
import { checkoutPort } from '../../cart/index.ts';
import { releaseCart } from '../../inventory/index.ts';
import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { tenantContext } from '../../kernel/data/tenant-context.ts';
import { orderById, type StoredOrder } from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import { cancelUnpaid, resolveProvider } from '../payments/cancel-order.ts';
import { type PaymentOutcome, pay } from '../payments/pay.ts';
import type { Provider } from '../payments/provider.ts';
import { providerName } from '../payments/resolve-provider.ts';
import { placeFromSession } from '../place-order.ts';
import { totalsFor } from '../sessions/session-totals.ts';
import { voidSession } from '../sessions/store.ts';
import { type BuyerDraft, buyerOf } from './buyer.ts';
import { moneyText } from './form.tsx';
import { redirect } from './html.ts';
import {
  checkoutPage,
  leaveCheckout,
  noticePage,
  ORDER_CANCELLED,
  PAYMENT_INTERRUPTED,
  type PageRequest,
  PROVIDER_UNREACHABLE,
  returnToShop,
  SESSION_ENDED,
} from './responses.tsx';

/** Messages for the shopper when an order could not be placed. */
const REFUSALS: Partial<Record<Failure['code'], string>> = {
  insufficient_stock: 'One of the items has sold out. Please go back to your cart.',
  slot_unavailable: 'The chosen time is no longer available. Please go back to your cart.',
  coupon_not_applicable: 'The coupon can no longer be used. Please go back to your cart and remove it.',
  cart_locked: 'This cart already has an order.',
};

/** Cancels the checkout: ends the session and releases its stock, or cancels the order unless it is paid. */
export async function cancelCheckout(request: PageRequest): Promise<Response> {
  const { runtime, db, loaded } = request;
  const { session, tenant, order } = loaded;
  if (!order) {
    await voidSession(db, session);
    const { tenantId, cartId, cartVersion } = session;
    await releaseCart(tenantContext(runtime, tenantId), cartId, cartVersion + 1);
    await checkoutPort(runtime.env, tenantId, cartId).reserved(cartVersion, 0);
    return leaveCheckout(request, null);
  }
  const cancelled = await cancelUnpaid(runtime, db, tenant, order.row.id);
  if (!cancelled.ok)
    return checkoutPage(request, { message: 'The order could not be cancelled. Please try again.' });
  return cancelled.value.row.status === 'cancelled'
    ? leaveCheckout(request, cancelled.value)
    : returnToShop(request, cancelled.value);
}

/** Places the order if it doesn't exist yet, and begins its payment. */
export async function placeAndPay(
  request: PageRequest,
  form: URLSearchParams,
  draft: BuyerDraft,
  decline: boolean,
) {
  const { runtime, db, loaded } = request;
  const { session, tenant } = loaded;
  const open = tenant.status === 'active' && providerName(runtime.env, tenant.settings) === session.provider;
  const provider = await resolveProvider(runtime.env, db, tenant, session.provider);
  if (!open || !provider.ok || !provider.value)
    return noticePage(request, 'Not available', PROVIDER_UNREACHABLE, 503);
  if (loaded.order) return payFor(request, provider.value, loaded.order, decline);

  const buyer = buyerOf(draft, session.snapshot);
  if (!buyer.ok) return checkoutPage(request, { draft, errors: buyer.failure.errors ?? {} });
  const { grandTotal } = totalsFor(session, draft.country ?? null);
  if (form.get('shown_total') !== String(grandTotal)) {
    const total = moneyText(grandTotal, session.snapshot.currency);
    const message = `The total for your address is ${total}. Please check it and press the button again.`;
    return checkoutPage(request, { draft, message });
  }
  const { test, paymentWindowMs } = provider.value;
  const placed = await placeFromSession(runtime, db, loaded, {
    buyer: buyer.value,
    test,
    paymentWindowMs,
    opensPayment: true,
  });
  if (placed.ok) {
    notifyCart(runtime, db, placed.value);
    return payFor(request, provider.value, placed.value, decline);
  }
  const { code } = placed.failure;
  if (code === 'session_not_found') return noticePage(request, 'Checkout has ended', SESSION_ENDED, 410);
  return noticePage(request, 'Your order could not be placed', REFUSALS[code] ?? ERRORS[code][1], 409);
}

async function payFor(
  request: PageRequest,
  provider: Provider,
  order: StoredOrder,
  decline: boolean,
): Promise<Response> {
  const { runtime, db, loaded } = request;
  const { tenantId, id: orderId } = order.row;
  const page = `${loaded.session.origin}/checkout/${loaded.token}`;
  const returnUrls = { success: `${page}/return`, cancel: page };
  try {
    const paid = await pay(runtime, db, { tenantId, orderId, provider }, returnUrls, decline);
    if (!paid.ok) return checkoutPage(request, { message: ERRORS[paid.failure.code][1] }, order);
    return await respondToOutcome(request, paid.value);
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    console.error(JSON.stringify({ event: 'payment_unfinished', tenant: tenantId, name }));
    return respondWithCurrentOrder(request, order);
  }
}

/** Re-reads the order after a failed submit, because it may be paid nevertheless. */
async function respondWithCurrentOrder(request: PageRequest, previous: StoredOrder): Promise<Response> {
  const read = await orderById({ db: request.db, tenantId: previous.row.tenantId }, previous.row.id);
  const order = read.ok ? read.value : previous;
  switch (order.row.status) {
    case 'paid':
      return returnToShop(request, order);
    case 'cancelled':
      return noticePage(request, 'Order cancelled', ORDER_CANCELLED, 410);
    case 'pending':
      return checkoutPage(request, { message: PAYMENT_INTERRUPTED }, order);
  }
}

/** Responds to the outcome of a payment. */
export function respondToOutcome(request: PageRequest, paid: PaymentOutcome): Promise<Response> | Response {
  switch (paid.state) {
    case 'redirect':
      return redirect(request.c, paid.url);
    case 'paid':
    case 'processing':
      return returnToShop(request, paid.order);
    case 'unreachable':
      return checkoutPage(request, { message: PROVIDER_UNREACHABLE }, paid.order);
    case 'declined':
      return checkoutPage(request, { message: 'The payment was declined. You can try again.' }, paid.order);
    case 'open':
      return redirect(request.c, `/checkout/${request.loaded.token}`);
    case 'ended':
      return noticePage(request, 'Order cancelled', ORDER_CANCELLED, 410);
  }
}
