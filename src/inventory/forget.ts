import { type SQL, sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import { type Database, jsonList, ofTenant, run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { reservations, stockMovements } from './tables.ts';

/** Retention of stock movements (ms). */
const MOVEMENT_RETENTION_MS = 90 * DAY;
/** Retention of a released reservation after its expiry (ms): its checkout page may still be open. */
const RELEASED_RETENTION_MS = DAY;

/**
 * Sweep of expired stock movements. They are found by their age: those of a tenant that has moved here have
 * ids of another shard.
 */
export const forgetMovements = deletes(stockMovements, () => sql`at < ${now() - MOVEMENT_RETENTION_MS}`);

/** Sweep of released reservations. A consumed one is kept with its order. */
export const forgetReservations = deletes(
  reservations,
  () => sql`status = 'released' AND expires_at < ${now() - RELEASED_RETENTION_MS}`,
);

/** Retention of a product or variant after its deletion (ms), during which feed deltas report it. */
export const DELETED_RETENTION_MS = 90 * DAY;

/** Selects the ids of variants that these products have lost longer ago than {@link DELETED_RETENTION_MS}. */
export const forgottenVariants = (tenantId: number, productIds: readonly number[]): SQL =>
  sql`SELECT id FROM inventory_items WHERE tenant_id = ${tenantId} AND product_id IN (${jsonList(productIds)})
    AND id <> product_id AND deleted = 1 AND updated_at < ${now() - DELETED_RETENTION_MS}`;

/** Returns the statement that deletes the stock rows of {@link forgottenVariants}. */
export const forgetVariantStock = (
  { db, tenantId }: TenantDatabase,
  productIds: readonly number[],
): Statement =>
  run(
    db,
    sql`DELETE FROM inventory_items
      WHERE ${ofTenant('tenant_id', tenantId)} AND id IN (${forgottenVariants(tenantId, productIds)})`,
  );

/** Returns the statements that delete all stock rows of deleted products, of any tenant. */
export function forgetStock(db: Database, productIds: readonly number[]): Statement[] {
  const own = sql`SELECT tenant_id, id FROM inventory_items WHERE id IN (${jsonList(productIds)})`;
  return [
    run(db, sql`DELETE FROM stock_components WHERE (tenant_id, parent_id) IN (${own})`),
    run(db, sql`DELETE FROM stock_components WHERE (tenant_id, member_id) IN (${own})`),
    run(db, sql`DELETE FROM slots WHERE (tenant_id, product_id) IN (${own})`),
    run(db, sql`DELETE FROM inventory_items WHERE deleted = 1 AND (tenant_id, product_id) IN (${own})`),
  ];
}
