import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { assertInBatch, jsonList, rows, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { customerCarts } from '../tables.ts';

/** Selects the records of a customer's carts. */
export const ofCustomer = (tenantId: number, customerId: number) =>
  and(eq(customerCarts.tenantId, tenantId), eq(customerCarts.customerId, customerId));

/** Returns the query for the record of a cart as the customer's. */
export const cartRecord = ({ db, tenantId }: TenantDatabase, customerId: number, cartId: string) =>
  db
    .select({ cartId: customerCarts.cartId })
    .from(customerCarts)
    .where(and(ofCustomer(tenantId, customerId), eq(customerCarts.cartId, cartId)));

/** Returns the query for the ids of all carts that belonged to a customer. */
export const recordedCarts = ({ db, tenantId }: TenantDatabase, id: number) =>
  db.select({ cartId: customerCarts.cartId }).from(customerCarts).where(ofCustomer(tenantId, id));

/** Returns {@link recordedCarts} as a subquery. */
export const cartsOf = (ctx: TenantDatabase, id: number): SQL => sql`${recordedCarts(ctx, id)}`;

/** Returns the statement that records a cart as one of the customer's. */
export const recordCart = ({ db, tenantId }: TenantDatabase, customerId: number, cartId: string) =>
  db.insert(customerCarts).values({ tenantId, customerId, cartId }).onConflictDoNothing();

/** The most carts that are recorded for a customer: the trigger `customer_carts_bounded` deletes older records. */
const MAX_CARTS = 100;

/** Returns the query for the carts whose records a new one will displace, without the one that the customer uses. */
export const cartsDisplacedBy = ({ db, tenantId }: TenantDatabase, customerId: number, cartId: string) =>
  rows<{ cartId: string }>(
    db,
    sql`SELECT cart_id AS cartId FROM (SELECT cart_id FROM ${customerCarts}
        WHERE ${and(ofCustomer(tenantId, customerId), ne(customerCarts.cartId, cartId))}
        ORDER BY rowid DESC LIMIT -1 OFFSET ${MAX_CARTS - 1})
      WHERE cart_id NOT IN (SELECT coalesce(cart_id, '') FROM customers
        WHERE tenant_id = ${tenantId} AND id = ${customerId})`,
  );

/** Returns the statement that deletes the records of these carts as a customer's. */
export const forgetRecords = (
  { db, tenantId }: TenantDatabase,
  customerId: number,
  cartIds: readonly string[],
) =>
  db
    .delete(customerCarts)
    .where(and(ofCustomer(tenantId, customerId), sql`${customerCarts.cartId} IN (${jsonList(cartIds)})`));

/** Returns the guard that rolls a batch back if a customer has a cart that is none of these. */
export const noCartsBut = (
  { db, tenantId }: TenantDatabase,
  id: number,
  carts: readonly string[],
): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM ${customerCarts}
      WHERE ${and(ofCustomer(tenantId, id), sql`cart_id NOT IN (${jsonList(carts)})`)})`,
  );
