import type { CartSnapshot } from '../cart/index.ts';
import { HOUR } from '../kernel/core/clock.ts';
import { type Failed, fail, invalid, type Result } from '../kernel/core/result.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import {
  EXTERNAL,
  markPaid,
  type OrderRow,
  orderById,
  recordDeclined,
  recordPartialRefund,
  recordRefunded,
  requestedAmount,
  type StoredOrder,
} from '../orders/index.ts';
import { offeredMethods } from '../shipping/index.ts';
import { type Buyer, nameOnOneLine } from './buyer.ts';
import { notifyCart } from './placing/notify-cart.ts';
import { placeFromSession } from './placing/place-order.ts';
import type { OrderCreate, PaymentReport } from './schemas.ts';
import { loadSession } from './sessions/load-session.ts';
import { sessionPurchase } from './sessions/purchase.ts';
import { isEnded } from './sessions/store.ts';
import type { SessionRow } from './tables.ts';

/** How long an order waits for payment in the tenant's own checkout (ms). */
const EXTERNAL_PAYMENT_WINDOW_MS = HOUR;

/** Loads a session by its token; `session_not_found` if it belongs to another tenant. */
export async function loadOwnSession({ env, tenantId }: TenantContext, token: string) {
  const loaded = await loadSession(env, token);
  return loaded.ok && loaded.value.session.tenantId !== tenantId ? fail('session_not_found') : loaded;
}

/** Places a session's order for the tenant's own checkout; a repeated call returns the same order. */
export async function placeExternalOrder(
  ctx: TenantContext,
  input: OrderCreate,
  once: IdempotencyScope,
): Promise<Result<StoredOrder>> {
  if (once.ref !== null) return orderById(ctx, once.ref);
  const loaded = await loadOwnSession(ctx, input.session);
  if (!loaded.ok) return loaded;
  const { session, tenant } = loaded.value;
  if (session.provider !== EXTERNAL) {
    return fail('conflict', { message: 'This session must be paid on the hosted checkout page.' });
  }
  const buyerOf = ({ snapshot }: SessionRow): Buyer => reportedBuyer(input, snapshot);
  const { shipping_method: method = null } = input;
  // An ended session keeps no shipping methods.
  const isOver = loaded.value.order !== null || isEnded(session);
  const refused = method === null || isOver ? null : methodRefusal(session, buyerOf(session), method);
  if (refused) return refused;
  return placeFromSession(ctx, loaded.value, {
    buyerOf,
    shippingMethod: method,
    test: tenant.settings.payments === 'sandbox',
    paymentWindowMs: EXTERNAL_PAYMENT_WINDOW_MS,
    opensPayment: false,
    statements: once.mark(session.orderId),
  });
}

/** Returns why a session can't be shipped to the buyer with a method, or null. */
function methodRefusal(session: SessionRow, { address }: Buyer, method: string): Failed | null {
  const offered = offeredMethods(session.pricing.shipping).map(({ id }) => id);
  if (!offered.includes(method)) return invalid('shipping_method', `must be one of ${offered.join(', ')}`);
  const { shippingMethods } = sessionPurchase(session, { country: address?.country ?? null, method });
  const available = shippingMethods.map(({ id }) => id);
  return available.includes(method) ? null : fail('shipping_unavailable', { details: { available } });
}

/** Returns the buyer that the tenant's checkout reports, completed from the cart. */
function reportedBuyer(
  { customer = {}, shipping_address, billing_address, note }: OrderCreate,
  known: Pick<CartSnapshot, 'address' | 'email'>,
): Buyer {
  const address = shipping_address ?? known.address;
  return {
    name: customer.name ?? nameOnOneLine(address ?? {}),
    email: customer.email ?? known.email,
    phone: customer.phone ?? address?.phone ?? null,
    address,
    billingAddress: billing_address ?? null,
    note: note?.trim() || null,
  };
}

/** Records a payment status that the tenant's own checkout reports; a repeated report changes nothing. */
export async function reportPayment(
  ctx: TenantContext,
  orderId: string,
  report: PaymentReport,
): Promise<Result<StoredOrder>> {
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  if (found.value.row.provider !== EXTERNAL) {
    return fail('conflict', { message: `The order is paid through ${found.value.row.provider}.` });
  }
  const { status, reference } = report;
  if (report.amount !== undefined) return reportPartialRefund(ctx, found.value.row, report);
  const record = { paid: markPaid, failed: recordDeclined, refunded: recordRefunded }[status];
  return notifyCart(ctx, await record(ctx, orderId, { provider: EXTERNAL, reference }));
}

/** Records a refund of a part of a payment that the tenant's own checkout reports. */
async function reportPartialRefund(
  ctx: TenantContext,
  { id, currency }: OrderRow,
  { reference, amount = 0, refund_reference: refundReference = '' }: PaymentReport,
): Promise<Result<StoredOrder>> {
  const minor = requestedAmount(amount, currency);
  return minor.ok ? recordPartialRefund(ctx, id, { reference, refundReference, amount: minor.value }) : minor;
}
