import { and, asc, gt, lt, lte, sql } from 'drizzle-orm';
import { forgetPerson } from '../../cart/index.ts';
import { forgetBuyers } from '../../checkout/index.ts';
import { DAY, MINUTE, now } from '../../kernel/core/clock.ts';
import { type Chore, deletes } from '../../kernel/data/chore.ts';
import { batch } from '../../kernel/data/database.ts';
import { settled } from '../../kernel/data/fences.ts';
import { type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import { ordersOf } from '../../orders/index.ts';
import { customerCarts, customers } from '../tables.ts';
import { cartsOf, forgetRecords, ofCustomer, recordedCarts } from './cart-records.ts';

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
 * Erases the person once more from the carts of an erased account, and deletes the records of these: a request that began
 * before the erasure may have assigned one meanwhile. Throws if a cart can't be reached; its record stays. Idempotent.
 */
export async function finishInCarts(ctx: TenantContext, id: number): Promise<void> {
  const recorded = await recordedCarts(ctx, id);
  const forgotten = await Promise.allSettled(
    recorded.map(async ({ cartId }) => {
      await forgetPerson(ctx, cartId, id);
      return cartId;
    }),
  );
  const done = forgotten.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  await forgetRecords(ctx, id, done);
  const failed = forgotten.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** How long after an erasure the cron begins to finish it, and until when it tries (ms). */
const FINISH_AFTER_MS = MINUTE;
const FINISH_UNTIL_MS = 7 * DAY;
/** How many erasures one step finishes. Each gets its own message, because its carts may be out of reach. */
const ERASURES_PER_STEP = 100;

/** The chore that finishes erasures which were interrupted after the account was erased. */
export const finishErasures: Chore = async (runtime, { tenantId, id }) => {
  if (tenantId !== undefined && id !== undefined) {
    await finishInCarts(tenantContext(runtime, tenantId), Number(id));
    return {};
  }
  const due = await runtime.db
    .select({ tenantId: customers.tenantId, id: sql<string>`CAST(${customers.id} AS TEXT)` })
    .from(customers)
    .where(
      and(
        lt(customers.erasedAt, now() - FINISH_AFTER_MS),
        gt(customers.erasedAt, now() - FINISH_UNTIL_MS),
        sql`EXISTS (SELECT 1 FROM ${customerCarts} WHERE ${customerCarts.tenantId} = ${customers.tenantId}
          AND ${customerCarts.customerId} = ${customers.id})`,
        settled(customers.tenantId),
      ),
    )
    .limit(ERASURES_PER_STEP);
  return { each: due };
};

/** Sweep of the records of carts that were out of reach for all that time: what such a cart holds ends when it expires. */
export const forgetUnreached = deletes(
  customerCarts,
  () => sql`(${customerCarts.tenantId}, ${customerCarts.customerId}) IN (SELECT ${customers.tenantId}, ${customers.id}
    FROM ${customers} WHERE ${customers.erasedAt} < ${now() - FINISH_UNTIL_MS})`,
);
