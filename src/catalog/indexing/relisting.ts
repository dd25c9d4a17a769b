import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { commit } from '../../events/index.ts';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import { batch, jsonList, rows, run, type Statement } from '../../kernel/data/database.ts';
import { settled } from '../../kernel/data/fences.ts';
import type { Runtime, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { backgroundWork, requireTenant } from '../../tenants/index.ts';
import type { CatalogDatabase } from '../context.ts';
import { MAX_CATEGORY_LEVELS } from '../limits.ts';
import { deleteStaleListings, insertMissingListings } from './listing-index.ts';
import { notifySearch, reindexProducts } from './search-changes.ts';

/** Largest number of listings (rows of `product_listings`) that one batch writes. */
const MAX_LISTINGS_PER_BATCH = 2_000;
/** Largest number of chunks (one batch each) that one queue message writes. */
const MAX_CHUNKS_PER_MESSAGE = 10;
/** A relisting without progress for this long (ms) has lost its queue message. */
const IDLE_TIMEOUT_MS = 2 * MINUTE;
/** Largest number of tenants whose relistings one run of {@link resumeRelistings} enqueues. */
const MAX_RESUMED_TENANTS = 100;

/** Queue message: continue the tenant's open relistings. */
export const RelistMessage = z.object({ tenantId: z.int() });
export type RelistMessage = z.infer<typeof RelistMessage>;

/**
 * Returns the number of products in a chunk. Each product leaves and enters at most four lists in each
 * currency.
 */
const productsPerChunk = ({ currencies }: Pick<CatalogDatabase, 'currencies'>): number =>
  Math.max(1, Math.floor(MAX_LISTINGS_PER_BATCH / (2 * (MAX_CATEGORY_LEVELS - 1) * currencies.length)));

const ofCategory = (tenantId: number, id: number): SQL =>
  sql`tenant_id = ${tenantId} AND category_id = ${id}`;

/**
 * Returns the statements that apply `change` to the tree and open a relisting of the products listed in
 * category `id`. They include its first chunk, so that a small category is finished in the same batch.
 */
export function relistStatements(
  ctx: CatalogDatabase,
  id: number,
  { change, chunk }: { readonly change: readonly Statement[]; readonly chunk: number | undefined },
): Statement[] {
  const { db, tenantId } = ctx;
  return [
    run(
      db,
      sql`INSERT INTO relistings (tenant_id, category_id, shelves, updated_at)
        VALUES (${tenantId}, ${id}, '[]', ${now()})
        ON CONFLICT (tenant_id, category_id) DO UPDATE SET cursor = 0, done = 0`,
    ),
    // Both the ancestors before the change and those after it.
    addAncestors(ctx, id),
    ...change,
    addAncestors(ctx, id),
    ...chunkStatements(ctx, id, chunk ?? productsPerChunk(ctx)),
  ];
}

/** Adds the category and its ancestors to the lists that its relisting affects (`shelves`). */
const addAncestors = ({ db, tenantId }: TenantDatabase, id: number): Statement =>
  run(
    db,
    sql`UPDATE relistings SET shelves = (SELECT json_group_array(id) FROM (
        SELECT value AS id FROM json_each(shelves)
        UNION SELECT ancestor_id FROM category_ancestors WHERE ${ofCategory(tenantId, id)}))
      WHERE ${ofCategory(tenantId, id)}`,
  );

/** Returns the statements that update the listings of the next `products` products of a relisting. */
function chunkStatements(ctx: CatalogDatabase, id: number, products: number): Statement[] {
  const { db, tenantId, currencies } = ctx;
  const { advance, ids } = chunkOf(ctx, id, products);
  return [
    advance,
    insertMissingListings(ctx, ids),
    ...leaveDeletedCategories(ctx, ids),
    deleteStaleListings(ctx, ids),
    run(
      db,
      sql`DELETE FROM listing_counts WHERE tenant_id = ${tenantId} AND currency IN (${jsonList(currencies)})
        AND category_id = ${id} AND total = 0
        AND NOT EXISTS (SELECT 1 FROM categories WHERE tenant_id = ${tenantId} AND id = ${id})`,
    ),
    run(
      db,
      sql`UPDATE relistings SET cursor = max(cursor, upto), updated_at = ${now()} WHERE ${ofCategory(tenantId, id)}`,
    ),
    // Relistings may depend on each other, so all rows stay, and lists use the tree, until the last one is
    // done.
    run(
      db,
      sql`DELETE FROM relistings WHERE tenant_id = ${tenantId}
        AND NOT EXISTS (SELECT 1 FROM relistings WHERE tenant_id = ${tenantId} AND done = 0)`,
    ),
  ];
}

/**
 * Returns the statement that moves a relisting's `upto` to the end of its next chunk, and a query for the ids
 * of the products between `cursor` and `upto`.
 */
function chunkOf(
  { db, tenantId, currency }: CatalogDatabase,
  id: number,
  products: number,
): { readonly advance: Statement; readonly ids: SQL } {
  const state = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM relistings WHERE ${ofCategory(tenantId, id)})`;
  // Every product has a price in the tenant's main currency, so these listings name all products.
  const after = (status: 'active' | 'inactive') => sql`SELECT product_id FROM product_listings
    WHERE tenant_id = ${tenantId} AND currency = ${currency} AND category_id = ${id}
      AND status = ${status} AND product_id > ${state('cursor')}`;
  const first = (status: 'active' | 'inactive') =>
    sql`SELECT * FROM (${after(status)} ORDER BY product_id LIMIT ${products})`;
  return {
    advance: run(
      db,
      sql`UPDATE relistings SET (upto, done) = (
          SELECT coalesce(max(product_id), 0), count(*) < ${products} FROM (
            SELECT product_id FROM (${first('active')} UNION ALL ${first('inactive')})
            ORDER BY product_id LIMIT ${products}))
        WHERE ${ofCategory(tenantId, id)}`,
    ),
    ids: sql`${after('active')} AND product_id <= ${state('upto')}
      UNION ALL ${after('inactive')} AND product_id <= ${state('upto')}`,
  };
}

/**
 * Returns the statements that take products out of every deleted category. A product leaves all stale lists at
 * once, so no later chunk finds it again.
 */
function leaveDeletedCategories(ctx: CatalogDatabase, products: SQL): Statement[] {
  const { db, tenantId } = ctx;
  const inDeletedCategory = sql`tenant_id = ${tenantId} AND product_id IN (${products}) AND NOT EXISTS (
    SELECT 1 FROM categories c WHERE c.tenant_id = ${tenantId} AND c.id = product_categories.category_id)`;
  return [
    reindexProducts(ctx, sql`SELECT DISTINCT product_id FROM product_categories WHERE ${inDeletedCategory}`),
    run(db, sql`DELETE FROM product_categories WHERE ${inDeletedCategory}`),
  ];
}

/** Returns the condition that the tenant has open relistings. */
export const isRelisting = (tenantId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM relistings WHERE tenant_id = ${tenantId} AND done = 0)`;

/** Returns a query that yields a row if a category's list, or for "all" any list, may differ from the tree. */
export const differsFromTree = ({ db, tenantId }: TenantDatabase, categoryId: number | 'all' | null) =>
  rows<{ differs: 1 }>(
    db,
    sql`SELECT 1 AS differs FROM relistings r, json_each(r.shelves) listed
      WHERE r.tenant_id = ${tenantId} AND ${categoryId === 'all' ? sql`TRUE` : sql`listed.value = ${categoryId}`} LIMIT 1`,
  );

/** Writes the next chunk of one of the tenant's open relistings. Returns false when none is open. */
export async function writeNextChunk(
  ctx: CatalogDatabase,
  products = productsPerChunk(ctx),
): Promise<boolean> {
  const { db, tenantId } = ctx;
  const [open] = await rows<{ id: number }>(
    db,
    sql`SELECT category_id AS id FROM relistings WHERE tenant_id = ${tenantId} AND done = 0
      ORDER BY category_id LIMIT 1`,
  );
  if (open) await batch(db, chunkStatements(ctx, open.id, products));
  return open !== undefined;
}

/** Enqueues a tenant's open relistings. If the send fails, {@link resumeRelistings} enqueues them later. */
export const continueRelisting = (env: Env, tenantId: number): Promise<unknown> =>
  env.RELIST_QUEUE.send({ tenantId } satisfies RelistMessage).catch(() =>
    log('relisting_not_queued', { tenant: tenantId }),
  );

/**
 * Consumes the relisting queue: writes some chunks for each message and enqueues the rest. The last one advances the
 * catalogue version.
 */
export async function consumeRelistings(
  { messages }: MessageBatch,
  env: Env,
  ctx: Runtime['ctx'],
): Promise<void> {
  for (const message of messages) {
    const { tenantId } = RelistMessage.parse(message.body);
    const work = backgroundWork({ env, ctx }, tenantId);
    const { currency, currencies } = await requireTenant(work.ctx);
    const catalog = { ...work.ctx, currency, currencies };
    let open = true;
    for (let n = 0; open && n < MAX_CHUNKS_PER_MESSAGE; n++) {
      open = await writeNextChunk(catalog);
      await work.pause();
    }
    await notifySearch(env, tenantId);
    if (open) await env.RELIST_QUEUE.send({ tenantId } satisfies RelistMessage);
    // Responses that were cached meanwhile have other counts of products.
    else await commit(work.ctx, { statements: [], catalogChanged: true });
    message.ack();
  }
}

/** Chore that enqueues open relistings whose queue message was lost. */
export const resumeRelistings: Chore = async ({ env, db }) => {
  const idle = await rows<RelistMessage>(
    db,
    sql`SELECT DISTINCT tenant_id AS tenantId FROM relistings
      WHERE done = 0 AND updated_at < ${now() - IDLE_TIMEOUT_MS} AND ${settled()} LIMIT ${MAX_RESUMED_TENANTS}`,
  );
  if (idle.length > 0) await env.RELIST_QUEUE.sendBatch(idle.map((body) => ({ body })));
  return {};
};
