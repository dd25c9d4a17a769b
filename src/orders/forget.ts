import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { batch, database, jsonList, rows, run } from '../kernel/data/database.ts';

/** How long a cancelled order that was never paid is kept after its last change (ms). */
const ABANDONED_RETENTION_MS = 400 * DAY;
/** How many orders one step deletes. */
const ORDERS_PER_STEP = 100;

/** The chore that deletes cancelled orders that were never paid. Paid orders are kept. */
export const forgetAbandonedOrders: Chore = async ({ env }) => {
  const db = database(env);
  const abandoned = sql`status = 'cancelled' AND payment_status = 'unpaid' AND updated_at < ${now() - ABANDONED_RETENTION_MS}`;
  const found = await rows<{ id: string }>(
    db,
    sql`SELECT id FROM orders WHERE ${abandoned} LIMIT ${ORDERS_PER_STEP}`,
  );
  if (found.length === 0) return {};
  const ids = sql`SELECT id FROM orders WHERE ${abandoned} AND id IN (${jsonList(found.map(({ id }) => id))})`;
  const ofThose = sql`(tenant_id, order_id) IN (SELECT tenant_id, id FROM orders WHERE id IN (${ids}))`;
  await batch(db, [
    run(db, sql`DELETE FROM order_lines WHERE ${ofThose}`),
    run(db, sql`DELETE FROM payments WHERE ${ofThose}`),
    run(db, sql`DELETE FROM orders WHERE id IN (${ids})`),
  ]);
  return { more: found.length < ORDERS_PER_STEP ? undefined : {} };
};
