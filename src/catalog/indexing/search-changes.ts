import { type SQL, sql } from 'drizzle-orm';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { type Chore, MAX_TENANTS_PER_STEP } from '../../kernel/data/chore.ts';
import { batch, jsonList, namedBatch, rows, run, type Statement } from '../../kernel/data/database.ts';
import { settled } from '../../kernel/data/fences.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { isSmall } from '../reads/page-rows.ts';
import {
  MAX_LARGE_PRODUCTS,
  type SearchableRow,
  type SearchSource,
  searchSource,
  searchSources,
} from './search-source.ts';

/** Largest number of products of each kind of change in one slice. */
const MAX_SLICE_PRODUCTS = 100;
/** Delay until the indexer is notified again of a category change (ms), at first and from then on. */
const FIRST_RETRY_DELAY_MS = MINUTE;
const RETRY_INTERVAL_MS = 10 * MINUTE;

/** The new fields of a category; an undefined one stays as it is. */
interface CategoryChange {
  readonly name: string | undefined;
  readonly parentId: number | null | undefined;
  readonly hidden: boolean | undefined;
}

/**
 * Returns the statement that marks the products of a category and its descendants for reindexing. It belongs
 * in the batch of the change, or of the deletion (without `change`), after the version has advanced and before
 * the category's own statements. It writes nothing if name, parent and `hidden` stay as they are.
 */
export const reindexBelow = (ctx: TenantDatabase, categoryId: number, change?: CategoryChange): Statement =>
  noteChanges(
    ctx,
    sql`SELECT a.category_id, 0 AS product_id FROM category_ancestors a JOIN categories c ON c.id = a.ancestor_id
      WHERE a.tenant_id = ${ctx.tenantId} AND a.ancestor_id = ${categoryId} AND ${change ? categoryDiffers(change) : sql`true`}
        AND EXISTS (SELECT 1 FROM product_categories pc
          WHERE pc.tenant_id = a.tenant_id AND pc.category_id = a.category_id)`,
  );

const categoryDiffers = ({ name, parentId, hidden }: CategoryChange): SQL =>
  sql`(c.name <> ${name === undefined ? sql`c.name` : name}
    OR c.parent_id IS NOT ${parentId === undefined ? sql`c.parent_id` : parentId}
    OR c.hidden <> ${hidden === undefined ? sql`c.hidden` : Number(hidden)})`;

/**
 * Returns the statement that marks products (a query of ids) for reindexing because their category was
 * deleted, or a member of theirs changed.
 */
export const reindexProducts = (ctx: TenantDatabase, products: SQL): Statement =>
  noteChanges(ctx, sql`SELECT 0 AS category_id, product_id FROM (${products})`);

/**
 * Returns the statement that marks the groups and bundles of these products for reindexing, because whether they can
 * be sold depends on the products' status and policy. It belongs in the batch of the change, after the version has advanced.
 */
export const reindexGroupsOf = (ctx: TenantDatabase, members: readonly number[]): Statement =>
  reindexProducts(
    ctx,
    sql`SELECT DISTINCT parent_id AS product_id FROM stock_components INDEXED BY stock_components_member
      WHERE tenant_id = ${ctx.tenantId} AND member_id IN (${jsonList(members)})`,
  );

const noteChanges = ({ db, tenantId }: TenantDatabase, changed: SQL): Statement =>
  run(
    db,
    sql`INSERT INTO search_changes (tenant_id, category_id, product_id, after, version, wake_at)
      SELECT t.id, c.category_id, c.product_id, 0, t.catalog_version, ${now() + FIRST_RETRY_DELAY_MS}
      FROM (${changed}) c JOIN tenants t ON t.id = ${tenantId} WHERE true
      ON CONFLICT DO UPDATE SET after = 0, version = excluded.version, wake_at = excluded.wake_at`,
  );

