import { type SQL, sql } from 'drizzle-orm';
import type { SlugKind } from './tables.ts';

/** Where the live rows of each kind are. */
const LIVE: Readonly<Record<SlugKind, SQL>> = {
  product: sql`products WHERE deleted_at IS NULL`,
  category: sql`categories WHERE true`,
};

/**
 * Returns a subquery for the id of the product or category that a slug finds: the one that has it, else the one
 * that had it before. Triggers of the migration `reading` keep `former_slugs` and its bound.
 */
export const slugOwner = (tenantId: number, kind: SlugKind, slug: string): SQL => sql`(SELECT id FROM (
  SELECT id, 0 AS former FROM ${LIVE[kind]} AND tenant_id = ${tenantId} AND slug = ${slug}
  UNION ALL SELECT owner_id, 1 FROM former_slugs
    WHERE tenant_id = ${tenantId} AND kind = ${kind} AND slug = ${slug}
) ORDER BY former LIMIT 1)`;
