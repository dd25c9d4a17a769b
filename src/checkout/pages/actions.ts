/** The actions of the checkout page: pay and cancel. */

import { checkoutPort } from '../../cart/index.ts';
import { releaseCart } from '../../inventory/index.ts';
import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { log } from '../../kernel/core/log.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { errorFields } from '../../kernel/observe/error-fields.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { countryName } from '../../kernel/values/countries.ts';
import { orderById, type StoredOrder } from '../../orders/index.ts';
import { isDeliverable, presentShippingMethod } from '../../pricing/index.ts';
import { type Buyer, type BuyerDraft, buyerOf } from '../buyer.ts';
import { cancelUnpaid } from '../payments/cancel-order.ts';
import { type PaymentAttempt, type PaymentOutcome, pay } from '../payments/pay.ts';
import type { Provider } from '../payments/provider.ts';
import { providerName, resolveProvider } from '../payments/resolve-provider.ts';
import { placeFromSession } from '../placing/place-order.ts';
import { loadSession } from '../sessions/load-session.ts';
import { deliveryOf, orderBuyer, priceSession } from '../sessions/purchase.ts';
import { voidSession } from '../sessions/store.ts';
import type { SessionRow } from '../tables.ts';
import { rememberBuyer } from './buyer-cookie.ts';
import type { CheckoutView } from './form/form.tsx';
import { redirect } from './html.ts';
import {
  CHECKOUT_ENDED,
  checkoutPage,
  leaveCheckout,
  NOT_AVAILABLE,
  type NoticeText,
  noticePage,
  ORDER_CANCELLED,
  type PageRequest,
  PROVIDER_CHANGED,
  PROVIDER_UNREACHABLE,
  returnToShop,
  SHOP_CLOSED,
} from './responses.tsx';
import { moneyText } from './summary.tsx';

/** The message after a failure that passes, as while a login merges the cart into another one. */
const TRY_AGAIN = 'Your order could not be placed at the moment. Please try again.';

/** Messages for the shopper when an order could not be placed. */
const REFUSALS: Partial<Record<Failure['code'], string>> = {
  insufficient_stock: 'One of the items has sold out. Please go back to your cart.',
  slot_unavailable: 'The chosen time is no longer available. Please go back to your cart.',
  coupon_not_applicable: 'The coupon can no longer be used. Please go back to your cart and remove it.',
  cart_locked: 'This cart already has an order.',
  shipping_unavailable: 'The shop does not deliver to your country.',
};

/** Cancels the checkout: ends the session and releases its stock, or cancels the order unless it is paid. */
export async function cancelCheckout(request: PageRequest): Promise<Response> {
  const { ctx, loaded } = request;
  const { session, tenant } = loaded;
  const order = loaded.order ?? (await endSession(ctx, session));
  if (!order) return leaveCheckout(request, null);
  const cancelled = await cancelUnpaid(ctx, tenant, order.row.id);
  if (!cancelled.ok)
    return checkoutPage(request, { message: 'The order could not be cancelled. Please try again.' }, order);
  return cancelled.value.row.status === 'cancelled'
    ? leaveCheckout(request, cancelled.value)
    : returnToShop(request, cancelled.value);
}

/** Ends a session and releases its stock; or returns the order that was placed meanwhile, which has the stock then. */
async function endSession(ctx: TenantContext, session: SessionRow): Promise<StoredOrder | null> {
  const { cartId, cartVersion, orderId } = session;
  await voidSession(ctx, session);
  const placed = await orderById(ctx, orderId);
  if (placed.ok) return placed.value;
  await releaseCart(ctx, cartId, cartVersion + 1);
  await checkoutPort(ctx, cartId).reserved(cartVersion, 0);
  return null;
}

/** A submitted payment form. */
interface Submission {
  readonly draft: BuyerDraft;
  /** The total that the shopper saw, in minor units; null if the form lacks it. */
  readonly shownTotal: string | null;
  /** Whether to simulate a declined payment. */
  readonly decline: boolean;
}

/** Places the order if it doesn't exist yet, and begins its payment. */
export async function placeAndPay(request: PageRequest, submission: Submission): Promise<Response> {
  const { ctx, loaded } = request;
  const { session, tenant } = loaded;
  const { draft, shownTotal, decline } = submission;
  if (tenant.status !== 'active') return noticePage(request, SHOP_CLOSED);
  const current = providerName(ctx.env, tenant.settings);
  const isOther = current !== session.provider;
  // A checkout that starts anew is paid with the tenant's provider of now.
  if (isOther && current !== null) {
    return loaded.order
      ? checkoutPage(request, { message: PROVIDER_CHANGED, status: 409 })
      : noticePage(request, CHECKOUT_ENDED);
  }
  const resolved = await resolveProvider(ctx, tenant, session.provider);
  if (isOther || !resolved.ok || !resolved.value) return noticePage(request, NOT_AVAILABLE);
  const provider = resolved.value;
  if (loaded.order) return payFor(request, loaded.order, { provider, decline });

  const buyer = buyerOf(draft, session.snapshot);
  if (!buyer.ok) return checkoutPage(request, { draft, errors: buyer.failure.errors ?? {} });
  const unconfirmed = confirmationOf(session, { draft, shownTotal, provider });
  if (unconfirmed) return checkoutPage(request, { draft, ...unconfirmed });
  const { test, paymentWindowMs } = provider;
  const shippingMethod = deliveryOf(session, draft).method;
  const options = { buyerOf: () => buyer.value, shippingMethod, test, paymentWindowMs, opensPayment: true };
  const placed = await placeFromSession(ctx, loaded, options);
  if (!placed.ok) return notPlaced(request, draft, placed.failure.code);
  const isBuyers = isOrderOf(buyer.value, placed.value);
  if (isBuyers) rememberBuyer(request, orderBuyer(placed.value));
  return payFor({ ...request, isBuyers }, placed.value, { provider, decline });
}

