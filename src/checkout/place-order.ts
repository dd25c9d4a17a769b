import { type CartOwnership, checkoutPort } from '../cart/index.ts';
import { shortageOf } from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import type { ErrorCode } from '../kernel/core/errors.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database, Statement } from '../kernel/data/database.ts';
import { type Runtime, tenantContext } from '../kernel/data/tenant-context.ts';
import { type Placement, placeOrder, type StoredOrder } from '../orders/index.ts';
import type { Buyer } from './pages/buyer.ts';
import { totalsFor } from './sessions/session-totals.ts';
import { isEnded, type LoadedSession, loadSession, useSession, voidSession } from './sessions/store.ts';

/** Options of placing an order from a session. */
export interface PlaceOptions {
  readonly buyer: Buyer;
  readonly test: boolean;
  /** How long the order waits for payment (ms). */
  readonly paymentWindowMs: number;
  /** Whether the order gets an open payment at a provider. */
  readonly opensPayment: boolean;
  /** Statements to commit in the order's batch. */
  readonly statements?: readonly Statement[];
}

/** Errors that a fresh read may resolve. `shortageOf` then finds the item that ran out. */
const RETRYABLE: readonly ErrorCode[] = ['conflict', 'insufficient_stock', 'slot_unavailable'];

const sessionEnded = fail('session_not_found', { message: 'This checkout has ended.' });

/**
 * Places a session's order, at most once: a repeated call returns the existing order. Locks the cart first,
 * so that it can't be edited meanwhile. Fails with `session_not_found` when the session has ended or the cart
 * was edited, and with `cart_locked`, `insufficient_stock`, `slot_unavailable` or `coupon_not_applicable`.
 */
export async function placeFromSession(
  runtime: Runtime,
  db: Database,
  loaded: LoadedSession,
  options: PlaceOptions,
): Promise<Result<StoredOrder>> {
  let current = loaded;
  for (let tries = 0; tries < 4; tries++) {
    const { session } = current;
    if (current.order) return ok(current.order);
    if (isEnded(session)) return sessionEnded;
    const cart = checkoutPort(runtime.env, session.tenantId, session.cartId);
    const locked = await cart.lock(session.orderId, session.cartVersion);
    if (!locked.ok && locked.failure.code === 'precondition_failed') {
      await voidSession(db, session);
      return sessionEnded;
    }
    if (!locked.ok) return locked.failure.code === 'cart_locked' ? locked : sessionEnded;
    const placed = await placeOrder(
      tenantContext(runtime, current.session.tenantId),
      placementOf(db, current, options, locked.value),
    );
    if (placed.ok) return placed;
    // A concurrent request placed this order, the reservation expired, or a newer session replaced this one.
    const reloaded = await loadSession(runtime.env, db, current.token);
    if (!reloaded.ok) return reloaded;
    current = reloaded.value;
    if (current.reservation.status === 'ordered' || current.reservation.status === 'consumed') {
      return current.order ? ok(current.order) : fail('cart_locked');
    }
    const final = !RETRYABLE.includes(placed.failure.code);
    const refused = isEnded(current.session)
      ? sessionEnded
      : final
        ? placed
        : await shortageOf({ db, tenantId: current.reservation.tenantId }, current.reservation);
    if (refused) {
      await cart.unlock(session.orderId);
      return refused;
    }
  }
  return fail('conflict');
}

function placementOf(
  db: Database,
  { session, reservation }: LoadedSession,
  { buyer, test, paymentWindowMs, opensPayment, statements = [] }: PlaceOptions,
  ownership: CartOwnership,
): Placement {
  const { snapshot, orderId, provider, origin } = session;
  const totals = totalsFor(session, buyer.address?.country ?? null);
  // Null if the customer was erased after the cart was frozen.
  const customerId = snapshot.customerId === ownership.customerId ? snapshot.customerId : null;
  return {
    orderId,
    provider,
    origin,
    reservation,
    test,
    currency: snapshot.currency,
    lines: snapshot.lines.map((line, n) => ({
      id: n + 1,
      productId: line.productId,
      variantId: line.variantId,
      sku: line.sku,
      name: line.name,
      options: { ...line.options },
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      subtotal: totals.lines[n]?.subtotal ?? 0,
      discount: totals.lines[n]?.discount ?? 0,
      tax: totals.lines[n]?.tax ?? 0,
      links: [...line.links],
    })),
    totals,
    coupon: snapshot.coupon,
    customer: { customerId, name: buyer.name, email: buyer.email, phone: buyer.phone },
    shippingAddress: buyer.address,
    expiresAt: now() + paymentWindowMs,
    opensPayment,
    statements: [...useSession(db, session), ...statements],
  };
}
