import { type CartOwnership, checkoutPort } from '../cart/index.ts';
import { shortageOf } from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import type { ErrorCode } from '../kernel/core/errors.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { Database, Statement } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { type Placement, placeOrder, type StoredOrder } from '../orders/index.ts';
import type { Buyer } from './pages/buyer.ts';
import { totalsFor } from './sessions/session-totals.ts';
import { isOver, type LoadedSession, loadSession, useSession, voidSession } from './sessions/store.ts';

/** How an order is placed out of a session. */
export interface PlaceOptions {
  readonly buyer: Buyer;
  readonly test: boolean;
  /** How long it may wait for its money (ms). */
  readonly patience: number;
  /** Whether a payment of ours is begun for it. */
  readonly opensPayment: boolean;
  /** More statements for the order's batch. */
  readonly statements?: readonly Statement[];
}

/** Refusals that may be over by now, and don't say what there is too little of: that is looked up. */
const TRY_AGAIN: readonly ErrorCode[] = ['conflict', 'insufficient_stock', 'slot_unavailable'];

const ended = fail('session_not_found', { message: 'This checkout has ended.' });

/**
 * Places the order of a session that was loaded before; once, however often it is asked: the order that is
 * there is answered. Locks the cart first, so that nobody edits what is being sold. `session_not_found`
 * when the session has ended or the cart was edited; `cart_locked`, `insufficient_stock`,
 * `slot_unavailable`, `coupon_not_applicable`.
 */
export async function placeFromSession(
  runtime: Runtime,
  db: Database,
  loaded: LoadedSession,
  options: PlaceOptions,
): Promise<Result<StoredOrder>> {
  let at = loaded;
  for (let tries = 0; tries < 4; tries++) {
    const { session } = at;
    if (at.order) return ok(at.order);
    if (isOver(session)) return ended;
    const cart = checkoutPort(runtime.env, session.tenantId, session.cartId);
    const locked = await cart.lock(session.orderId, session.cartVersion);
    if (!locked.ok && locked.failure.code === 'precondition_failed') {
      await voidSession(db, session);
      return ended;
    }
    if (!locked.ok) return locked.failure.code === 'cart_locked' ? locked : ended;
    const placed = await placeOrder(runtime, db, placementOf(db, at, options, locked.value));
    if (placed.ok) return placed;
    // Somebody else was quicker: this very order, the sweep of reservations, a newer session.
    const again = await loadSession(runtime.env, db, at.token);
    if (!again.ok) return again;
    at = again.value;
    if (at.reservation.status === 'ordered' || at.reservation.status === 'consumed') {
      return at.order ? ok(at.order) : fail('cart_locked');
    }
    const final = !TRY_AGAIN.includes(placed.failure.code);
    const refused = isOver(at.session) ? ended : final ? placed : await shortageOf(db, at.reservation);
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
  { buyer, test, patience, opensPayment, statements = [] }: PlaceOptions,
  owned: CartOwnership,
): Placement {
  const { snapshot, tenantId, orderId, provider, origin } = session;
  const totals = totalsFor(session, buyer.address?.country ?? null);
  // Whose the cart was when it was frozen; nobody's where that customer was erased meanwhile.
  const customerId = snapshot.customerId === owned.customerId ? snapshot.customerId : null;
  return {
    tenantId,
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
    expiresAt: now() + patience,
    opensPayment,
    statements: [...useSession(db, session), ...statements],
  };
}
