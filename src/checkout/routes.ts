import type { Context } from 'hono';
import { ok, type Result } from '../kernel/core/result.ts';
import type { App } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { dataSubjectOf, Order, OrderParams, presentOrder, type StoredOrder } from '../orders/index.ts';
import { requireTenant } from '../tenants/index.ts';
import { checkoutExamples } from './examples.ts';
import { loadOwnSession, placeExternalOrder, reportPayment } from './external-checkout.ts';
import { cancelOrder } from './payments/cancel-order.ts';
import { refundEndpoint } from './payments/refund-endpoint.ts';
import {
  CheckoutSession,
  OrderCreate,
  PaymentReport,
  Seamless,
  SeamlessCreate,
  SessionParams,
} from './schemas.ts';
import { presentSession } from './sessions/present.ts';
import { sessionStatus } from './sessions/session-status.ts';
import { startCheckout } from './start.ts';

const tag = 'Checkout';

/**
 * Renders an order. Marks the response as the buyer's, so that erasure reaches a stored idempotent
 * response.
 */
function orderResponse(c: Context<App>, order: Result<StoredOrder>): Result<Order> {
  if (!order.ok) return order;
  c.set('concerns', dataSubjectOf(order.value.row));
  return ok(presentOrder(c.env, order.value));
}

const seamless = endpoint(
  {
    method: 'post',
    path: '/v1/checkout/seamless',
    id: 'startCheckout',
    tag,
    summary: 'Prepare a checkout redirect',
    description: `Reprices the cart, reserves its stock for 15 minutes, and responds with the URL to redirect the shopper to. Repeating the request for an unchanged cart responds with the same URL. Editing the cart invalidates it, and so does a request with other prices, return URLs or another customer, which gets a new one. A cart with an unpaid order gets the URL that leads back to paying it, and a paid one \`cart_locked\` with \`details.order_id\`. The page shows what a shopper enters only in the browser in which it was entered. Signing in or changing the e-mail address is no edit. The order belongs to the customer who owns the cart at the time of this call. If the request carries the session of the cart's customer, the page is prefilled with the cart's e-mail and address; otherwise only with the country. \`shipping_unavailable\` means that no shipping method delivers to the cart's country; a cart without one chooses it on the page. \`total_not_chargeable\` means that the payment provider can't charge exactly this total (Stripe: 1.235 KWD): another total can be paid. \`price_changed\` carries the repriced cart in \`details.cart\`; a second request, with another Idempotency-Key, accepts the new prices. Repeating the request doesn't extend the reservation. A cart that keeps changing can reserve stock for 30 minutes in an hour. After that, checkout continues without one, and placing the order fails if the stock is no longer available.`,
    access: 'checkout:write',
    customer: 'optional',
    body: SeamlessCreate,
    answer: Seamless,
    errors: [
      'cart_not_found',
      'cart_expired',
      'cart_empty',
      'cart_locked',
      'price_changed',
      'shipping_unavailable',
      'total_not_chargeable',
      'insufficient_stock',
      'slot_unavailable',
      'conflict',
    ],
    examples: checkoutExamples.seamless,
  },
  async (call) => {
    const { c, customer, body } = call;
    const url = await startCheckout(call, {
      requestUrl: c.req.url,
      cartToken: body.cart_token,
      customerId: customer?.customerId ?? null,
      returnUrl: body.return_url,
      cancelUrl: body.cancel_url ?? null,
    });
    return url.ok ? ok({ redirect_url: url.value }) : url;
  },
);

const session = endpoint(
  {
    method: 'get',
    path: '/v1/checkout/sessions/{id}',
    tag,
    summary: 'Get a checkout session',
    description:
      "For a tenant's own checkout (`settings.checkout.external_url`). E-mail and address are included only if the checkout was prepared with the session of the cart's customer; otherwise only the country is. A session that has ended has no items and totals of 0. After the order is placed, items and totals are the order's, and `GET /v1/orders/{id}` returns the contact data.",
    access: 'orders:write',
    params: SessionParams,
    answer: CheckoutSession,
    errors: ['session_not_found'],
    example: checkoutExamples.session,
  },
  async (call) => {
    const loaded = await loadOwnSession(call, call.params.id);
    if (!loaded.ok) return loaded;
    return ok(presentSession(loaded.value, await sessionStatus(call, loaded.value)));
  },
);

const place = endpoint(
  {
    method: 'post',
    path: '/v1/orders',
    id: 'placeOrder',
    tag: 'Orders',
    summary: 'Place the order of a checkout session',
    description:
      "For a tenant's own checkout. A session creates one order; repeating the request responds with the same order. Without an address, only shipping methods that deliver everywhere fit. `price_changed`: an automatic promotion has ended, and the session has the new total; show it, and repeat the request with another Idempotency-Key.",
    access: 'orders:write',
    body: OrderCreate,
    status: 201,
    answer: Order,
    errors: [
      'session_not_found',
      'order_not_found',
      'cart_locked',
      'shipping_unavailable',
      'insufficient_stock',
      'slot_unavailable',
      'coupon_not_applicable',
      'price_changed',
      'conflict',
    ],
    examples: checkoutExamples.place,
  },
  async (call) => {
    const { c, body, once } = call;
    return orderResponse(c, await placeExternalOrder(call, body, once));
  },
);

const pay = endpoint(
  {
    method: 'post',
    path: '/v1/orders/{id}/payments',
    id: 'reportOrderPayment',
    tag: 'Orders',
    summary: 'Report a payment',
    description:
      "For a tenant's own checkout. `paid` for an expired order takes its stock again. If the stock is no longer available, or the order was cancelled on request, it stays cancelled and the payment must be refunded, as a second one must; `refund_due` of the order says how much. Report `refunded` afterwards. `refunded` for a paid order cancels it; with `amount` it records the refund of a part, which cancels nothing, once for each `refund_reference`; with another amount, that is 409 `reference_taken`. A payment in `refund_due` goes back as a whole. A `reference` identifies one payment of one order; repeating a report changes nothing. An order keeps its first 50 failed payments, and takes 100 payments and 100 refunds.",
    access: 'orders:write',
    params: OrderParams,
    body: PaymentReport,
    answer: Order,
    errors: ['order_not_found', 'reference_taken', 'order_not_refundable', 'refund_too_large', 'conflict'],
    example: checkoutExamples.pay,
  },
  async (call) => {
    const { c, params, body } = call;
    return orderResponse(c, await reportPayment(call, params.id, body));
  },
);

const cancel = endpoint(
  {
    method: 'post',
    path: '/v1/orders/{id}/cancel',
    tag: 'Orders',
    summary: 'Cancel an order',
    description:
      'Releases the stock. What is left of a paid order is refunded first, in your own checkout by you (else 409 `order_not_cancellable`). If the refund fails, the response is 503; the refund is retried, and the order is cancelled once it succeeds. Units that were refunded before are not released again; shipped ones are. While goods are with the customer, refund the order instead.',
    access: 'orders:write',
    params: OrderParams,
    answer: Order,
    errors: ['order_not_found', 'order_not_cancellable', 'conflict'],
    example: checkoutExamples.cancel,
  },
  async (call) => {
    const { c, params } = call;
    return orderResponse(c, await cancelOrder(call, await requireTenant(call), params.id));
  },
);

/** The endpoints from a cart to a paid order. */
export const checkoutEndpoints: readonly Endpoint[] = [seamless, session, place, pay, cancel, refundEndpoint];
