import { type CartSnapshot, checkoutPort } from '../../cart/index.ts';
import { isOfDemands, shortageOf } from '../../inventory/index.ts';
import { now } from '../../kernel/core/clock.ts';
import type { ErrorCode } from '../../kernel/core/errors.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { type Placement, placeOrder, type StoredOrder } from '../../orders/index.ts';
import {
  type CartTotals,
  type ChosenShipping,
  isDeliverable,
  lineShares,
  presentShippingMethod,
  promotionShares,
  type TracedTotals,
} from '../../pricing/index.ts';
import type { Buyer } from '../buyer.ts';
import { type LoadedSession, loadSession } from '../sessions/load-session.ts';
import { type Delivery, deliveryOf, priceSession } from '../sessions/purchase.ts';
import { isEnded, useSession, voidSession } from '../sessions/store.ts';
import type { SessionRow } from '../tables.ts';
import { notifyCart, sendStatus } from './notify-cart.ts';
import { refuseSpent } from './spent-promotions.ts';

/** Options of placing an order from a session. */
interface PlaceOptions {
  /**
   * Returns the buyer of a session. It is called again for a session that was read again: what a customer's cart knew is
   * gone from it once they are erased.
   */
  readonly buyerOf: (session: SessionRow) => Buyer;
  /** The id of the chosen shipping method; null: the cart's. */
  readonly shippingMethod: string | null;
  readonly test: boolean;
  /** How long the order waits for payment (ms). */
  readonly paymentWindowMs: number;
  /** Whether the order gets an open payment at a provider. */
  readonly opensPayment: boolean;
  /** Statements to commit in the order's batch. */
  readonly statements?: readonly Statement[];
}

/** The options of one attempt, with the buyer of the session as it was read for it. */
interface Terms extends PlaceOptions {
  readonly buyer: Buyer;
}

/** Errors after which a retry may succeed, unless an item has run out. */
const RETRYABLE: readonly ErrorCode[] = ['conflict', 'insufficient_stock', 'slot_unavailable'];

/** The most attempts to place an order under concurrent changes. */
const MAX_ATTEMPTS = 4;

const sessionEnded = fail('session_not_found', { message: 'This checkout has ended.' });

/**
 * Places a session's order, at most once, and notifies its cart: a repeated call returns the existing order. Locks the
 * cart first, so that it can't be edited meanwhile. Fails with `session_not_found` when the session has ended or the cart
 * was edited, with `unavailable` while a login merges the cart, with `shipping_unavailable`, `cart_locked`,
 * `insufficient_stock`, `slot_unavailable` or `coupon_not_applicable`, and with `price_changed` when an automatic
 * promotion has ended: the session has the new total then.
 */
export async function placeFromSession(
  ctx: TenantContext,
  loaded: LoadedSession,
  options: PlaceOptions,
): Promise<Result<StoredOrder>> {
  const attempts: Attempts = { current: loaded, locked: false };
  let placed: Result<StoredOrder> | null = null;
  for (let n = 0; n < MAX_ATTEMPTS && !placed; n++) placed = await tryToPlace(ctx, attempts, options);
  placed ??= fail('conflict');
  if (attempts.locked && !placed.ok) await unlockCart(ctx, attempts.current);
  return notifyCart(ctx, placed);
}

/** What the attempts to place an order share: each changes it. */
interface Attempts {
  /** The session as it was read last. */
  current: LoadedSession;
  /** Whether one of them locked the cart. */
  locked: boolean;
}

/** Attempts to place an order once. Returns null if a retry may succeed. */
async function tryToPlace(
  ctx: TenantContext,
  attempts: Attempts,
  options: PlaceOptions,
): Promise<Result<StoredOrder> | null> {
  const { current } = attempts;
  const { session, order } = current;
  if (order) return ok(order);
  if (await hasEnded(ctx, current)) return sessionEnded;
  const terms = { ...options, buyer: options.buyerOf(session) };
  if (!isDeliverable(priced(session, terms).shipping)) return fail('shipping_unavailable');
  const lock = await lockCart(ctx, session, terms.buyer);
  if (!lock.ok) return lock;
  attempts.locked = true;
  const placed = await placeOrder(ctx, placementOf(ctx, current, terms));
  if (placed.ok) return placed;
  // A concurrent request placed this order, the reservation expired, or a newer session replaced this one.
  const reloaded = await loadSession(ctx.env, current.token);
  if (!reloaded.ok) return reloaded;
  attempts.current = reloaded.value;
  return refusalOf(ctx, reloaded.value, { failed: placed, terms });
}

/** Returns the order that a session has by now, or why it gets none; null if a retry may succeed. */
async function refusalOf(
  ctx: TenantContext,
  current: LoadedSession,
  attempt: { readonly failed: Failed; readonly terms: Terms },
): Promise<Result<StoredOrder> | null> {
  const { status } = current.reservation;
  const isOrdered = status === 'ordered' || status === 'consumed';
  if (!isOrdered) return finalFailure(ctx, current, attempt);
  const { orderId: order_id } = current.reservation;
  return current.order ? ok(current.order) : fail('cart_locked', { details: { order_id } });
}

