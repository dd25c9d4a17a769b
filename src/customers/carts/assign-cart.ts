import { and, sql } from 'drizzle-orm';
import {
  bindCart,
  cartToken,
  checkoutPort,
  forgetPerson,
  mergedInto,
  readCartToken,
} from '../../cart/index.ts';
import { retry } from '../../kernel/async/retry.ts';
import { log } from '../../kernel/core/log.ts';
import { type Failed, fail, ok, type Result } from '../../kernel/core/result.ts';
import { namedBatch } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Call } from '../../kernel/http/context.ts';
import { byId, customerById } from '../store.ts';
import { type CustomerRow, customerCarts, customers } from '../tables.ts';
import { cartRecord, cartsDisplacedBy, forgetRecords, recordCart } from './cart-records.ts';

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
  const tryAgain = async () => {
    if (!(await retry(attempt))) {
      log('cart_email_not_sent', { tenant: call.tenantId, customer: customer.id });
    }
  };
  await attempt().catch(() => call.ctx.waitUntil(tryAgain()));
}

/** Assigns a customer's cart with their e-mail, or with a later one, whose change may have reached the cart first. */
async function bindEmail(call: Call, { id, email, cartId }: CustomerRow): Promise<void> {
  if (cartId === null) return;
  await bindCart(call, cartId, { owner: { id, email }, olderId: null });
  const current = await customerById(call, id);
  if (!current) return undoAssignment(call, id, cartId);
  if (current.email !== email) await bindEmail(call, current);
}

/** Erases a customer from a cart that was assigned to them, or took over their older one, after their erasure saw it. */
async function undoAssignment(ctx: TenantContext, id: number, cartId: string): Promise<void> {
  await Promise.all([id, null].map((owner) => forgetPerson(ctx, cartId, owner)));
  await forgetRecords(ctx, id, [cartId]);
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
  ctx: TenantDatabase,
  { id, cartId }: { readonly id: number; readonly cartId: string },
  { failure }: Failed,
): Promise<void> {
  // After another failure the cart may have been bound.
  if (failure.code !== 'cart_not_found' && failure.code !== 'cart_expired') return;
  await forgetRecords(ctx, id, [cartId]);
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
