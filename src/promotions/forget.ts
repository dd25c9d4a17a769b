import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { type Chore, deleteRows, deletes } from '../kernel/data/chore.ts';
import { database, run } from '../kernel/data/database.ts';
import { GUESS_WINDOW_MS } from './code-throttle.ts';
import { couponGuesses, couponShoppers } from './tables.ts';

/** A deleted coupon is kept this long (ms): orders that used it may still be cancelled. */
const DELETED_AGE = 90 * DAY;
/** So many coupons are deleted in one step. */
const COUPONS_AT_ONCE = 20;

/** The chore that deletes coupons, of all tenants, that were deleted 90 days ago, with whom they counted. */
export const forgetCoupons: Chore = async ({ env }) => {
  const db = database(env);
  const old = sql`FROM coupons WHERE deleted_at < ${now() - DELETED_AGE} ORDER BY deleted_at, id
    LIMIT ${COUPONS_AT_ONCE}`;
  const shoppers = sql`(tenant_id, coupon_id) IN (SELECT tenant_id, id ${old})`;
  if (await deleteRows(db, couponShoppers, shoppers)) return { more: {} };
  const { meta } = await run(db, sql`DELETE FROM coupons WHERE id IN (SELECT id ${old})`);
  return { more: meta.changes < COUPONS_AT_ONCE ? undefined : {} };
};

/** The chore that deletes counts of wrong codes whose window is over. */
export const forgetGuesses = deletes(
  couponGuesses,
  () => sql`${couponGuesses.since} <= ${now() - GUESS_WINDOW_MS}`,
);
