import { type SQL, sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import { id as newId } from '../../kernel/crypto/crypto.ts';
import { assertInBatch, jsonList, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { mergeMetadata } from '../../kernel/values/metadata.ts';
import { withinQuota } from '../../tenants/index.ts';
import { allocateIds } from '../ids.ts';
import { arrivalPosition, placementStatements } from './placement.ts';
import type { CategoryCreate } from './schemas.ts';
import { byId, categoryEvents, commitCategoryWrite, type SavedCategory } from './store.ts';
import { derivedSlug, refuseLongNames, refuseLongTexts } from './text-limit.ts';
import { insertIntoTree } from './tree.ts';

/** Creates a category. */
export async function createCategory(
  ctx: TenantContext,
  input: CategoryCreate,
  once: IdempotencyScope,
): Promise<Result<SavedCategory>> {
  const { db } = ctx;
  const metadata = mergeMetadata({}, input.metadata);
  if (!metadata.ok) return metadata;
  const tooLong = await refuseLongTexts(ctx, null, {
    ...input,
    slug: input.slug ?? derivedSlug(input.name),
  });
  if (tooLong) return tooLong;
  const id = await allocateIds(db, 'category', 1);
  const batch = newId('bat');
  const { position: place, parent_id: parent = null } = input;
  const placement = place === undefined ? [] : await placementStatements(ctx, { id, parent, place });
  const written = await commitCategoryWrite(ctx, {
    batch,
    statements: [
      ...once.mark(String(id)),
      ...insertStatements(ctx, id, { ...input, metadata: metadata.value }),
      ...placement,
      categoryEvents(ctx, batch, { ids: sql`${id}`, changed: ['created'] }),
      withinQuota(ctx, 'categories'),
    ],
  });
  return written.ok ? ok({ id, ...written.value }) : written;
}

/**
 * A category to create: below an existing parent (null: a root), or below the `below`th category of the same
 * call.
 */
export type MissingCategory =
  | { readonly name: string; readonly parent: number | null }
  | { readonly name: string; readonly below: number };

/** Statements of {@link createMissingCategories} for each category, besides a few for the batch. */
export const STATEMENTS_PER_CATEGORY = 5;

/**
 * Creates categories in one batch, all or none, and returns their ids in order. Fails with 422 when a parent
 * was deleted, has a child of that name by now, or has another number of children than `childrenOf` returns: the caller
 * compares names as the database can't. Null skips that check. Fails with `quota_exceeded` above the quota, or where the
 * texts of all categories would be too long.
 */
export async function createMissingCategories(
  ctx: TenantContext,
  missing: readonly MissingCategory[],
  childrenOf: ((parent: number | null) => number) | null,
): Promise<Result<number[]>> {
  const { db, tenantId } = ctx;
  const tooLong = await refuseLongNames(
    ctx,
    missing.map(({ name }) => name),
  );
  if (tooLong) return tooLong;
  const first = await allocateIds(db, 'category', missing.length);
  const statements = missing.flatMap((category, n) => {
    const { name } = category;
    const parent = 'below' in category ? first + category.below : category.parent;
    const free = sql`NOT EXISTS (SELECT 1 FROM categories
      WHERE tenant_id = ${tenantId} AND parent_id IS ${parent} AND name = ${name} COLLATE NOCASE)`;
    return [assertInBatch(db, free), ...insertStatements(ctx, first + n, { name, parent_id: parent })];
  });
  const ids = missing.map((_, n) => first + n);
  const batch = newId('bat');
  const parents = new Set(missing.flatMap((category) => ('below' in category ? [] : [category.parent])));
  const counts = childrenOf && new Map([...parents].map((parent) => [parent, childrenOf(parent)]));
  const written = await commitCategoryWrite(ctx, {
    batch,
    statements: [
      ...(counts ? [assertChildren(ctx, counts)] : []),
      ...statements,
      categoryEvents(ctx, batch, { ids: jsonList(ids), changed: ['created'] }),
      withinQuota(ctx, 'categories'),
    ],
  });
  return written.ok ? ok(ids) : written;
}

/** Returns the guard that each parent (null: the root) has this many children. */
const assertChildren = (
  { db, tenantId }: TenantDatabase,
  counts: ReadonlyMap<number | null, number>,
): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify([...counts])}) p
      WHERE p.value ->> 1 <> (SELECT count(*) FROM categories
        WHERE tenant_id = ${tenantId} AND parent_id IS p.value ->> 0))`,
  );

function insertStatements(ctx: TenantDatabase, id: number, input: CategoryCreate): Statement[] {
  const { tenantId, db } = ctx;
  const parent = input.parent_id ?? null;
  const slug = input.slug === undefined ? uniqueSlug(tenantId, id, input.name) : sql`${input.slug}`;
  return [
    ...(parent === null
      ? []
      : [assertInBatch(db, sql`EXISTS (SELECT 1 FROM categories WHERE ${byId(tenantId, parent)})`)]),
    run(
      db,
      sql`INSERT INTO categories (id, tenant_id, parent_id, name, slug, position, description, image_url, seo,
          hidden, metadata, updated_at)
        VALUES (${id}, ${tenantId}, ${parent}, ${input.name}, ${slug}, ${arrivalPosition(tenantId, parent)},
          ${input.description ?? null},
          ${input.image_url ?? null}, ${input.seo ? JSON.stringify(input.seo) : null}, ${input.hidden ? 1 : 0},
          ${JSON.stringify(input.metadata ?? {})}, ${now()})`,
    ),
    ...insertIntoTree(ctx, id, parent),
  ];
}

/** Derives a slug from the name, and appends the id while another category has that slug. */
function uniqueSlug(tenantId: number, id: number, name: string): SQL {
  const plain = derivedSlug(name);
  const holder = sql`categories c WHERE c.tenant_id = ${tenantId} AND c.slug = tried.slug`;
  return sql`(WITH RECURSIVE tried (slug) AS (
    SELECT ${plain} UNION ALL SELECT tried.slug || ${`-${id}`} FROM tried, ${holder}
  ) SELECT slug FROM tried WHERE NOT EXISTS (SELECT 1 FROM ${holder}))`;
}
