import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { deletes } from '../kernel/data/chore.ts';
import { type Database, jsonList, run, type Statement } from '../kernel/data/database.ts';
import { reservations, stockMovements } from './tables.ts';

/** Movements of stock are kept this long (ms). */
const MOVEMENT_AGE = 90 * DAY;
/** A reservation that was given back is kept this long (ms) after its end: its checkout may still be shown. */
const RELEASED_AGE = DAY;

/** The chore that deletes movements of stock of 90 days ago; ids rise with time. */
export const forgetMovements = deletes(
  stockMovements,
  () => sql`id IN (SELECT id FROM stock_movements ORDER BY id LIMIT 1000) AND at < ${now() - MOVEMENT_AGE}`,
);

/** The chore that deletes reservations that were given back; one that is sold stays with its order. */
export const forgetReservations = deletes(
  reservations,
  () => sql`status = 'released' AND expires_at < ${now() - RELEASED_AGE}`,
);

/** The statements that delete all that there is of deleted products' stock, of any tenant. */
export function forgetStock(db: Database, productIds: readonly number[]): Statement[] {
  const ids = jsonList(productIds);
  return [
    run(
      db,
      sql`DELETE FROM stock_components WHERE (tenant_id, parent_id) IN
        (SELECT tenant_id, id FROM inventory_items WHERE id IN (${ids}))`,
    ),
    run(
      db,
      sql`DELETE FROM stock_components WHERE (tenant_id, member_id) IN
        (SELECT tenant_id, id FROM inventory_items WHERE id IN (${ids}))`,
    ),
    run(
      db,
      sql`DELETE FROM slots WHERE (tenant_id, product_id) IN
        (SELECT tenant_id, id FROM inventory_items WHERE id IN (${ids}))`,
    ),
    run(
      db,
      sql`DELETE FROM inventory_items WHERE deleted = 1 AND (tenant_id, product_id) IN
        (SELECT tenant_id, id FROM inventory_items WHERE id IN (${ids}))`,
    ),
  ];
}
