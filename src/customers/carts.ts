import { and, eq, sql } from 'drizzle-orm';
import { bindCart, cartAt, cartToken, forgetOwner, readCartToken } from '../cart/index.ts';
import type { Call } from '../kernel/call.ts';
import { type Database, database, type Statement } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { byId, findCustomer } from './store.ts';
import { type CustomerRow, customerCarts, customers } from './tables.ts';

/** How often a cart is bound anew because another login of the same customer came in between. */
const TRIES = 3;

/** Whether a cart can become a new customer's: it is there, and nobody else's. */
export async function freeCart({ env, caller }: Call, token: string): Promise<Result<undefined>> {
  const cartId = readCartToken(env, caller.tenantId, token);
  if (!cartId) return fail('cart_not_found');
  const standing = await cartAt(env, caller.tenantId, cartId).standing();
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
export async function tellCart(call: Call, { id, email, cartId }: CustomerRow): Promise<void> {
  if (cartId !== null) await bindCart(call, cartId, { id, email }, null);
}

/** The token of the cart that is a customer's; null when it is gone or paid for. */
async function presentCart(env: Env, { tenantId, cartId }: CustomerRow): Promise<string | null> {
  if (cartId === null) return null;
  const standing = await cartAt(env, tenantId, cartId).standing();
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

const cartsOf = (tenantId: number, customerId: number) =>
  and(eq(customerCarts.tenantId, tenantId), eq(customerCarts.customerId, customerId));

/** Lets every cart of a customer forget the person. */
export async function forgetInCarts(env: Env, db: Database, { tenantId, id }: CustomerRow): Promise<void> {
  const carts = await db.select().from(customerCarts).where(cartsOf(tenantId, id));
  await Promise.all(carts.map(({ cartId }) => forgetOwner(env, tenantId, cartId, id)));
}

/** The statement that forgets which carts were a customer's, for the batch that erases. */
export const forgetCarts = (db: Database, { tenantId, id }: CustomerRow): Statement =>
  db.delete(customerCarts).where(cartsOf(tenantId, id));
