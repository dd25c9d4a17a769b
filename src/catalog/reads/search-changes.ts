import { type SQL, sql } from 'drizzle-orm';
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
import { type SearchSource, searchSource, searchSources } from './search-source.ts';

/** At most so many products of each kind of change are read at once. */
const SLICE = 100;
/** When search is asked again about a change of categories: at first, and as long as it is not indexed (ms). */
const FIRST_WAKE_MS = MINUTE;
const NEXT_WAKE_MS = 10 * MINUTE;

/**
 * Returns the statement that has everything in a category and below it indexed again, for the batch that gives it
 * this name and parent (undefined: as it is) or, without `change`, deletes it: after `advance`, before anything
 * changes. It does nothing where the category is like that already.
 */
export const reindexBelow = (
  db: Database,
  tenantId: number,
  categoryId: number,
  change?: { readonly name: string | undefined; readonly parentId: number | null | undefined },
): Statement =>
  noteChanges(
    db,
    tenantId,
    sql`SELECT a.category_id, 0 AS product_id FROM category_ancestors a JOIN categories c ON c.id = a.ancestor_id
      WHERE a.tenant_id = ${tenantId} AND a.ancestor_id = ${categoryId} AND ${change ? differs(change) : sql`true`}
        AND EXISTS (SELECT 1 FROM product_categories pc
          WHERE pc.tenant_id = a.tenant_id AND pc.category_id = a.category_id)`,
  );

const differs = ({ name, parentId }: NonNullable<Parameters<typeof reindexBelow>[3]>): SQL =>
  sql`(c.name <> ${name === undefined ? sql`c.name` : name}
    OR c.parent_id IS NOT ${parentId === undefined ? sql`c.parent_id` : parentId})`;

/** Returns the statement that has these products (a query of their ids) indexed again: a category of theirs is gone. */
export const reindexProducts = (db: Database, tenantId: number, products: SQL): Statement =>
  noteChanges(db, tenantId, sql`SELECT 0 AS category_id, product_id FROM (${products})`);

const noteChanges = (db: Database, tenantId: number, changed: SQL): Statement =>
  run(
    db,
    sql`INSERT INTO search_changes (tenant_id, category_id, product_id, after, version, wake_at)
      SELECT t.id, c.category_id, c.product_id, 0, t.catalog_version, ${now() + FIRST_WAKE_MS}
      FROM (${changed}) c JOIN tenants t ON t.id = ${tenantId} WHERE true
      ON CONFLICT DO UPDATE SET after = 0, version = excluded.version, wake_at = excluded.wake_at`,
  );

/** What has to be indexed next, as of one moment. */
export interface SearchSlice {
  /** The catalogue version of that moment. */
  readonly version: number;
  /** What changed, as it is now. */
  readonly documents: readonly SearchSource[];
  /** Changes of products up to this instant of the tenant's clock are among them, or were before. */
  readonly sequence: number;
  /** Whether nothing else was left to be indexed. */
  readonly complete: boolean;
  /** Strikes the changes of categories off the list; no round trip where there are none. */
  settle(): Promise<unknown>;
}

/**
 * Reads the next products to be indexed, after an instant of the tenant's clock: one batch from the primary. The
 * clock rises with every change of a product in the order of their commits, so nothing is ever missed.
 */
export async function changesForSearch(
  db: Database,
  tenantId: number,
  sequence: number,
): Promise<SearchSlice> {
  const pairs = categoryProducts(tenantId);
  const [[state], changed, left, below, inCategories] = await db.batch([
    rows<{ version: number; pending: 0 | 1 }>(
      db,
      sql`SELECT catalog_version AS version,
          EXISTS (SELECT 1 FROM search_changes WHERE tenant_id = ${tenantId}) AS pending
        FROM tenants WHERE id = ${tenantId}`,
    ),
    searchSources(db, tenantId, sql`p.id IN (${changedProducts(tenantId, sequence)})`, SLICE),
    searchSources(db, tenantId, sql`p.id IN (${leftProducts(tenantId)})`, SLICE),
    rows<Pair>(db, pairs),
    searchSources(db, tenantId, sql`p.id IN (SELECT product_id FROM (${pairs}))`, SLICE),
  ]);
  const version = state?.version ?? 0;
  return {
    version,
    documents: [...changed, ...left, ...inCategories].map((row) => searchSource(tenantId, row)),
    sequence: Math.max(sequence, ...changed.map((row) => row.sequence)),
    complete: [changed, left, below].every((list) => list.length < SLICE),
    settle: async () => {
      if (!state?.pending) return;
      const ids = left.map(({ id }) => id);
      await batch(db, [
        settleProducts(db, tenantId, version, ids),
        ...settleCategories(db, tenantId, version, below),
      ]);
    },
  };
}

