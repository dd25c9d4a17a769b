import { type SQL, sql } from 'drizzle-orm';
import { type FittingRow, fittingPage, foundRows, isSmall } from '../../catalog/index.ts';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { iso, isoOrNull } from '../../kernel/core/clock.ts';
import { type ListPage, rowsBefore, totalIn, unlessCounted } from '../../kernel/core/pagination.ts';
import { ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { toNumber } from '../../kernel/values/money.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import { categoryPath } from '../category-path.ts';
import { ITEM_IN_STOCK } from '../item-in-stock.ts';
import { feedPages, type MarketplaceProduct } from './schemas.ts';

/** A feed item as read. JSON columns are text; those of a variant are null for a product. */
interface FeedRow extends FittingRow {
  readonly id: number;
  readonly product_id: number;
  readonly sku: string;
  readonly updated_at: number;
  readonly stock: number;
  readonly in_stock: 0 | 1;
  readonly name: string;
  readonly prices: string;
  /** Null where the page was to have small products only, and this one isn't. */
  readonly images: string | null;
  readonly image: string | null;
  readonly attributes: string | null;
  readonly barcode: string | null;
  readonly category_path: string | null;
}

/** A page of the feed. */
export interface FeedPage extends ListPage<number> {
  /** The instant after which items changed (ms), or null for everything that is sellable now. */
  readonly since: number | null;
  /** The currency of the prices. */
  readonly currency: string;
}

/**
 * Reads a page of the feed, ordered by instant, and the catalogue version in one batch. Each change has a
 * unique, rising instant for the tenant, so following `next_updated_since` misses none. If a product isn't small, a
 * second batch reads as many as fit.
 */
export async function readFeed(ctx: TenantDatabase, page: FeedPage, fits = false): Promise<Filled> {
  const { db, tenantId } = ctx;
  const { position, counted, found } = await namedBatch(db, {
    position: catalogPosition(ctx),
    ...unlessCounted(page, rows<{ total: number }>(db, total(tenantId, page))),
    found: rows<FeedRow>(db, items(tenantId, page, fits)),
  });
  if (found.some(({ images }) => images === null)) return readFeed(ctx, page, true);
  const of = {
    total: totalIn(page, counted),
    found: foundRows(found),
    key: (row: FeedRow) => row.updated_at,
    carriesTotal: page.since !== null,
  };
  const shown = feedPages.cut(found, page, of);
  const last = shown.rows.at(-1)?.updated_at ?? page.after ?? page.since;
  const meta = {
    ...shown.meta,
    next_updated_since: isoOrNull(last),
  };
  return {
    version: versionOf(position),
    answer: ok({ data: shown.rows.map((row) => present(row, page.currency)), meta }),
  };
}

/**
 * Counts the feed: from the trigger-maintained count without `since`, else over the changes, which are few.
 */
const total = (tenantId: number, { since }: FeedPage): SQL =>
  since === null
    ? sql`SELECT coalesce(sum(total), 0) AS total FROM feed_counts WHERE tenant_id = ${tenantId}`
    : sql`SELECT count(*) AS total FROM inventory_items
        WHERE tenant_id = ${tenantId} AND feed IN ('live', 'gone') AND updated_at > ${since}`;

/** Selects the page's items; SQLite merges the two ordered index ranges without sorting. */
function items(tenantId: number, page: FeedPage, fits: boolean): SQL {
  const range = (feed: 'live' | 'gone') => sql`SELECT id, product_id, updated_at FROM inventory_items
    WHERE tenant_id = ${tenantId} AND feed = ${feed} AND updated_at > ${page.after ?? page.since ?? -1}`;
  const chosen = page.since === null ? range('live') : sql`${range('live')} UNION ALL ${range('gone')}`;
  const whole = sql`${chosen} ORDER BY updated_at LIMIT ${page.limit + 1} OFFSET ${rowsBefore(page)}`;
  const shown = fits
    ? fittingPage(whole, { order: sql`l.updated_at`, include: [] })
    : sql`SELECT *, NULL AS follows FROM (${whole})`;
  const images = fits ? sql`p.images` : sql`iif(${isSmall(page.limit)}, p.images, NULL) AS images`;
  return sql`SELECT i.id, i.product_id, i.sku, i.updated_at, f.follows, p.name, ${images}, v.image, v.attributes,
      CASE WHEN i.feed = 'live' THEN max(0, i.on_hand - i.reserved) ELSE 0 END AS stock,
      i.feed = 'live' AND ${ITEM_IN_STOCK} AS in_stock,
      coalesce(v.prices, p.prices) AS prices, iif(v.id IS NULL, p.barcode, v.barcode) AS barcode,
      ${categoryPath(tenantId)} AS category_path
    FROM (${shown}) f
    JOIN inventory_items i ON i.id = f.id JOIN products p ON p.id = i.product_id
    LEFT JOIN variants v ON v.id = i.id ORDER BY f.updated_at`;
}

function present(row: FeedRow, currency: string): MarketplaceProduct {
  // The catalogue validates these columns before it writes them.
  const prices = JSON.parse(row.prices) as Record<string, number>;
  const images = JSON.parse(row.images ?? '[]') as string[];
  const attributes = row.attributes === null ? {} : (JSON.parse(row.attributes) as Record<string, string>);
  const options = Object.values(attributes).join(' / ');
  return {
    id: row.id,
    product_id: row.product_id,
    sku: row.sku,
    name: options ? `${row.name} - ${options}` : row.name,
    price: toNumber(prices[currency] ?? 0, currency),
    currency,
    stock: row.stock,
    in_stock: row.in_stock === 1,
    images: row.image === null ? images : [...new Set([row.image, ...images])],
    ...(row.barcode === null ? {} : { barcode: row.barcode }),
    ...(row.category_path === null ? {} : { category_path: row.category_path }),
    updated_at: iso(row.updated_at),
  };
}
