import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { database, rows } from '../kernel/data/database.ts';
import type { RebuildMessage } from './indexer.ts';

/** The row of a product that is gone keeps late writes out for this long (ms); no message is that old. */
const GONE_AGE = 90 * DAY;
const DELETED_ROWS = 1_000;
const DELETE_STATEMENTS = 10;

/** The chore that deletes the rows of products that are gone; their sequence is the instant of the last change. */
export const forgetGoneDocuments: Chore = async ({ env }) => {
  for (let n = 0; n < DELETE_STATEMENTS; n++) {
    const { meta } = await env.SEARCH_DB.prepare(
      `DELETE FROM search_documents WHERE product_id IN (SELECT product_id FROM search_documents
        WHERE place IS NULL AND sequence < ?1 LIMIT ${DELETED_ROWS})`,
    )
      .bind(now() - GONE_AGE)
      .run();
    if (meta.changes < DELETED_ROWS) return {};
  }
  return { more: {} };
};

/** Minutes of a week. Each has its tenants, so that every tenant's words are looked through once a week. */
const WEEK = 7 * 24 * 60;

/** The chore that has words forgotten which no product of a tenant uses any more, a tenant once a week. */
export const forgetWords: Chore = async ({ env }) => {
  const minute = Math.floor(now() / 60_000) % WEEK;
  const found = await rows<{ id: number }>(
    database(env),
    sql`SELECT id FROM tenants WHERE id % ${WEEK} = ${minute}`,
  );
  for (const { id: tenantId } of found) {
    const message: RebuildMessage = { tenantId, rebuild: { phase: 'spellings', after: '' } };
    await env.SEARCH_QUEUE.send(message);
  }
  return {};
};
