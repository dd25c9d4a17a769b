import { sql } from 'drizzle-orm';
import { forgetStock } from '../../inventory/index.ts';
import { DAY, now } from '../../kernel/core/clock.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import { batch, database, jsonList, rows, run } from '../../kernel/data/database.ts';

/** Retention of a deleted product (ms), during which feed deltas report it. */
const DELETED_RETENTION_MS = 90 * DAY;
/** Largest number of products that one step deletes. */
const PRODUCTS_PER_STEP = 50;

/** Chore that removes the rows of products deleted before {@link DELETED_RETENTION_MS}, of all tenants. */
export const forgetProducts: Chore = async ({ env }) => {
  const db = database(env);
  const found = await rows<{ id: number }>(
    db,
    sql`SELECT id FROM products WHERE deleted_at < ${now() - DELETED_RETENTION_MS} LIMIT ${PRODUCTS_PER_STEP}`,
  );
  if (found.length === 0) return {};
  const ids = found.map(({ id }) => id);
  const ofProducts = sql`(tenant_id, product_id) IN (SELECT tenant_id, id FROM products WHERE id IN (${jsonList(ids)}))`;
  await batch(db, [
    ...forgetStock(db, ids),
    run(db, sql`DELETE FROM variants WHERE ${ofProducts}`),
    run(db, sql`DELETE FROM product_categories WHERE ${ofProducts}`),
    run(db, sql`DELETE FROM product_terms WHERE ${ofProducts}`),
    run(db, sql`DELETE FROM products WHERE id IN (${jsonList(ids)}) AND deleted_at IS NOT NULL`),
  ]);
  return { more: found.length < PRODUCTS_PER_STEP ? undefined : {} };
};
