import type { Context } from 'hono';
import { ok, type Result } from '../kernel/core/result.ts';
import { database } from '../kernel/data/database.ts';
import type { App } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { Order, OrderParams, presentOrder, type StoredOrder } from '../orders/index.ts';
import { tenantById } from '../tenants/index.ts';
import { ownSession, placeExternalOrder, reportPayment } from './external-checkout.ts';
import { cancelOrder } from './payments/cancel-order.ts';
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

/** The order as it is answered; an answer that is kept by Idempotency-Key is its customer's. */
function answerOrder(c: Context<App>, order: Result<StoredOrder>): Result<Order> {
  if (!order.ok) return order;
  const { row, lines } = order.value;
  c.set('concerns', row.customerId);
  return ok(presentOrder(c.env, row, lines));
}

const seamless = endpoint(
  {
    method: 'post',
    path: '/v1/checkout/seamless',
    tag,
    summary: 'Prepare a checkout redirect',
    description: `Prices the cart again, reserves its stock for 15 minutes, and answers where to send the shopper. A URL given out before for the cart is void then, and so is this one once the cart is edited; that its customer signs in, or has a new e-mail, is no edit. The order belongs to whoever owned the cart at this call. With the session of the cart's customer the page is filled in with the cart's e-mail and address, without it only with the country. \`price_changed\` carries the new cart in \`details.cart\`; asked again, it goes through. Asking again does not extend the 15 minutes, and a cart that is changed again and again keeps stock for at most 30 minutes in an hour: after that the checkout goes on, and the order takes what is still there.`,
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
      'insufficient_stock',
      'slot_unavailable',
      'conflict',
    ],
  },
  async ({ c, env, ctx, caller, customer, body }) => {
    const url = await startCheckout({ env, ctx }, database(env), {
      tenantId: caller.tenantId,
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
    summary: 'A checkout session',
    description:
      "What a tenant's own checkout (`settings.checkout.external_url`) has to sell. E-mail and address are there only where the checkout was prepared with the session of the cart's customer, else the country alone. Of a session that has ended nothing is kept: no items, totals of 0. Once it is ordered, items and totals are the order's, and `GET /v1/orders/{id}` shows who bought.",
    access: 'orders:write',
    params: SessionParams,
    answer: CheckoutSession,
    errors: ['session_not_found'],
  },
  async ({ env, caller, params }) => {
    const db = database(env);
    const loaded = await ownSession(env, db, caller.tenantId, params.id);
    if (!loaded.ok) return loaded;
    return ok(presentSession(loaded.value, await sessionStatus(env, db, loaded.value)));
  },
);

const place = endpoint(
  {
    method: 'post',
    path: '/v1/orders',
    tag: 'Orders',
    summary: 'Place the order of a checkout session',
    description: "For a tenant's own checkout. A session makes one order; asked again, it answers that.",
    access: 'orders:write',
    body: OrderCreate,
    status: 201,
    answer: Order,
    errors: [
      'session_not_found',
      'order_not_found',
      'cart_locked',
      'insufficient_stock',
      'slot_unavailable',
      'coupon_not_applicable',
      'conflict',
    ],
  },
  async ({ c, env, ctx, caller, body, once }) => {
    const placed = await placeExternalOrder({ env, ctx }, database(env), caller.tenantId, body, once);
    return answerOrder(c, placed);
  },
);

const pay = endpoint(
  {
    method: 'post',
    path: '/v1/orders/{id}/payments',
    tag: 'Orders',
    summary: 'Report a payment',
    description:
      "For a tenant's own checkout. `paid` of an order that was given up reserves its stock again; where that is gone the order stays cancelled, and the money has to go back: report `refunded` then. `refunded` of a paid order cancels it. A `reference` names one payment of one order; reported again, nothing changes.",
    access: 'orders:write',
    params: OrderParams,
    body: PaymentReport,
    answer: Order,
    errors: ['order_not_found', 'reference_taken', 'conflict'],
  },
  async ({ c, env, ctx, caller, params, body }) => {
    const noted = await reportPayment({ env, ctx }, database(env), caller.tenantId, params.id, body);
    return answerOrder(c, noted);
  },
);

const cancel = endpoint(
  {
    method: 'post',
    path: '/v1/orders/{id}/cancel',
    tag: 'Orders',
    summary: 'Cancel an order',
    description:
      'Gives its stock back; a paid one is refunded first. 503 while the refund cannot be made: it is tried again, and the order is cancelled then.',
    access: 'orders:write',
    params: OrderParams,
    answer: Order,
    errors: ['order_not_found', 'order_not_cancellable', 'conflict'],
  },
  async ({ c, env, ctx, caller, params }) => {
    const db = database(env);
    const tenant = await tenantById(db, caller.tenantId);
    return answerOrder(c, await cancelOrder({ env, ctx }, db, tenant, params.id));
  },
);

/** The way from a cart to a paid order. */
export const checkoutEndpoints: readonly Endpoint[] = [seamless, session, place, pay, cancel];