interface Pair {
  readonly category_id: number;
  readonly product_id: number;
}

/** Products that changed themselves; each has an item of its own id, which every change of it touches. */
function changedProducts(tenantId: number, sequence: number): SQL {
  // The index has an item's place in the feed before its instant.
  const parts = ['live', 'gone', 'hidden'].map(
    (feed) => sql`SELECT * FROM (SELECT id, updated_at FROM inventory_items
      WHERE tenant_id = ${tenantId} AND feed = ${feed} AND updated_at > ${sequence} AND id = product_id
      ORDER BY updated_at LIMIT ${SLICE})`,
  );
  return sql`SELECT id FROM (${sql.join(parts, sql` UNION ALL `)} ORDER BY updated_at LIMIT ${SLICE})`;
}

/** Products that a category left. */
const leftProducts = (tenantId: number): SQL => sql`SELECT product_id FROM search_changes
  WHERE tenant_id = ${tenantId} AND category_id = 0 ORDER BY product_id LIMIT ${SLICE}`;

/** What is in changed categories, category by category. */
const categoryProducts = (tenantId: number): SQL => sql`SELECT pc.category_id, pc.product_id
  FROM search_changes s CROSS JOIN product_categories pc
    ON pc.tenant_id = s.tenant_id AND pc.category_id = s.category_id AND pc.product_id > s.after
  WHERE s.tenant_id = ${tenantId} AND s.category_id > 0 AND s.product_id = 0
  ORDER BY s.category_id, pc.product_id LIMIT ${SLICE}`;

const settleProducts = (db: Database, tenantId: number, version: number, ids: readonly number[]): Statement =>
  run(
    db,
    sql`DELETE FROM search_changes WHERE tenant_id = ${tenantId} AND category_id = 0 AND version <= ${version}
      AND product_id IN (${jsonList(ids)})`,
  );

/** What changed again since it was read has a newer version, and stays. */
function settleCategories(
  db: Database,
  tenantId: number,
  version: number,
  below: readonly Pair[],
): Statement[] {
  const mine = sql`tenant_id = ${tenantId} AND category_id > 0 AND version <= ${version}`;
  const last = below.length < SLICE ? undefined : below.at(-1);
  if (!last) return [run(db, sql`DELETE FROM search_changes WHERE ${mine}`)];
  return [
    run(db, sql`DELETE FROM search_changes WHERE ${mine} AND category_id < ${last.category_id}`),
    run(
      db,
      sql`UPDATE search_changes SET after = ${last.product_id}
        WHERE ${mine} AND category_id = ${last.category_id}`,
    ),
  ];
}

/** Makes search look at what has changed, soon. A message that is lost is made good by {@link resumeIndexing}. */
export const notifySearch = (env: Env, tenantId: number): Promise<unknown> =>
  env.SEARCH_QUEUE.send({ tenantId, catchUp: true }).catch(() =>
    console.warn(JSON.stringify({ event: 'search_not_told', tenant: tenantId })),
  );

/** So many tenants are asked about in one step of {@link resumeIndexing}. */
const TENANTS_AT_ONCE = 100;

/** The chore that asks search again about changes of categories that are not indexed yet. */
export const resumeIndexing: Chore = async ({ env }) => {
  const db = database(env);
  const at = now();
  const due = await rows<{ tenant_id: number }>(
    db,
    sql`SELECT DISTINCT tenant_id FROM search_changes WHERE wake_at <= ${at} LIMIT ${TENANTS_AT_ONCE}`,
  );
  const ids = due.map(({ tenant_id }) => tenant_id);
  if (ids.length === 0) return {};
  await env.SEARCH_QUEUE.sendBatch(ids.map((tenantId) => ({ body: { tenantId, catchUp: true } })));
  await run(
    db,
    sql`UPDATE search_changes SET wake_at = ${at + NEXT_WAKE_MS}
      WHERE wake_at <= ${at} AND tenant_id IN (${jsonList(ids)})`,
  );
  return ids.length < TENANTS_AT_ONCE ? {} : { more: {} };
};
