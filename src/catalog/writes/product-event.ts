import { type SQL, sql } from 'drizzle-orm';
import { outboxRow, outboxRows } from '../../events/index.ts';
import type { WriteCause } from '../../inventory/index.ts';
import { iso } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/core/money.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { clockTick } from '../../tenants/index.ts';
import type { ProductUpdated } from '../products/schemas.ts';
import { displayedPrices } from '../sales/displayed-prices.ts';
import type { ProductWrite } from './product-statements.ts';

/** Largest size of the data of several events in one parameter (UTF-16 units; D1 allows 2 MB). */
const MAX_EVENTS_LENGTH = 500_000;

/** Returns the data of a `product.updated` event: the list fields and the changed field names, without stock. */
const eventData = ({ id, before, after, createdAt, changed, currency }: ProductWrite): ProductUpdated => ({
  id,
  sku: after.sku,
  name: after.name,
  slug: after.slug,
  description: after.description,
  type: after.type,
  price: toNumber(displayedPrices(after)[currency] ?? 0, currency),
  currency,
  stock: 0,
  images: [...after.images],
  status: after.status,
  created_at: iso(createdAt),
  category_ids: [...new Set([...(before?.state.categoryIds ?? []), ...after.categoryIds])],
  changed: [...changed],
});

/**
 * Returns the statement that adds the `product.updated` event of a write. It must follow `advanceClock` in the
 * batch. A deleted product is reported as it was.
 */
export const productEvent = (
  { db, tenantId }: TenantDatabase,
  cause: WriteCause,
  write: ProductWrite,
): Statement =>
  outboxRow(db, cause, {
    type: 'product.updated',
    resource: `product:${write.id}`,
    sequence: clockTick(tenantId, 1, 0),
    data: completed(tenantId, sql`${JSON.stringify(eventData(write))}`, sql`${write.id}`),
  });

/** Returns the statements that add the events of several writes, with the instants of the stored products. */
export const productEvents = (
  { db, tenantId }: TenantDatabase,
  cause: WriteCause,
  writes: readonly ProductWrite[],
): Statement[] =>
  eventLists(writes).map((list) =>
    outboxRows(db, cause, {
      type: 'product.updated',
      events: sql`SELECT 'product:' || p.id AS resource, p.updated_at AS sequence,
          ${completed(tenantId, sql`e.value`, sql`p.id`)} AS data
        FROM json_each(${list}) e
        JOIN products p ON p.tenant_id = ${tenantId} AND p.id = e.value ->> 'id'`,
    }),
  );

/** Returns JSON lists of the events' data, none longer than {@link MAX_EVENTS_LENGTH} unless it has one event. */
function eventLists(writes: readonly ProductWrite[]): string[] {
  const lists: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const write of writes) {
    const data = JSON.stringify(eventData(write));
    length += data.length;
    const list = lists.at(-1);
    if (list && length <= MAX_EVENTS_LENGTH) list.push(data);
    else {
      lists.push([data]);
      length = data.length;
    }
  }
  return lists.map((list) => `[${list.join(',')}]`);
}

/** Returns the event's data with a product's available stock, and with the ancestors of its categories. */
const completed = (tenantId: number, data: SQL, productId: SQL): SQL => sql`json_set(${data},
  '$.stock',
  (SELECT max(0, on_hand - reserved) FROM inventory_items WHERE tenant_id = ${tenantId} AND id = ${productId}),
  '$.category_ids',
  json((SELECT json_group_array(id) FROM (SELECT DISTINCT a.ancestor_id AS id
    FROM json_each(${data}, '$.category_ids') c JOIN category_ancestors a
      ON a.tenant_id = ${tenantId} AND a.category_id = c.value
    ORDER BY a.ancestor_id))))`;
