import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { type Chore, deleteRows, deletes } from '../kernel/data/chore.ts';
import { database, run } from '../kernel/data/database.ts';
import { GUESS_WINDOW_MS } from './code-throttle.ts';
import { couponGuesses, couponShoppers } from './tables.ts';

/** How long a deleted coupon is kept (ms), since orders that redeemed it may still be cancelled. */
const DELETED_RETENTION_MS = 90 * DAY;
/** The number of coupons deleted in one step. */
const DELETE_BATCH_SIZE = 20;

/** Purges coupons of all tenants 90 days after their deletion, with their counts per shopper. */
export const forgetCoupons: Chore = async ({ env }) => {
  const db = database(env);
  const old = sql`FROM coupons WHERE deleted_at < ${now() - DELETED_RETENTION_MS} ORDER BY deleted_at, id
    LIMIT ${DELETE_BATCH_SIZE}`;
  const shoppers = sql`(tenant_id, coupon_id) IN (SELECT tenant_id, id ${old})`;
  if (await deleteRows(db, couponShoppers, shoppers)) return { more: {} };
  const { meta } = await run(db, sql`DELETE FROM coupons WHERE id IN (SELECT id ${old})`);
  return { more: meta.changes < DELETE_BATCH_SIZE ? undefined : {} };
};

/** Deletes wrong-code counts whose window is over. */
export const forgetGuesses = deletes(
  couponGuesses,
  () => sql`${couponGuesses.since} <= ${now() - GUESS_WINDOW_MS}`,
);
