import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { assertInBatch, type Database, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type FulfilledItem, type FulfilmentRow, orderFulfilments } from './tables.ts';

/** Returns the query for an order's fulfilments, oldest first, to use in a batch. */
export const fulfilmentsOf = (
  { db, tenantId }: { readonly db: Database; readonly tenantId: number | SQL },
  orderId: string | SQL,
) =>
  db
    .select()
    .from(orderFulfilments)
    .where(and(eq(orderFulfilments.tenantId, tenantId), eq(orderFulfilments.orderId, orderId)))
    .orderBy(asc(orderFulfilments.position));

/** Returns the statement that inserts a fulfilment. */
export const insertFulfilment = ({ db }: TenantDatabase, row: FulfilmentRow): Statement =>
  db.insert(orderFulfilments).values(row);

/** Returns the statement that stores a fulfilment's state, with when it ended, and its tracking. */
export const updateFulfilment = ({ db, tenantId }: TenantDatabase, row: FulfilmentRow): Statement =>
  db
    .update(orderFulfilments)
    .set({ state: row.state, tracking: row.tracking, endedAt: row.endedAt, updatedAt: row.updatedAt })
    .where(and(eq(orderFulfilments.tenantId, tenantId), eq(orderFulfilments.id, row.id)));

/**
 * Returns the statements that add `items` to the fulfilled quantities of an order's lines, or give them back
 * (`sign` -1). They abort the batch if a line would have more than was bought, or less than none.
 */
export function countFulfilled(
  { db, tenantId }: TenantDatabase,
  orderId: string,
  { items, sign }: { readonly items: readonly FulfilledItem[]; readonly sign: 1 | -1 },
): Statement[] {
  const ofOrder = sql`tenant_id = ${tenantId} AND order_id = ${orderId}`;
  return [
    run(
      db,
      sql`UPDATE order_lines SET fulfilled = fulfilled + ${sign} * (item.value ->> 'quantity')
        FROM json_each(${JSON.stringify(items)}) item
        WHERE ${ofOrder} AND order_lines.id = item.value ->> 'lineId'`,
    ),
    assertInBatch(
      db,
      sql`NOT EXISTS (SELECT 1 FROM order_lines WHERE ${ofOrder} AND fulfilled NOT BETWEEN 0 AND quantity)`,
    ),
  ];
}

/** Returns the statement that removes the tracking of these orders' fulfilments (a query of order ids). */
export const redactFulfilments = ({ db, tenantId }: TenantDatabase, orderIds: SQL): Statement =>
  run(
    db,
    sql`UPDATE order_fulfilments SET tracking = NULL
      WHERE tenant_id = ${tenantId} AND order_id IN (${orderIds}) AND tracking IS NOT NULL`,
  );
