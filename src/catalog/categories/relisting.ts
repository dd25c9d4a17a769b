import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import {
  batch,
  type Database,
  database,
  jsonList,
  rows,
  run,
  type Statement,
} from '../../kernel/data/database.ts';
import { tenantById } from '../../tenants/index.ts';
import type { CatalogScope } from '../products/save-product.ts';
import { listMissing, unlistMisplaced } from '../reads/listing-index.ts';
import { notifySearch, reindexProducts } from '../reads/search-changes.ts';
import { LEVELS } from './tree.ts';

/** So many listings (rows of `product_listings`) are at most written by one batch … */
export const CHUNK_LISTINGS = 2_000;
/** … and so many batches by one message of the queue. */
const CHUNKS_PER_MESSAGE = 10;
/** A relisting that nothing has moved for this long (ms) has lost its message. */
const IDLE_MS = 2 * MINUTE;
/** So many tenants' relistings are asked for again in one step. */
const RESUMED_AT_ONCE = 100;

/** Asks for the open relistings of a tenant to be continued. */
export const RelistMessage = z.object({ tenantId: z.int() });
export type RelistMessage = z.infer<typeof RelistMessage>;

/** How many products one chunk holds: each leaves and enters at most four lists in each currency. */
export const chunkProducts = ({ currencies }: Pick<CatalogScope, 'currencies'>): number =>
  Math.max(1, Math.floor(CHUNK_LISTINGS / (2 * (LEVELS - 1) * currencies.length)));

const one = (tenantId: number, id: number): SQL => sql`tenant_id = ${tenantId} AND category_id = ${id}`;

/**
 * Returns the statements that change the tree by `change` and open a relisting of the products that category `id`
 * lists. Its first chunk is written by them too, so that a small category is done with the batch.
 */
export const relistAround = (
  db: Database,
  shop: CatalogScope,
  id: number,
  change: readonly Statement[],
  products = chunkProducts(shop),
): Statement[] => [
  run(
    db,
    sql`INSERT INTO relistings (tenant_id, category_id, shelves, updated_at)
      VALUES (${shop.tenantId}, ${id}, '[]', ${now()})
      ON CONFLICT (tenant_id, category_id) DO UPDATE SET cursor = 0, done = 0`,
  ),
  addShelves(db, shop.tenantId, id),
  ...change,
  addShelves(db, shop.tenantId, id),
  ...chunk(db, shop, id, products),
];

/** Notes the categories above (and the category itself) as those whose lists may differ from the tree. */
const addShelves = (db: Database, tenantId: number, id: number): Statement =>
  run(
    db,
    sql`UPDATE relistings SET shelves = (SELECT json_group_array(shelf) FROM (
        SELECT value AS shelf FROM json_each(shelves)
        UNION SELECT ancestor_id FROM category_ancestors WHERE ${one(tenantId, id)}))
      WHERE ${one(tenantId, id)}`,
  );

