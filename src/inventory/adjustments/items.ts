import { sql } from 'drizzle-orm';
import { jsonList, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Derived, Policy } from '../tables.ts';

/** An item as stock checks read it. */
export interface StockItem {
  readonly id: number;
  readonly product_id: number;
  readonly sku: string;
  readonly policy: Policy;
  readonly derived: Derived;
  /** Available stock, never below 0. */
  readonly stock: number;
}

const COLUMNS = sql.raw('id, product_id, sku, policy, derived, max(0, on_hand - reserved) AS stock');

/** Returns the query for the tenant's items with these SKUs, deleted ones excluded. */
export const itemsBySku = ({ db, tenantId }: TenantDatabase, skus: readonly string[]) =>
  rows<StockItem>(
    db,
    sql`SELECT ${COLUMNS} FROM inventory_items WHERE tenant_id = ${tenantId} AND deleted = 0
      AND sku IN (${jsonList(skus)})`,
  );
