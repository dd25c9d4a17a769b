import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';

/** The highest threshold that a tenant may choose: the index of low stock holds no larger quantities. */
export const MAX_LOW_STOCK = 1_000;
/** The threshold of a tenant that has chosen none. */
const DEFAULT_LOW_STOCK = 5;

/** The highest quantity that counts as low. */
export const LowStockThreshold = z
  .int()
  .min(0)
  .max(MAX_LOW_STOCK)
  .openapi({
    default: DEFAULT_LOW_STOCK,
    description: `The highest available quantity that counts as low stock, ${DEFAULT_LOW_STOCK} unless set: in \`GET /v1/inventory/low-stock\`, the list filter \`stock=low\` and the panel. With 0, only sold-out items count.`,
  });

/** Returns the threshold of a tenant's settings. */
export const lowStockOf = ({
  low_stock_threshold: chosen = DEFAULT_LOW_STOCK,
}: {
  readonly low_stock_threshold?: number | undefined;
}): number => chosen;

/** Returns the SQL expression of a tenant's threshold, so that lists compare with it at the instant they read. */
export const lowStockThreshold = (tenantId: number): SQL =>
  sql`coalesce((SELECT t.settings ->> '$.low_stock_threshold' FROM tenants t WHERE t.id = ${tenantId}), ${sql.raw(String(DEFAULT_LOW_STOCK))})`;
