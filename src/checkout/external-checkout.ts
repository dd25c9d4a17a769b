import type { PostalAddress } from '../kernel/core/postal-address.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import {
  EXTERNAL,
  markPaid,
  orderById,
  recordDeclined,
  recordRefunded,
  type StoredOrder,
} from '../orders/index.ts';
import { notifyCart } from './notify-cart.ts';
import type { Buyer } from './pages/buyer.ts';
import { placeFromSession } from './place-order.ts';
import type { OrderCreate } from './schemas.ts';
import { loadSession } from './sessions/store.ts';

/** How long an order waits for payment in the tenant's own checkout (ms). */
const EXTERNAL_PAYMENT_WINDOW_MS = 60 * 60_000;

/** Loads a session by its token; `session_not_found` if it belongs to another tenant. */
export async function ownSession({ env, db, tenantId }: TenantContext, token: string) {
  const loaded = await loadSession(env, db, token);
  return loaded.ok && loaded.value.session.tenantId !== tenantId ? fail('session_not_found') : loaded;
}

/** Places a session's order for the tenant's own checkout; a repeated call returns the same order. */
export async function placeExternalOrder(
  ctx: TenantContext,
  input: OrderCreate,
  once: IdempotencyScope,
): Promise<Result<StoredOrder>> {
  const { db } = ctx;
  if (once.ref !== null) return orderById(ctx, once.ref);
  const loaded = await ownSession(ctx, input.session);
  if (!loaded.ok) return loaded;
  const { session, tenant } = loaded.value;
  if (session.provider !== EXTERNAL) {
    return fail('conflict', { message: 'This session must be paid on the hosted checkout page.' });
  }
  const placed = await placeFromSession(ctx, db, loaded.value, {
    buyer: reportedBuyer(input, session.snapshot.address, session.snapshot.email),
    test: tenant.settings.payments === 'sandbox',
    paymentWindowMs: EXTERNAL_PAYMENT_WINDOW_MS,
    opensPayment: false,
    statements: once.mark(session.orderId),
  });
  if (placed.ok) notifyCart(ctx, db, placed.value);
  return placed;
}

function reportedBuyer(
  { customer = {}, shipping_address }: OrderCreate,
  known: PostalAddress | null,
  knownEmail: string | null,
): Buyer {
  const address = shipping_address ?? known;
  const fullName = [address?.first_name, address?.last_name].filter(Boolean).join(' ');
  return {
    name: customer.name ?? (fullName || null),
    email: customer.email ?? knownEmail,
    phone: customer.phone ?? address?.phone ?? null,
    address,
  };
}

/** Records a payment status that the tenant's own checkout reports; a repeated report changes nothing. */
export async function reportPayment(
  ctx: TenantContext,
  orderId: string,
  { status, reference }: { status: 'paid' | 'failed' | 'refunded'; reference: string },
): Promise<Result<StoredOrder>> {
  const { db } = ctx;
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  if (found.value.row.provider !== EXTERNAL) {
    return fail('conflict', { message: `The order is paid through ${found.value.row.provider}.` });
  }
  const record = { paid: markPaid, failed: recordDeclined, refunded: recordRefunded }[status];
  const recorded = await record(ctx, orderId, { provider: EXTERNAL, reference });
  if (!recorded.ok) return recorded;
  notifyCart(ctx, db, recorded.value);
  return ok(recorded.value);
}