/** Releases the lock of an order that was not placed, and tells the cart of another order that has its stock. */
async function unlockCart(ctx: TenantContext, { session, reservation }: LoadedSession): Promise<void> {
  await checkoutPort(ctx, session.cartId).unlock(session.orderId);
  if (reservation.orderId !== null) await sendStatus(ctx, reservation.orderId);
}

/** Returns whether a session has ended. Ends one whose cart was reserved anew because its products have changed. */
async function hasEnded(ctx: TenantContext, { session, reservation }: LoadedSession): Promise<boolean> {
  if (isEnded(session)) return true;
  if (isOfDemands(reservation, session.snapshot.demands)) return false;
  await voidSession(ctx, session);
  return true;
}

/**
 * Locks the session's cart for its order. Ends the session if the cart was edited. The cart doesn't keep a customer's
 * e-mail address: it may have been erased since the session was read.
 */
async function lockCart(ctx: TenantContext, session: SessionRow, buyer: Buyer): Promise<Result<unknown>> {
  const { cartId, orderId, cartVersion: version, snapshot } = session;
  const email = snapshot.customerId === null ? buyer.email : null;
  const locked = await checkoutPort(ctx, cartId).lock({ orderId, version, email });
  if (locked.ok || ['cart_locked', 'unavailable'].includes(locked.failure.code)) return locked;
  if (locked.failure.code === 'precondition_failed') await voidSession(ctx, session);
  return sessionEnded;
}

/** Returns the failure to report; null if a retry with the session as re-read may succeed. */
async function finalFailure(
  ctx: TenantContext,
  loaded: LoadedSession,
  { failed, terms }: { readonly failed: Failed; readonly terms: Terms },
): Promise<Failed | null> {
  const { session, reservation } = loaded;
  if (await hasEnded(ctx, loaded)) return sessionEnded;
  const { code } = failed.failure;
  if (code !== 'coupon_not_applicable')
    return RETRYABLE.includes(code) ? shortageOf(ctx, reservation) : failed;
  const shopper = { customerId: session.snapshot.customerId, email: terms.buyer.email };
  return refuseSpent(ctx, session, { shopper, delivery: deliveryTo(session, terms) });
}

/** Returns the buyer's country and shipping method. */
const deliveryTo = (session: SessionRow, { buyer, shippingMethod }: Terms): Delivery => ({
  country: buyer.address?.country ?? null,
  method: shippingMethod ?? deliveryOf(session, {}).method,
});

/** Prices a session for the buyer's country and shipping method. */
const priced = (session: SessionRow, terms: Terms): TracedTotals =>
  priceSession(session, deliveryTo(session, terms));

/**
 * Returns the order to place. It is the session's customer's even if their cart has been erased meanwhile: then their
 * erasure finds the order, or has ended and rejects it.
 */
function placementOf(ctx: TenantContext, { session, reservation }: LoadedSession, terms: Terms): Placement {
  const { buyer, test, paymentWindowMs, opensPayment, statements = [] } = terms;
  const { snapshot, orderId, provider, origin } = session;
  const { totals, shipping, applied } = priced(session, terms);
  const { lines: _, shippingTax: __, ...amounts } = totals;
  return {
    orderId,
    provider,
    origin,
    reservation,
    test,
    currency: snapshot.currency,
    lines: placedLines(snapshot, totals).map((line, n) => ({ ...line, discounts: lineShares(applied, n) })),
    totals: amounts,
    promotions: promotionShares(applied),
    metadata: snapshot.metadata ?? {},
    shippingMethod: methodName(presentShippingMethod(shipping, snapshot.currency)),
    customer: { customerId: snapshot.customerId, name: buyer.name, email: buyer.email, phone: buyer.phone },
    shippingAddress: buyer.address,
    billingAddress: buyer.billingAddress,
    note: buyer.note,
    agent: snapshot.agent ?? null,
    expiresAt: now() + paymentWindowMs,
    opensPayment,
    statements: [...useSession(ctx, session), ...statements],
  };
}

/** Returns the lines of an order with their totals. */
const placedLines = ({ lines }: CartSnapshot, totals: CartTotals) =>
  lines.map((line, n) => ({
    id: n + 1,
    productId: line.productId,
    variantId: line.variantId,
    sku: line.sku,
    name: line.name,
    slug: line.slug ?? null,
    type: line.type ?? null,
    image: line.image ?? null,
    options: { ...line.options },
    quantity: line.quantity,
    ships: line.ships,
    unitPrice: line.unitPrice,
    subtotal: totals.lines[n]?.subtotal ?? 0,
    discount: totals.lines[n]?.discount ?? 0,
    tax: totals.lines[n]?.tax ?? 0,
    taxRate: totals.lines[n]?.taxRate ?? 0,
    links: [...line.links],
    selected: line.selected ?? [],
    stock: line.demands,
  }));

const methodName = (method: ChosenShipping | null): Pick<ChosenShipping, 'id' | 'name'> | null =>
  method && { id: method.id, name: method.name };
