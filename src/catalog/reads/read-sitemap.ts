import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { iso } from '../../kernel/core/clock.ts';
import { ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { type Sitemap, type SitemapKind, sitemapCursor } from '../sitemap/schemas.ts';
import { isHidden } from './rows.ts';

/** Number of entries of a page. */
export const SITEMAP_PAGE_SIZE = 1_000;

/** A product or category of the sitemap; `updated_at` is in ms. */
interface SitemapRow {
  readonly id: number;
  readonly slug: string;
  readonly updated_at: number;
}

/** The entries of each kind after an id, in the order of ids. */
const ENTRIES: Readonly<Record<SitemapKind, (tenantId: number, after: number) => SQL>> = {
  // Every product has a price in the main currency, so its list of all active products has them all.
  products: (tenantId, after) => sql`SELECT p.id, p.slug, p.updated_at
    FROM product_listings l CROSS JOIN products p ON p.id = l.product_id
    WHERE l.tenant_id = ${tenantId} AND l.category_id = 0 AND l.status = 'active'
      AND l.currency = (SELECT currency FROM tenants WHERE id = ${tenantId}) AND l.product_id > ${after}
    ORDER BY l.product_id`,
  categories: (tenantId, after) => sql`SELECT c.id, c.slug, c.updated_at FROM categories c
    WHERE c.tenant_id = ${tenantId} AND c.id > ${after} AND NOT ${isHidden(tenantId, sql`c.id`)} ORDER BY c.id`,
};

/** Reads a page of the active products, or of the categories that are not hidden, after an id. */
export async function readSitemap(
  ctx: TenantDatabase,
  kind: SitemapKind,
  after: number,
): Promise<Filled<Sitemap>> {
  const { position, entries } = await namedBatch(ctx.db, {
    position: catalogPosition(ctx),
    entries: rows<SitemapRow>(
      ctx.db,
      sql`${ENTRIES[kind](ctx.tenantId, after)} LIMIT ${SITEMAP_PAGE_SIZE + 1}`,
    ),
  });
  const page = entries.slice(0, SITEMAP_PAGE_SIZE);
  const last = entries.length > page.length ? page.at(-1) : undefined;
  const data = page.map(({ slug, updated_at }) => ({ slug, updated_at: iso(updated_at) }));
  const next_cursor = last ? sitemapCursor.encode({ kind, after: last.id }) : null;
  return { version: versionOf(position), answer: ok({ data, meta: { next_cursor } }) };
}