/** The next products to index, from one consistent read. */
interface SearchSlice {
  /** The catalogue version of the read. */
  readonly version: number;
  /** The changed products in their current state. */
  readonly documents: readonly SearchSource[];
  /** All product changes up to this instant of the tenant's clock are in this or an earlier slice. */
  readonly sequence: number;
  /** Whether no further change was pending. */
  readonly complete: boolean;
  /** Deletes the category changes that this slice covers. Without any it runs no query. */
  settle(): Promise<unknown>;
}

/**
 * Reads the next products to index after an instant of the tenant's clock, in one batch from the primary. The
 * clock rises in commit order, so that no change is missed. If a product isn't small, a second batch reads a few.
 */
export async function changesForSearch(
  ctx: TenantDatabase,
  sequence: number,
  most = MAX_SLICE_PRODUCTS,
): Promise<SearchSlice> {
  const { tenantId, db } = ctx;
  const pairs = categoryProducts(tenantId, most);
  const ids = {
    changed: changedProducts(tenantId, { sequence, most }),
    left: markedProducts(tenantId, most),
    below: sql`SELECT product_id FROM (${pairs})`,
  };
  const fits = most > MAX_LARGE_PRODUCTS ? isSmall(most) : sql`TRUE`;
  const sources = (some: SQL) => searchSources(ctx, sql`p.id IN (${some}) AND ${fits}`, most);
  const isLarge = (some: SQL) =>
    sql`EXISTS (SELECT 1 FROM products p WHERE p.id IN (${some}) AND NOT (${fits}))`;
  const read = await namedBatch(db, {
    state: rows<{ version: number; pending: 0 | 1; large: 0 | 1 }>(
      db,
      sql`SELECT catalog_version AS version,
          EXISTS (SELECT 1 FROM search_changes WHERE tenant_id = ${tenantId}) AS pending,
          (${sql.join(Object.values(ids).map(isLarge), sql` OR `)}) AS large
        FROM tenants WHERE id = ${tenantId}`,
    ),
    changed: sources(ids.changed),
    left: sources(ids.left),
    pairs: rows<CategoryProduct>(db, pairs),
    below: sources(ids.below),
  });
  if (read.state[0]?.large) return changesForSearch(ctx, sequence, MAX_LARGE_PRODUCTS);
  return sliceOf(ctx, read, { sequence, most });
}

/** What {@link changesForSearch} reads. */
interface ReadChanges {
  readonly state: readonly { readonly version: number; readonly pending: 0 | 1 }[];
  readonly changed: readonly SearchableRow[];
  readonly left: readonly SearchableRow[];
  readonly pairs: readonly CategoryProduct[];
  readonly below: readonly SearchableRow[];
}

/** The changes that a slice follows, and the most products of each kind that it has. */
interface SliceScope {
  readonly sequence: number;
  readonly most: number;
}

function sliceOf(ctx: TenantDatabase, read: ReadChanges, { sequence, most }: SliceScope): SearchSlice {
  const version = read.state[0]?.version ?? 0;
  const { changed, left, pairs, below } = read;
  return {
    version,
    documents: [...changed, ...left, ...below].map((row) => searchSource(ctx.tenantId, row)),
    sequence: Math.max(sequence, ...changed.map((row) => row.sequence)),
    complete: [changed, left, pairs].every((list) => list.length < most),
    settle: async () => {
      if (!read.state[0]?.pending) return;
      const ids = left.map(({ id }) => id);
      // All pairs of the changed categories, unless there may be more.
      const last = pairs.length < most ? undefined : pairs.at(-1);
      await batch(ctx.db, [settleProducts(ctx, version, ids), ...settleCategories(ctx, version, last)]);
    },
  };
}

/** A product of a changed category. */
interface CategoryProduct {
  readonly category_id: number;
  readonly product_id: number;
}

