import { sql } from 'drizzle-orm';
import { forgetStock } from '../../inventory/index.ts';
import { DAY, now } from '../../kernel/core/clock.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import { batch, database, jsonList, rows, run } from '../../kernel/data/database.ts';

/** A deleted product is kept this long (ms), for who follows the feed. */
const DELETED_AGE = 90 * DAY;
/** So many products are deleted in one step. */
const PRODUCTS_AT_ONCE = 50;

/** The chore that deletes what is left of products, of all tenants, that were deleted 90 days ago. */
export const forgetProducts: Chore = async ({ env }) => {
  const db = database(env);
  const found = await rows<{ id: number }>(
    db,
    sql`SELECT id FROM products WHERE deleted_at < ${now() - DELETED_AGE} LIMIT ${PRODUCTS_AT_ONCE}`,
  );
  if (found.length === 0) return {};
  const ids = found.map(({ id }) => id);
  const mine = sql`(tenant_id, product_id) IN (SELECT tenant_id, id FROM products WHERE id IN (${jsonList(ids)}))`;
  await batch(db, [
    ...forgetStock(db, ids),
    run(db, sql`DELETE FROM variants WHERE ${mine}`),
    run(db, sql`DELETE FROM product_categories WHERE ${mine}`),
    run(db, sql`DELETE FROM product_terms WHERE ${mine}`),
    run(db, sql`DELETE FROM products WHERE id IN (${jsonList(ids)}) AND deleted_at IS NOT NULL`),
  ]);
  return { more: found.length < PRODUCTS_AT_ONCE ? undefined : {} };
};
