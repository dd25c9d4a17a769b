import type { PostalAddress } from '../kernel/core/postal-address.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database } from '../kernel/data/database.ts';
import type { IdempotencyScope, Runtime } from '../kernel/http/context.ts';
import {
  EXTERNAL,
  markPaid,
  noteDeclined,
  noteRefunded,
  orderById,
  type StoredOrder,
} from '../orders/index.ts';
import { notifyCart } from './notify-cart.ts';
import type { Buyer } from './pages/buyer.ts';
import { placeFromSession } from './place-order.ts';
import type { OrderCreate } from './schemas.ts';
import { loadSession } from './sessions/store.ts';

/** How long an order waits for the tenant's own checkout (ms). */
const EXTERNAL_PAYMENT_WINDOW_MS = 60 * 60_000;

/** The session of a token, if it is this tenant's. */
export async function ownSession(env: Env, db: Database, tenantId: number, token: string) {
  const loaded = await loadSession(env, db, token);
  return loaded.ok && loaded.value.session.tenantId !== tenantId ? fail('session_not_found') : loaded;
}

/** Places the order of a session for the tenant's own checkout; asked again, it answers the same order. */
export async function placeExternalOrder(
  runtime: Runtime,
  db: Database,
  tenantId: number,
  input: OrderCreate,
  once: IdempotencyScope,
): Promise<Result<StoredOrder>> {
  if (once.ref !== null) return orderById(db, tenantId, once.ref);
  const loaded = await ownSession(runtime.env, db, tenantId, input.session);
  if (!loaded.ok) return loaded;
  const { session, tenant } = loaded.value;
  if (session.provider !== EXTERNAL) {
    return fail('conflict', { message: 'This session is paid on the hosted checkout page.' });
  }
  const placed = await placeFromSession(runtime, db, loaded.value, {
    buyer: reportedBuyer(input, session.snapshot.address, session.snapshot.email),
    test: tenant.settings.payments === 'sandbox',
    patience: EXTERNAL_PAYMENT_WINDOW_MS,
    opensPayment: false,
    statements: once.mark(session.orderId),
  });
  if (placed.ok) notifyCart(runtime, db, placed.value);
  return placed;
}

function reportedBuyer(
  { customer = {}, shipping_address }: OrderCreate,
  known: PostalAddress | null,
  knownEmail: string | null,
): Buyer {
  const address = shipping_address ?? known;
  const named = [address?.first_name, address?.last_name].filter(Boolean).join(' ');
  return {
    name: customer.name ?? (named || null),
    email: customer.email ?? knownEmail,
    phone: customer.phone ?? address?.phone ?? null,
    address,
  };
}

/** Takes note of what the tenant's own checkout reports of a payment; reported again, nothing changes. */
export async function reportPayment(
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  { status, reference }: { status: 'paid' | 'failed' | 'refunded'; reference: string },
): Promise<Result<StoredOrder>> {
  const found = await orderById(db, tenantId, orderId);
  if (!found.ok) return found;
  if (found.value.row.provider !== EXTERNAL) {
    return fail('conflict', { message: `The order is paid through ${found.value.row.provider}.` });
  }
  const note = { paid: markPaid, failed: noteDeclined, refunded: noteRefunded }[status];
  const noted = await note(runtime, db, tenantId, orderId, { provider: EXTERNAL, reference });
  if (!noted.ok) return noted;
  notifyCart(runtime, db, noted.value);
  return ok(noted.value);
}
