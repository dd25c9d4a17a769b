import { and, asc, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { bindCart, cartToken, checkoutPort, forgetPerson, readCartToken } from '../cart/index.ts';
import { forgetBuyers } from '../checkout/index.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { batch, type Database, database, type Statement } from '../kernel/data/database.ts';
import type { Call } from '../kernel/http/context.ts';
import { ordersOf } from '../orders/index.ts';
import { byId, findCustomer } from './store.ts';
import { type CustomerRow, customerCarts, customers } from './tables.ts';

/** How often a cart is bound anew because another login of the same customer came in between. */
const TRIES = 3;

/** Whether a cart can become a new customer's: it is there, and nobody else's. */
export async function freeCart({ env, caller }: Call, token: string): Promise<Result<undefined>> {
  const cartId = readCartToken(env, caller.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const standing = await checkoutPort(env, caller.tenantId, cartId).standing();
  if (!standing.ok) return standing;
  return standing.value.customerId === null ? ok(undefined) : fail('cart_not_found');
}

/**
 * Makes the cart of a token the customer's, with what is in the cart that was theirs before, and answers the
 * token; without one, that of the cart that is theirs. Beside a cart with an order, which takes nothing, the
 * older one stays theirs. `cart_not_found` for another customer's cart, `cart_expired`. May be done again
 * without harm.
 */
export async function bindTo(
  call: Call,
  customer: CustomerRow,
  token: string | null | undefined,
): Promise<Result<string | null>> {
  if (typeof token !== 'string') return ok(await presentCart(call.env, customer));
  const { tenantId, id, email } = customer;
  const cartId = readCartToken(call.env, tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const db = database(call.env);
  let older = customer.cartId;
  for (let tries = 0; tries < TRIES; tries++) {
    // Noted first: what is noted in vain is not theirs when it comes to forgetting.
    await noteCart(db, customer, cartId);
    const bound = await bindCart(call, cartId, { id, email }, older);
    if (!bound.ok) return bound;
    // What is in the older cart is theirs still, and not lost from sight.
    if (bound.value.apart) return ok(token);
    if (await setCart(db, customer, older, bound.value.cartId)) return ok(token);
    older = (await findCustomer(db, byId(tenantId, id)))?.cartId ?? null;
  }
  return fail('unavailable');
}

/** Tells the customer's cart their new e-mail; one that is gone needs none. */
export async function notifyCart(call: Call, { id, email, cartId }: CustomerRow): Promise<void> {
  if (cartId !== null) await bindCart(call, cartId, { id, email }, null);
}

/** The token of the cart that is a customer's; null when it is gone or paid for. */
async function presentCart(env: Env, { tenantId, cartId }: CustomerRow): Promise<string | null> {
  if (cartId === null) return null;
  const standing = await checkoutPort(env, tenantId, cartId).standing();
  if (!standing.ok || standing.value.order?.state === 'paid') return null;
  return cartToken(env, tenantId, cartId);
}

const noteCart = (db: Database, { tenantId, id }: CustomerRow, cartId: string) =>
  db.insert(customerCarts).values({ tenantId, customerId: id, cartId }).onConflictDoNothing();

/** Notes which cart is the customer's now, if it still was `older` before. */
async function setCart(
  db: Database,
  customer: CustomerRow,
  older: string | null,
  cartId: string,
): Promise<boolean> {
  const { tenantId, id } = customer;
  const [, taken] = await db.batch([
    noteCart(db, customer, cartId),
    db
      .update(customers)
      .set({ cartId })
      .where(and(byId(tenantId, id), sql`${customers.cartId} IS ${older}`))
      .returning({ id: customers.id }),
  ]);
  return taken.length > 0;
}

const theirs = (tenantId: number, customerId: number) =>
  and(eq(customerCarts.tenantId, tenantId), eq(customerCarts.customerId, customerId));

/** The query for the ids of the carts that were ever a customer's. */
export const cartsOf = (db: Database, { tenantId, id }: CustomerRow): SQL =>
  sql`${db.select({ cartId: customerCarts.cartId }).from(customerCarts).where(theirs(tenantId, id))}`;

/** So many carts are asked at once to forget the person, and so often in one erasure. */
const CARTS_AT_ONCE = 50;
const MAX_ROUNDS = 12;

/**
 * Lets every cart of a customer forget the person. Returns false when there were too many for one call: those
 * that are done are not asked again.
 */
export async function forgetInCarts(env: Env, db: Database, customer: CustomerRow): Promise<boolean> {
  const { tenantId, id } = customer;
  const mine = theirs(tenantId, id);
  let after = '';
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const some = await db
      .select({ cartId: customerCarts.cartId })
      .from(customerCarts)
      .where(and(mine, gt(customerCarts.cartId, after)))
      .orderBy(asc(customerCarts.cartId))
      .limit(CARTS_AT_ONCE);
    await Promise.all(some.map(({ cartId }) => forgetPerson(env, tenantId, cartId, id)));
    const last = some.at(-1);
    if (!last || some.length < CARTS_AT_ONCE) return true;
    after = last.cartId;
  }
  // Checkout sessions are found by cart: theirs forget the person before the carts are struck off.
  const whose = { customerId: id, carts: cartsOf(db, customer), orders: ordersOf(tenantId, id) };
  const done = db.delete(customerCarts).where(and(mine, lte(customerCarts.cartId, after)));
  await batch(db, [...forgetBuyers(db, tenantId, whose), done]);
  return false;
}

/** The statement that forgets which carts were a customer's, for the batch that erases. */
export const forgetCarts = (db: Database, { tenantId, id }: CustomerRow): Statement =>
  db.delete(customerCarts).where(theirs(tenantId, id));
