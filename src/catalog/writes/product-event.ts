import { sql } from 'drizzle-orm';
import { outboxRow } from '../../events/index.ts';
import type { WriteCause } from '../../inventory/index.ts';
import { iso } from '../../kernel/core/clock.ts';
import { toNumber } from '../../kernel/core/money.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { clockTick } from '../../tenants/index.ts';
import type { ProductUpdated } from '../products/schemas.ts';
import type { ProductWrite } from './product-statements.ts';

/**
 * Returns the statement that adds the `product.updated` event: the list fields and the changed field names.
 * It must follow `advanceClock` in the batch. A deleted product is reported as it was.
 */
export function productEvent(
  { db, tenantId }: TenantDatabase,
  cause: WriteCause,
  { id, after, createdAt, changed, currency }: ProductWrite,
): Statement {
  const data: ProductUpdated = {
    id,
    sku: after.sku,
    name: after.name,
    slug: after.slug,
    description: after.description,
    type: after.type,
    price: toNumber(after.prices[currency] ?? 0, currency),
    currency,
    stock: 0,
    images: [...after.images],
    status: after.status,
    created_at: iso(createdAt),
    changed: [...changed],
  };
  return outboxRow(db, cause, {
    type: 'product.updated',
    resource: `product:${id}`,
    sequence: clockTick(tenantId, 1, 0),
    data: sql`json_set(${JSON.stringify(data)}, '$.stock',
      (SELECT max(0, on_hand - reserved) FROM inventory_items WHERE tenant_id = ${tenantId} AND id = ${id}))`,
  });
}
