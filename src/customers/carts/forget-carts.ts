import { and, asc, gt, lte } from 'drizzle-orm';
import { forgetPerson } from '../../cart/index.ts';
import { forgetBuyers } from '../../checkout/index.ts';
import { batch } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { ordersOf } from '../../orders/index.ts';
import { customerCarts } from '../tables.ts';
import { cartsOf, ofCustomer } from './cart-records.ts';

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
