import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Metadata } from '../../kernel/values/metadata.ts';
import type { Seo } from '../tables.ts';

/** Categories; `parentId` is null for a root category. */
export const categories = sqliteTable(
  'categories',
  {
    id: integer().primaryKey(),
    tenantId: integer().notNull(),
    parentId: integer(),
    name: text().notNull(),
    slug: text().notNull(),
    /** Its place among its siblings, which are sorted by it, then by name; 0 until one of them is placed. */
    position: integer().notNull().default(0),
    description: text(),
    imageUrl: text(),
    seo: text({ mode: 'json' }).$type<Seo>(),
    /** A hidden category is left out of public reads, with its descendants. */
    hidden: integer({ mode: 'boolean' }).notNull().default(false),
    /** Visible to `catalog:write` only, so it must not enter a shared body. */
    metadata: text({ mode: 'json' }).$type<Metadata>().notNull().default({}),
    /** Incremented by each change of the category itself. */
    revision: integer().notNull().default(1),
    /** When the category itself changed last (ms). */
    updatedAt: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex('categories_slug').on(t.tenantId, t.slug),
    index('categories_tenant').on(t.tenantId, t.id),
    index('categories_place').on(t.tenantId, t.parentId, t.position),
    index('categories_sibling').on(t.tenantId, t.parentId, sql`name COLLATE NOCASE`),
  ],
);

/** Closure table: each category with itself (distance 0) and each of its ancestors. */
export const categoryAncestors = sqliteTable(
  'category_ancestors',
  {
    tenantId: integer().notNull(),
    categoryId: integer().notNull(),
    ancestorId: integer().notNull(),
    distance: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.categoryId, t.ancestorId] }),
    index('category_descendants').on(t.tenantId, t.ancestorId, t.categoryId),
  ],
);
