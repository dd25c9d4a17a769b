import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import {
  bindCart,
  cartOfPerson,
  cartToken,
  checkoutPort,
  forgetPerson,
  mergedInto,
  type OwnedCart,
  readCartToken,
} from '../cart/index.ts';
import { forgetBuyers } from '../checkout/index.ts';
import { retry } from '../kernel/async/retry.ts';
import { type Failed, fail, ok, type Result } from '../kernel/core/result.ts';
import { batch, namedBatch } from '../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { Call } from '../kernel/http/context.ts';
import { ordersOf } from '../orders/index.ts';
import {
  cartRecord,
  cartsDisplacedBy,
  cartsOf,
  forgetCarts,
  ofCustomer,
  recordCart,
} from './cart-records.ts';
import { byId, customerById } from './store.ts';
import { type CustomerRow, customerCarts, customers } from './tables.ts';

/** Attempts to bind a cart while concurrent logins of the same customer interfere. */
const MAX_BIND_ATTEMPTS = 4;

/** Checks that a cart exists and is no other customer's; fails with `cart_not_found` or `cart_expired`. */
export async function checkUnowned(
  ctx: TenantContext,
  token: string,
  customerId: number | null = null,
): Promise<Result<undefined>> {
  const cartId = readCartToken(ctx.env, ctx.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const { standing } = await standingOf(ctx, cartId);
  if (!standing.ok) return standing;
  return [null, customerId].includes(standing.value.customerId) ? ok(undefined) : fail('cart_not_found');
}

/** Returns the status of a cart, or of the one that it was merged into, with the id of that one. */
async function standingOf(ctx: TenantContext, cartId: string) {
  let found = { cartId, standing: await checkoutPort(ctx, cartId).standing() };
  for (let n = 1; !found.standing.ok && n < MAX_BIND_ATTEMPTS; n++) {
    const movedTo = await mergedInto(ctx, found.cartId);
    if (movedTo === null) break;
    found = { cartId: movedTo, standing: await checkoutPort(ctx, movedTo).standing() };
  }
  return found;
}

/**
 * Assigns the token's cart to the customer, merges their earlier cart into it and returns the token. Without a
 * token, returns the one of the customer's cart, or null. A cart locked by an order takes no items, so the
 * earlier cart stays theirs. Returns null for a customer who was erased meanwhile. Fails with `cart_not_found` (also
 * for another customer's cart) or `cart_expired`. Idempotent.
 */
export async function assignCart(
  call: Call,
  customer: CustomerRow,
  token: string | null | undefined,
): Promise<Result<string | null>> {
  if (typeof token !== 'string') return ok(await currentCartToken(call, customer));
  const cartId = readCartToken(call.env, call.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  // Recorded before the bind, so that an erasure finds the cart. An unbound cart ignores the erasure.
  const isNew = await recordNewCart(call, customer.id, cartId);
  const owner = await bindToCustomer(call, customer, cartId);
  if (!owner.ok && isNew) await forgetRefusedCart(call, { id: customer.id, cartId }, owner);
  return owner.ok ? ok(owner.value ? token : null) : owner;
}

/** Assigns a cart, as {@link assignCart} does. Returns whether it is the customer's: not if they were erased. */
async function bindToCustomer(
  call: Call,
  { id, email, cartId: olderId }: CustomerRow,
  cartId: string,
): Promise<Result<boolean>> {
  let older = olderId;
  for (let attempt = 0; attempt < MAX_BIND_ATTEMPTS; attempt++) {
    const bound = await bindCart(call, cartId, { owner: { id, email }, olderId: older });
    if (!bound.ok) return bound;
    const { cartId: own, apart, olderMovedTo } = bound.value;
    // Another login has merged the older cart, and broke off or is about to record that: it comes first.
    const replaced = !apart && (await replaceCart(call, id, { older, cartId: olderMovedTo ?? own }));
    if (replaced && olderMovedTo === null) return ok(true);
    const current = await customerById(call, id);
    if (!current) {
      await undoAssignment(call, id, own);
      return ok(false);
    }
    // The carts were not merged: the earlier cart stays the customer's.
    if (apart) return ok(true);
    older = current.cartId;
  }
  return fail('unavailable');
}

/**
 * Records a cart as the customer's and returns whether it was none of theirs before. Erases them from the carts whose
 * records it displaces: a later erasure does not find those.
 */
async function recordNewCart(ctx: TenantContext, id: number, cartId: string): Promise<boolean> {
  const { displaced, recorded } = await namedBatch(ctx.db, {
    displaced: cartsDisplacedBy(ctx, id, cartId),
    recorded: recordCart(ctx, id, cartId).returning({ cartId: customerCarts.cartId }),
  });
  if (recorded.length > 0) await Promise.all(displaced.map((one) => forgetPerson(ctx, one.cartId, id)));
  return recorded.length > 0;
}

/**
 * Sends the customer's new e-mail to their cart; a missing cart is ignored. Never fails, because the account has the
 * e-mail already: tries again beside the response. A cart that misses it all the same gets it when it is next assigned.
 */
export async function sendEmailToCart(call: Call, customer: CustomerRow): Promise<void> {
  const attempt = () => bindEmail(call, customer);
  await attempt().catch(() => call.ctx.waitUntil(retry(attempt)));
}

async function bindEmail(call: Call, { id, email, cartId }: CustomerRow): Promise<void> {
  if (cartId === null) return;
  await bindCart(call, cartId, { owner: { id, email }, olderId: null });
  if (!(await customerById(call, id))) await undoAssignment(call, id, cartId);
}

/** Erases a customer from a cart that was assigned to them, or took over their older one, after their erasure saw it. */
async function undoAssignment(ctx: TenantContext, id: number, cartId: string): Promise<void> {
  await Promise.all([id, null].map((owner) => forgetPerson(ctx, cartId, owner)));
  await forgetCarts(ctx, id);
}

/**
 * Returns the token of the customer's cart, or of the one that a login which broke off has merged it into; null when it
 * is missing, expired or paid.
 */
async function currentCartToken(ctx: TenantContext, { cartId }: CustomerRow): Promise<string | null> {
  const found = cartId === null ? null : await standingOf(ctx, cartId);
  if (!found?.standing.ok || found.standing.value.order?.state === 'paid') return null;
  return cartToken(ctx.env, ctx.tenantId, found.cartId);
}

/**
 * Deletes the record of a cart that a customer asked for and doesn't have: their export must not show what is kept of
 * its owner, nor their erasure delete it.
 */
async function forgetRefusedCart(
  { db, tenantId }: TenantDatabase,
  { id, cartId }: { readonly id: number; readonly cartId: string },
  { failure }: Failed,
): Promise<void> {
  // After another failure the cart may have been bound.
  if (failure.code !== 'cart_not_found' && failure.code !== 'cart_expired') return;
  await db.delete(customerCarts).where(and(ofCustomer(tenantId, id), eq(customerCarts.cartId, cartId)));
}

/**
 * Sets the customer's cart if it is still `older`. Returns whether it was set. Erases the person from the older cart if
 * it is no longer recorded, as {@link recordNewCart} does.
 */
async function replaceCart(
  ctx: TenantContext,
  id: number,
  { older, cartId }: { readonly older: string | null; readonly cartId: string },
): Promise<boolean> {
  const { db, tenantId } = ctx;
  const update = db
    .update(customers)
    .set({ cartId })
    .where(and(byId(tenantId, id), sql`${customers.cartId} IS ${older}`))
    .returning({ id: customers.id });
  const { updated, recorded } = await namedBatch(
    db,
    { updated: update, recorded: cartRecord(ctx, id, older ?? cartId) },
    [recordCart(ctx, id, cartId)],
  );
  if (updated.length === 0) return false;
  if (older !== null && recorded.length === 0) await forgetPerson(ctx, older, id);
  return true;
}

/** Yields the carts that a customer has, as they see them. Reads one Cart object at a time, at most 100. */
export async function* cartsOfPerson(ctx: TenantContext, id: number): AsyncGenerator<OwnedCart, void> {
  const ids = await ctx.db
    .select({ cartId: customerCarts.cartId })
    .from(customerCarts)
    .where(ofCustomer(ctx.tenantId, id));
  for (const { cartId } of ids) {
    const cart = await cartOfPerson(ctx, cartId, id);
    if (cart) yield cart;
  }
}

/** An open cart with items, as its owner sees it. */
interface OpenCart extends OwnedCart {
  readonly id: string;
}

/** Returns a customer's cart if it is open and has items, or null. */
export async function openCartOf(
  ctx: TenantContext,
  customerId: number,
  cartId: string,
): Promise<OpenCart | null> {
  const [record] = await cartRecord(ctx, customerId, cartId);
  return record ? readOpenCart(ctx, customerId, cartId) : null;
}

/** Returns the open carts with items among the last `most` of the customer, newest first. */
export async function lastCartsOf(ctx: TenantContext, id: number, most: number): Promise<OpenCart[]> {
  const last = await ctx.db
    .select({ cartId: customerCarts.cartId })
    .from(customerCarts)
    .where(ofCustomer(ctx.tenantId, id))
    // Rows are only ever added, so that the last one is the newest.
    .orderBy(sql`rowid DESC`)
    .limit(most);
  const carts = await Promise.all(last.map(({ cartId }) => readOpenCart(ctx, id, cartId)));
  return carts.filter((cart) => cart !== null);
}

async function readOpenCart(
  ctx: TenantContext,
  customerId: number,
  cartId: string,
): Promise<OpenCart | null> {
  const cart = await cartOfPerson(ctx, cartId, customerId);
  return cart?.status === 'open' && cart.items.length > 0 ? { ...cart, id: cartId } : null;
}

/** The carts that are erased at once, and the most rounds of that in one call. */
const CARTS_PER_ROUND = 50;
const MAX_ROUNDS = 12;

/**
 * Erases the person from every cart of a customer, and returns the carts. Returns null when there are more of them than
 * one call can process; the next call continues after the carts that are done.
 */
export async function forgetInCarts(ctx: TenantContext, id: number): Promise<readonly string[] | null> {
  const { env, db, tenantId } = ctx;
  const recorded = ofCustomer(tenantId, id);
  const done: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const some = await db
      .select({ cartId: customerCarts.cartId })
      .from(customerCarts)
      .where(and(recorded, gt(customerCarts.cartId, done.at(-1) ?? '')))
      .orderBy(asc(customerCarts.cartId))
      .limit(CARTS_PER_ROUND);
    await Promise.all(some.map(({ cartId }) => forgetPerson({ env, tenantId }, cartId, id)));
    done.push(...some.map(({ cartId }) => cartId));
    if (some.length < CARTS_PER_ROUND) return done;
  }
  // Checkout sessions are found by cart, so they are erased before the records of the carts are deleted.
  const whose = { customerId: id, carts: cartsOf(ctx, id), orders: ordersOf(tenantId, id) };
  const forget = db.delete(customerCarts).where(and(recorded, lte(customerCarts.cartId, done.at(-1) ?? '')));
  await batch(db, [...forgetBuyers(ctx, whose), forget]);
  return null;
}

/**
 * Erases the person once more from the carts of an erased account: a request that began before the erasure may have
 * assigned one meanwhile. Never fails, because the erasure can't be repeated any more.
 */
export async function forgetInLateCarts(
  ctx: TenantContext,
  id: number,
  carts: readonly string[],
): Promise<void> {
  await Promise.allSettled(carts.map((cartId) => forgetPerson(ctx, cartId, id)));
}
