import { sql } from 'drizzle-orm';
import { DAY, MINUTE, now } from '../kernel/core/clock.ts';
import type { Chore, ShardContext } from '../kernel/data/chore.ts';
import { rows } from '../kernel/data/database.ts';
import { shardBinding } from '../kernel/shards/shard-names.ts';
import type { RebuildMessage } from './indexing/indexer.ts';

/** The row of a deleted product rejects late writes for this long; no queue message lives longer. */
const DELETED_RETENTION_MS = 90 * DAY;
/** Bounds of one run: rows for each statement, and statements. */
const MAX_ROWS_PER_STATEMENT = 1_000;
const MAX_STATEMENTS = 10;

/** Chore that deletes the rows of products deleted long ago; `sequence` is the instant (ms) of the last change. */
export const forgetGoneDocuments: Chore<ShardContext> = async ({ env, shard }) => {
  const documents = shardBinding(env, shard, 'search');
  for (let n = 0; n < MAX_STATEMENTS; n++) {
    const { meta } = await documents
      .prepare(
        `DELETE FROM search_documents WHERE product_id IN (SELECT product_id FROM search_documents
        WHERE place IS NULL AND sequence < ?1 LIMIT ${MAX_ROWS_PER_STATEMENT})`,
      )
      .bind(now() - DELETED_RETENTION_MS)
      .run();
    if (meta.changes < MAX_ROWS_PER_STATEMENT) return {};
  }
  return { more: {} };
};

/** Minutes in a week; each tenant has one of them. */
const WEEK_MINUTES = 7 * 24 * 60;

/** Chore that enqueues the deletion of unused dictionary words, once a week for each tenant. */
export const forgetWords: Chore = async ({ env, db }) => {
  const minute = Math.floor(now() / MINUTE) % WEEK_MINUTES;
  // Goes from one id of the minute to the next one behind a tenant, so that the other tenants are not read.
  const found = await rows<{ id: number }>(
    db,
    sql`WITH RECURSIVE due (id) AS (
        SELECT 0 UNION ALL
        SELECT (SELECT next.id + (${minute} - next.id % ${WEEK_MINUTES} + ${WEEK_MINUTES}) % ${WEEK_MINUTES}
          FROM tenants next WHERE next.id > due.id ORDER BY next.id LIMIT 1) FROM due WHERE due.id IS NOT NULL
      ) SELECT tenants.id FROM due CROSS JOIN tenants ON tenants.id = due.id`,
  );
  for (const { id: tenantId } of found) {
    const message: RebuildMessage = { tenantId, rebuild: { phase: 'spellings', after: '' } };
    await env.SEARCH_QUEUE.send(message);
  }
  return {};
};
