import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { batch, database, jsonList, rows, run } from '../kernel/data/database.ts';

/** An order that was cancelled and never paid is kept this long (ms) after its last change. */
const ABANDONED_RETENTION_MS = 400 * DAY;
/** So many orders are deleted in one step. */
const ORDERS_PER_STEP = 100;

/** The chore that deletes orders that nobody ever paid, 400 days after they were cancelled; paid ones are kept. */
export const forgetAbandonedOrders: Chore = async ({ env }) => {
  const db = database(env);
  const abandoned = sql`status = 'cancelled' AND payment_status = 'unpaid' AND updated_at < ${now() - ABANDONED_RETENTION_MS}`;
  const found = await rows<{ id: string }>(
    db,
    sql`SELECT id FROM orders WHERE ${abandoned} LIMIT ${ORDERS_PER_STEP}`,
  );
  if (found.length === 0) return {};
  const ids = sql`SELECT id FROM orders WHERE ${abandoned} AND id IN (${jsonList(found.map(({ id }) => id))})`;
  const mine = sql`(tenant_id, order_id) IN (SELECT tenant_id, id FROM orders WHERE id IN (${ids}))`;
  await batch(db, [
    run(db, sql`DELETE FROM order_lines WHERE ${mine}`),
    run(db, sql`DELETE FROM payments WHERE ${mine}`),
    run(db, sql`DELETE FROM orders WHERE id IN (${ids})`),
  ]);
  return { more: found.length < ORDERS_PER_STEP ? undefined : {} };
};