/** Responds to a submission that placed no order: a new total or a passing failure is shown beside the form. */
async function notPlaced(request: PageRequest, draft: BuyerDraft, code: Failure['code']): Promise<Response> {
  if (code === 'price_changed') return offerEnded(request, draft);
  return code === 'unavailable'
    ? checkoutPage(request, { draft, message: TRY_AGAIN, status: 503 })
    : noticePage(request, refusalOf(code));
}

/** Returns what the shopper reads where no order could be placed. */
const refusalOf = (code: Failure['code']): NoticeText =>
  code === 'session_not_found'
    ? CHECKOUT_ENDED
    : {
        title: 'Your order could not be placed',
        text: REFUSALS[code] ?? ERRORS[code][1],
        status: 409,
      };

/** Returns whether an order has this buyer's data: a concurrent submit may have placed it with another one's. */
function isOrderOf({ address: shippingAddress, email, ...others }: Buyer, order: StoredOrder): boolean {
  const row = { ...others, shippingAddress, email: email?.toLowerCase() ?? null };
  return canonicalJson(orderBuyer({ row })) === canonicalJson(orderBuyer(order));
}

/** Shows the checkout at its new total, after an automatic promotion ended. */
async function offerEnded(request: PageRequest, draft: BuyerDraft): Promise<Response> {
  const reloaded = await loadSession(request.ctx.env, request.loaded.token);
  if (!reloaded.ok) return noticePage(request, CHECKOUT_ENDED);
  const loaded = reloaded.value;
  const { session } = loaded;
  const { grandTotal } = priceSession(session, deliveryOf(session, draft)).totals;
  const total = moneyText(grandTotal, session.snapshot.currency);
  const message = `An offer has ended. The total is now ${total}. Please check it and press the button again.`;
  return checkoutPage({ ...request, loaded }, { draft, message });
}

/**
 * Returns what the shopper must see before the order is placed; null if they have seen it. A total that the provider
 * can't charge places no order: it could never be paid.
 */
function confirmationOf(
  session: SessionRow,
  { draft, shownTotal, provider }: Pick<Submission, 'draft' | 'shownTotal'> & { readonly provider: Provider },
): (Partial<Pick<CheckoutView, 'message' | 'errors'>> & { readonly status?: 409 }) | null {
  const { totals, shipping } = priceSession(session, deliveryOf(session, draft));
  if (!isDeliverable(shipping)) {
    const country = countryName(draft.country ?? '');
    return { errors: { country: [`This shop does not deliver to ${country}.`] }, status: 409 };
  }
  const { currency } = session.snapshot;
  const method = presentShippingMethod(shipping, currency);
  const isOther = method !== null && ![undefined, method.id].includes(draft.shipping_method);
  const total = moneyText(totals.grandTotal, currency);
  if (!provider.accepts(totals.grandTotal, currency)) {
    return { message: `The total for your address is ${total}, which can't be paid here.`, status: 409 };
  }
  const check = 'Please check it and press the button again.';
  if (isOther) {
    return { message: `${method.name} delivers to your address, and the total is ${total}. ${check}` };
  }
  if (shownTotal === String(totals.grandTotal)) return null;
  return { message: `The total for your address is ${total}. ${check}` };
}

/** Begins or resumes the payment of a placed order. */
async function payFor(
  request: PageRequest,
  order: StoredOrder,
  how: Pick<PaymentAttempt, 'provider' | 'decline'>,
): Promise<Response> {
  const { ctx, loaded } = request;
  const page = `${loaded.session.origin}/checkout/${loaded.token}`;
  const returnUrls = { success: `${page}/return`, cancel: page };
  try {
    const paid = await pay(ctx, { ...how, orderId: order.row.id, returnUrls });
    if (!paid.ok) return checkoutPage(request, { message: ERRORS[paid.failure.code][1] }, order);
    return await respondToOutcome(request, paid.value);
  } catch (error) {
    log('payment_unfinished', { tenant: ctx.tenantId, order: order.row.id, ...errorFields(error) });
    return respondWithCurrentOrder(request, order);
  }
}

/** The message when a payment failed because of an internal error. */
const PAYMENT_INTERRUPTED =
  'Something went wrong on our side before the payment was complete. Please press the button again: you will not be charged twice.';

/** Re-reads the order after a failed submit, because it may be paid nevertheless. */
async function respondWithCurrentOrder(request: PageRequest, previous: StoredOrder): Promise<Response> {
  const read = await orderById(request.ctx, previous.row.id);
  const order = read.ok ? read.value : previous;
  switch (order.row.status) {
    case 'paid':
      return returnToShop(request, order);
    case 'cancelled':
      return noticePage(request, ORDER_CANCELLED);
    case 'pending':
      return checkoutPage(request, { message: PAYMENT_INTERRUPTED }, order);
  }
}

/** The notice of an order whose total the provider can't charge. It was cancelled, and the cart can be changed. */
function unchargeable({ row: { grandTotal, currency } }: StoredOrder): NoticeText {
  const total = moneyText(grandTotal, currency);
  const text = `The total is ${total}, which can't be paid here. Nothing was ordered. You can change your cart.`;
  return { title: 'Your order could not be placed', text, status: 409 };
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
      return noticePage(request, ORDER_CANCELLED);
    case 'refused':
      return noticePage(request, unchargeable(paid.order));
  }
}