/** Returns the statements that bring the next `products` products of a relisting up to date. */
function chunk(db: Database, { tenantId, currency, currencies }: CatalogScope, id: number, products: number) {
  const state = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM relistings WHERE ${one(tenantId, id)})`;
  // Every product has a price in the tenant's own currency, so that these listings name all.
  const after = (status: 'active' | 'inactive') => sql`SELECT product_id FROM product_listings
    WHERE tenant_id = ${tenantId} AND currency = ${currency} AND category_id = ${id}
      AND status = ${status} AND product_id > ${state('cursor')}`;
  const first = (status: 'active' | 'inactive') =>
    sql`SELECT * FROM (${after(status)} ORDER BY product_id LIMIT ${products})`;
  const ids = sql`${after('active')} AND product_id <= ${state('upto')}
    UNION ALL ${after('inactive')} AND product_id <= ${state('upto')}`;
  const gone = sql`NOT EXISTS (SELECT 1 FROM categories WHERE tenant_id = ${tenantId} AND id = ${id})`;
  const inGone = sql`tenant_id = ${tenantId} AND product_id IN (${ids}) AND NOT EXISTS (
    SELECT 1 FROM categories c WHERE c.tenant_id = ${tenantId} AND c.id = product_categories.category_id)`;
  return [
    run(
      db,
      sql`UPDATE relistings SET (upto, done) = (
          SELECT coalesce(max(product_id), 0), count(*) < ${products} FROM (
            SELECT product_id FROM (${first('active')} UNION ALL ${first('inactive')})
            ORDER BY product_id LIMIT ${products}))
        WHERE ${one(tenantId, id)}`,
    ),
    listMissing(db, tenantId, ids),
    // Of whatever category is gone: each product is taken off all lists at once, so no later chunk may find it.
    reindexProducts(db, tenantId, sql`SELECT DISTINCT product_id FROM product_categories WHERE ${inGone}`),
    run(db, sql`DELETE FROM product_categories WHERE ${inGone}`),
    unlistMisplaced(db, tenantId, ids),
    run(
      db,
      sql`DELETE FROM listing_counts WHERE tenant_id = ${tenantId} AND currency IN (${jsonList(currencies)})
        AND category_id = ${id} AND total = 0 AND ${gone}`,
    ),
    run(
      db,
      sql`UPDATE relistings SET cursor = max(cursor, upto), updated_at = ${now()} WHERE ${one(tenantId, id)}`,
    ),
    // Lists are read from the tree until the last one is done: what one has left over another may have to do.
    run(
      db,
      sql`DELETE FROM relistings WHERE tenant_id = ${tenantId}
        AND NOT EXISTS (SELECT 1 FROM relistings WHERE tenant_id = ${tenantId} AND done = 0)`,
    ),
  ];
}

/** The query for whether the tenant has open relistings, for the batch of a change of the tree. */
export const isRelisting = (tenantId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM relistings WHERE tenant_id = ${tenantId} AND done = 0)`;

/** Returns the query for whether the list of a category (null: of all) may differ from the tree: a row if so. */
export const differsFromTree = (db: Database, tenantId: number, categoryId: number | null) =>
  rows<{ differs: 1 }>(
    db,
    sql`SELECT 1 AS differs FROM relistings r, json_each(r.shelves) shelf
      WHERE r.tenant_id = ${tenantId} AND shelf.value = ${categoryId} LIMIT 1`,
  );

/** Writes the next chunk of one of the tenant's open relistings; returns whether there was one. */
export async function relistNext(
  db: Database,
  shop: CatalogScope,
  products = chunkProducts(shop),
): Promise<boolean> {
  const [open] = await rows<{ id: number }>(
    db,
    sql`SELECT category_id AS id FROM relistings WHERE tenant_id = ${shop.tenantId} AND done = 0
      ORDER BY category_id LIMIT 1`,
  );
  if (open) await batch(db, chunk(db, shop, open.id, products));
  return open !== undefined;
}

/** Tells the queue of a tenant's open relistings. What is lost here, {@link resumeRelistings} finds. */
export const continueRelisting = (env: Env, tenantId: number): Promise<unknown> =>
  env.RELIST_QUEUE.send({ tenantId } satisfies RelistMessage).catch(() =>
    console.warn(JSON.stringify({ event: 'relisting_not_queued', tenant: tenantId })),
  );

/** The consumer of the relisting queue: some chunks for each message, then a message for the next ones. */
export async function consumeRelistings({ messages }: MessageBatch, env: Env): Promise<void> {
  const db = database(env);
  for (const message of messages) {
    const { tenantId } = RelistMessage.parse(message.body);
    const { currency, currencies } = await tenantById(db, tenantId);
    let open = true;
    for (let n = 0; open && n < CHUNKS_PER_MESSAGE; n++) {
      open = await relistNext(db, { tenantId, currency, currencies });
    }
    await notifySearch(env, tenantId);
    if (open) await env.RELIST_QUEUE.send({ tenantId } satisfies RelistMessage);
    message.ack();
  }
}

/** The chore that asks again for open relistings that the queue has lost. */
export const resumeRelistings: Chore = async ({ env }) => {
  const idle = await rows<RelistMessage>(
    database(env),
    sql`SELECT DISTINCT tenant_id AS tenantId FROM relistings
      WHERE done = 0 AND updated_at < ${now() - IDLE_MS} LIMIT ${RESUMED_AT_ONCE}`,
  );
  if (idle.length > 0) await env.RELIST_QUEUE.sendBatch(idle.map((body) => ({ body })));
  return {};
};
