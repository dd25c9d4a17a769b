import { sql } from 'drizzle-orm';
import { jsonList, jsonLists, ofTenant, run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { clockTick } from '../tenants/index.ts';
import type { Derived, Policy } from './tables.ts';

/** An item as its product's write sets it. */
export interface ItemFields {
  /** The product's or the variant's id. */
  readonly id: number;
  readonly sku: string;
  /** Initial stock of a new item; null or, for an existing item, any value changes nothing. */
  readonly stock: number | null;
  readonly derived: Derived;
  /** Whether the feed lists the item. */
  readonly feed: 'live' | 'hidden';
  readonly deleted: 0 | 1;
}

/** The items of one product. */
interface ProductItems {
  readonly productId: number;
  /** Whether the product had no items before. */
  readonly isNew: boolean;
  readonly policy: Policy;
  readonly items: readonly ItemFields[];
}

/**
 * Returns the statements that write SKU, policy and feed state of products' items, and the stock of new ones.
 * They use one timestamp of the tenant's clock for each item, in their order.
 */
export function itemStatements(
  { db, tenantId }: TenantDatabase,
  products: readonly ProductItems[],
): Statement[] {
  const stored = products.filter(({ isNew }) => !isNew);
  const restocked = stored.flatMap(({ items }) =>
    items.flatMap(({ id, stock }) => (stock === null ? [] : id)),
  );
  // Frees SKUs that variants exchange, and lifts negative stock that this write resets under `deny`.
  // Otherwise the unique index or the CHECK would fail on the first of several rows. Deleted items keep their SKUs
  // for the feed, and are not in that index.
  const clearConflicts = sql`UPDATE inventory_items SET sku = ' ' || id,
      on_hand = iif(id IN (${jsonList(restocked)}), max(on_hand, reserved), on_hand)
    WHERE tenant_id = ${tenantId} AND deleted = 0
      AND product_id IN (${jsonList(stored.map(({ productId }) => productId))})`;
  const rows = products.flatMap(({ productId, policy, items }) =>
    items.map((item) => ({ ...item, productId, policy })),
  );
  const ticked = rows.map((row, nth) => ({ ...row, nth }));
  return [
    ...(stored.length > 0 ? [run(db, clearConflicts)] : []),
    ...jsonLists(ticked).map((list) =>
      run(
        db,
        sql`INSERT INTO inventory_items
            (id, tenant_id, product_id, sku, on_hand, policy, derived, feed, deleted, updated_at)
          SELECT value ->> 'id', ${tenantId}, value ->> 'productId', value ->> 'sku',
            coalesce(value ->> 'stock', 0), value ->> 'policy', value ->> 'derived', value ->> 'feed',
            value ->> 'deleted', ${clockTick(tenantId, rows.length, 0)} + (value ->> 'nth')
          FROM json_each(${list}) WHERE true
          ON CONFLICT (id) DO UPDATE SET sku = excluded.sku, policy = excluded.policy, derived = excluded.derived,
            deleted = excluded.deleted, updated_at = excluded.updated_at,
            feed = CASE WHEN excluded.feed = 'hidden' AND feed <> 'hidden' THEN 'gone' ELSE excluded.feed END`,
      ),
    ),
  ];
}

/**
 * Returns the statement that gives items the last `ids.length` timestamps of the tenant's clock, in this order,
 * because their price changed.
 */
export const touchItems = ({ db, tenantId }: TenantDatabase, ids: readonly number[]): Statement =>
  run(
    db,
    sql`UPDATE inventory_items SET updated_at = ${clockTick(tenantId, ids.length, 0)} + n.key
      FROM json_each(${JSON.stringify(ids)}) n
      WHERE ${ofTenant('inventory_items.tenant_id', tenantId)} AND inventory_items.id = n.value`,
  );

/** Returns the statement that deletes a product's items. It uses one timestamp of the clock for each of them. */
export const deleteItems = ({ db, tenantId }: TenantDatabase, productId: number): Statement =>
  run(
    db,
    sql`UPDATE inventory_items SET deleted = 1, feed = iif(feed = 'hidden', 'hidden', 'gone'),
      updated_at = ${clockTick(tenantId, 1, 0)} - n.nth
    FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS nth FROM inventory_items
      WHERE tenant_id = ${tenantId} AND product_id = ${productId} AND deleted = 0) n
    WHERE inventory_items.id = n.id`,
  );

/** A product of which a group or bundle is composed; `groupId` is the bundle's choice. */
interface StockComponent {
  readonly groupId: number;
  readonly memberId: number;
  readonly quantity: number;
}

/** The components of one product. */
interface ProductComponents {
  readonly productId: number;
  /** Whether the product had none before. */
  readonly isNew: boolean;
  readonly components: readonly StockComponent[];
}

/** Returns the statements that replace the components from which groups' and bundles' stock is derived. */
export function componentStatements(
  { db, tenantId }: TenantDatabase,
  products: readonly ProductComponents[],
): Statement[] {
  const stored = products.flatMap(({ isNew, productId }) => (isNew ? [] : productId));
  const rows = products.flatMap(({ productId, components }) =>
    components.map((component) => ({ ...component, productId })),
  );
  const clear = sql`DELETE FROM stock_components
    WHERE tenant_id = ${tenantId} AND parent_id IN (${jsonList(stored)})`;
  return [
    ...(stored.length > 0 ? [run(db, clear)] : []),
    ...jsonLists(rows).map((list) =>
      run(
        db,
        sql`INSERT INTO stock_components (tenant_id, parent_id, group_id, member_id, quantity)
          SELECT ${tenantId}, value ->> 'productId', value ->> 'groupId', value ->> 'memberId',
            value ->> 'quantity' FROM json_each(${list})`,
      ),
    ),
  ];
}
