import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { type CategoryView, presentTree } from '../categories/present.ts';
import type { Category, CategoryTree } from '../categories/schemas.ts';
import { CATEGORY_DETAIL_COLUMNS, type CategoryDetailRow, isHidden } from './rows.ts';

/** Reads the whole category tree. */
export async function readCategories(ctx: TenantDatabase, view: CategoryView): Promise<Filled<CategoryTree>> {
  const { db, tenantId } = ctx;
  const { position, categories } = await namedBatch(db, {
    position: catalogPosition(ctx),
    categories: rows<CategoryDetailRow>(
      db,
      sql`SELECT ${CATEGORY_DETAIL_COLUMNS} FROM categories c WHERE c.tenant_id = ${tenantId}`,
    ),
  });
  const data = presentTree(categories, (row) => row.parent_id === null, view);
  return { version: versionOf(position), answer: ok({ data }) };
}

/**
 * Reads the category whose id the expression yields, with its descendants. Fails with `category_not_found`
 * below a hidden category, unless the view includes those.
 */
export async function readCategory(
  ctx: TenantDatabase,
  categoryId: SQL,
  view: CategoryView,
): Promise<Filled<Category>> {
  const { db, tenantId } = ctx;
  const { position, subtree } = await namedBatch(db, {
    position: catalogPosition(ctx),
    subtree: rows<CategoryDetailRow & { distance: number }>(
      db,
      sql`SELECT ${CATEGORY_DETAIL_COLUMNS}, a.distance FROM category_ancestors a JOIN categories c ON c.id = a.category_id
        WHERE a.tenant_id = ${tenantId} AND a.ancestor_id = ${categoryId}
          ${view.hidden ? sql`` : sql`AND NOT ${isHidden(tenantId, categoryId)}`}`,
    ),
  });
  const root = subtree.find(({ distance }) => distance === 0);
  const [category] = presentTree(subtree, (row) => row.id === root?.id, view);
  const answer = category ? ok(category) : fail('category_not_found');
  return { version: versionOf(position), answer, revision: root?.revision };
}
