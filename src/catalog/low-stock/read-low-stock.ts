import { sql } from 'drizzle-orm';
import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { lowStockThreshold } from '../../tenants/index.ts';
import type { LowStockPosition } from './schemas.ts';

/** A product or variant that is low in stock. */
interface LowItem {
  readonly id: number;
  readonly productId: number;
  readonly sku: string;
  readonly name: string;
  readonly stock: number;
}

/** The items to read, at most `limit`: the first ones, or those that follow `after`. */
interface LowItems {
  readonly threshold?: number | undefined;
  readonly limit: number;
  readonly after?: LowStockPosition | undefined;
}

/**
 * Returns the query for the active items whose available stock is counted and at most `threshold`, or else the
 * tenant's, the least first. Its conditions are those of the index `inventory_low`, which holds nothing else, so it
 * reads no more than it returns.
 */
export const lowItems = ({ db, tenantId }: TenantDatabase, { threshold, limit, after }: LowItems) =>
  rows<LowItem>(
    db,
    sql`SELECT i.id, i.product_id AS productId, i.sku, p.name, i.on_hand - i.reserved AS stock
      FROM inventory_items i CROSS JOIN products p ON p.tenant_id = i.tenant_id AND p.id = i.product_id
      WHERE i.tenant_id = ${tenantId} AND i.feed = 'live' AND i.derived = 'none' AND i.policy <> 'untracked'
        AND i.on_hand - i.reserved <= 1000 AND i.on_hand - i.reserved <= ${threshold ?? lowStockThreshold(tenantId)}
        AND ${
          after
            ? sql`i.on_hand - i.reserved >= ${after.stock} AND (i.on_hand - i.reserved > ${after.stock} OR i.id > ${after.id})`
            : sql`TRUE`
        }
      ORDER BY i.on_hand - i.reserved, i.id LIMIT ${limit}`,
  );