/** Selects products changed after `sequence`. Every product change touches the item with the product's id. */
function changedProducts(tenantId: number, { sequence, most }: SliceScope): SQL {
  // The index orders by feed state before the instant, so each state is read on its own.
  const parts = ['live', 'gone', 'hidden'].map(
    (feed) => sql`SELECT * FROM (SELECT id, updated_at FROM inventory_items
      WHERE tenant_id = ${tenantId} AND feed = ${feed} AND updated_at > ${sequence} AND id = product_id
      ORDER BY updated_at LIMIT ${most})`,
  );
  return sql`SELECT id FROM (${sql.join(parts, sql` UNION ALL `)} ORDER BY updated_at LIMIT ${most})`;
}

/** Selects the products that {@link reindexProducts} marked. */
const markedProducts = (tenantId: number, most: number): SQL => sql`SELECT product_id FROM search_changes
  WHERE tenant_id = ${tenantId} AND category_id = 0 ORDER BY product_id LIMIT ${most}`;

/**
 * Selects the products of changed categories, ordered by category. Sorts by the whole key of a change, though its
 * product is 0: SQLite would else read all products of a category to sort them.
 */
const categoryProducts = (tenantId: number, most: number): SQL => sql`SELECT pc.category_id, pc.product_id
  FROM search_changes s CROSS JOIN product_categories pc
    ON pc.tenant_id = s.tenant_id AND pc.category_id = s.category_id AND pc.product_id > s.after
  WHERE s.tenant_id = ${tenantId} AND s.category_id > 0
  ORDER BY s.category_id, s.product_id, pc.product_id LIMIT ${most}`;

const settleProducts = (
  { db, tenantId }: TenantDatabase,
  version: number,
  ids: readonly number[],
): Statement =>
  run(
    db,
    sql`DELETE FROM search_changes WHERE tenant_id = ${tenantId} AND category_id = 0 AND version <= ${version}
      AND product_id IN (${jsonList(ids)})`,
  );

/**
 * Deletes indexed category changes, up to the product `last` if there is one. A category that changed after the read
 * has a newer version and stays.
 */
function settleCategories(
  { tenantId, db }: TenantDatabase,
  version: number,
  last: CategoryProduct | undefined,
): Statement[] {
  const indexed = sql`tenant_id = ${tenantId} AND category_id > 0 AND version <= ${version}`;
  if (!last) return [run(db, sql`DELETE FROM search_changes WHERE ${indexed}`)];
  return [
    run(db, sql`DELETE FROM search_changes WHERE ${indexed} AND category_id < ${last.category_id}`),
    run(
      db,
      sql`UPDATE search_changes SET after = ${last.product_id}
        WHERE ${indexed} AND category_id = ${last.category_id}`,
    ),
  ];
}

/**
 * Notifies the search indexer. If the send fails, {@link resumeIndexing} sends again for category changes.
 */
export const notifySearch = (env: Env, tenantId: number): Promise<unknown> =>
  env.SEARCH_QUEUE.send({ tenantId, catchUp: true }).catch(() =>
    log('search_not_enqueued', { tenant: tenantId }),
  );

/** Chore that notifies the search indexer again of category changes that are not indexed. */
export const resumeIndexing: Chore = async ({ env, db }) => {
  const at = now();
  const due = await rows<{ tenant_id: number }>(
    db,
    sql`SELECT DISTINCT tenant_id FROM search_changes INDEXED BY search_changes_wake
      WHERE wake_at <= ${at} AND ${settled()} LIMIT ${MAX_TENANTS_PER_STEP}`,
  );
  const ids = due.map(({ tenant_id }) => tenant_id);
  if (ids.length === 0) return {};
  await env.SEARCH_QUEUE.sendBatch(ids.map((tenantId) => ({ body: { tenantId, catchUp: true } })));
  await run(
    db,
    sql`UPDATE search_changes INDEXED BY search_changes_wake SET wake_at = ${at + RETRY_INTERVAL_MS}
      WHERE wake_at <= ${at} AND tenant_id IN (${jsonList(ids)})`,
  );
  return ids.length < MAX_TENANTS_PER_STEP ? {} : { more: {} };
};
