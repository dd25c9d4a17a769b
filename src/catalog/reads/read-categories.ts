import { sql } from 'drizzle-orm';
import { fail, ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Filled } from '../../kernel/data/versioned-cache.ts';
import { catalogPosition } from '../../tenants/index.ts';
import { presentCategory, presentTree } from '../categories/present.ts';
import type { Category } from '../categories/schemas.ts';
import { CATEGORY_COLUMNS, type CategoryRow } from './rows.ts';

/** Reads the whole category tree. */
export async function readCategories(ctx: TenantDatabase): Promise<Filled> {
  const { db, tenantId } = ctx;
  const { position, categories } = await namedBatch(db, {
    position: catalogPosition(ctx),
    categories: rows<CategoryRow>(
      db,
      sql`SELECT ${CATEGORY_COLUMNS} FROM categories c WHERE c.tenant_id = ${tenantId}`,
    ),
  });
  return { version: position[0]?.version ?? 0, answer: ok({ data: presentTree(categories, null) }) };
}

/** Reads a category with its descendants. */
export async function readCategory(ctx: TenantDatabase, categoryId: number): Promise<Filled<Category>> {
  const { db, tenantId } = ctx;
  const { position, subtree } = await namedBatch(db, {
    position: catalogPosition(ctx),
    subtree: rows<CategoryRow>(
      db,
      sql`SELECT ${CATEGORY_COLUMNS} FROM category_ancestors a JOIN categories c ON c.id = a.category_id
        WHERE a.tenant_id = ${tenantId} AND a.ancestor_id = ${categoryId}`,
    ),
  });
  const root = subtree.find((row) => row.id === categoryId);
  const answer = root ? ok(presentCategory(root, presentTree(subtree, root.id))) : fail('category_not_found');
  return { version: position[0]?.version ?? 0, answer, revision: root?.revision };
}
