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

/** Minutes in a week. Each tenant has one of them, which it shares with those of the same hundred of ids. */
const WEEK_MINUTES = 7 * 24 * 60;
/** A literal: a bound number is a REAL, and its division has a fraction. */
const IDS_OF_MINUTE = sql.raw('100');

/** Chore that enqueues the deletion of unused dictionary words, once a week for each tenant. */
export const forgetWords: Chore = async ({ env, db }) => {
  const minute = Math.floor(now() / MINUTE) % WEEK_MINUTES;
  const at = sql`(seen.id / ${IDS_OF_MINUTE} % ${WEEK_MINUTES})`;
  // From a tenant of another minute it goes to the next hundred of ids that is due, so that few of those are read: new
  // ids are the seconds of their creation, and a single id would mostly be followed by another minute's tenant.
  const found = await rows<{ id: number }>(
    db,
    sql`WITH RECURSIVE seen (id) AS (
        SELECT 0 UNION ALL
        SELECT (SELECT min(next.id) FROM tenants next WHERE next.id > iif(${at} = ${minute}, seen.id,
          (seen.id / ${IDS_OF_MINUTE} + (${minute} - ${at} + ${WEEK_MINUTES}) % ${WEEK_MINUTES}) * ${IDS_OF_MINUTE} - 1))
        FROM seen WHERE seen.id IS NOT NULL
      ) SELECT id FROM seen WHERE id > 0 AND ${at} = ${minute}`,
  );
  for (const { id: tenantId } of found) {
    const message: RebuildMessage = { tenantId, rebuild: { phase: 'spellings', after: '' } };
    await env.SEARCH_QUEUE.send(message);
  }
  return {};
};
