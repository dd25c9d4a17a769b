import { sql } from 'drizzle-orm';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type PageRows, pageQueries } from '../reads/page-rows.ts';
import { type Changes, changedProductIds, readChanges } from './changes/index.ts';
import type { IndexCall, RowsAt } from './index-call.ts';
import { answerQuestion, type IndexAnswer } from './questions/index.ts';
import type { IndexContent } from './segments/index.ts';

/** Products before and after the page whose rows are read, and the most changed ones. */
const MAX_MOVED = 10;
const MAX_CHANGED = 20;

/**
 * Reads the next changes in one batch, and with them the rows that the page of `call` is likely to need: the caller
 * then needs no round trip of its own.
 */
export async function readChangesAndRows(
  ctx: TenantDatabase,
  content: IndexContent,
  call: IndexCall | undefined,
): Promise<{ readonly changes: Changes; readonly rows: RowsAt | null }> {
  const { position } = content;
  if (!call) return { changes: (await readChanges(ctx, { after: position }, {})).changes, rows: null };
  const { changes, others } = await readChanges(ctx, { after: position }, likelyRows(ctx, content, call));
  return { changes, rows: { version: changes.version, rows: others } };
}

/**
 * Returns the queries for the rows that a page probably has after the changes that are read in the same batch: those of
 * the page before them and of its neighbours, and those of the changed products.
 */
function likelyRows(ctx: TenantDatabase, content: IndexContent, { question, page }: IndexCall) {
  const { after, offset, limit } = question.cut;
  const from = Math.max(0, offset - MAX_MOVED);
  const cut = { after, offset: from, limit: offset - from + limit + MAX_MOVED };
  const before = answerQuestion(content, { ...question, facets: [], cut });
  const changed = changedProductIds(ctx.tenantId, content.position, MAX_CHANGED);
  const ids = JSON.stringify(before.page.map(({ id }) => id));
  const likely = sql`SELECT value AS product_id, key AS place FROM json_each(${ids})
    UNION ALL SELECT product_id, ${before.page.length} FROM (${changed})`;
  const places = sql`SELECT product_id, min(place) AS place FROM (${likely}) GROUP BY product_id`;
  return pageQueries(ctx, places, { ...page, most: limit });
}

/** Returns the rows of a page, or null if one is missing. */
export function rowsOfPage(read: PageRows, page: IndexAnswer['page']): PageRows | null {
  const ids = new Set(page.map(({ id }) => id));
  const products = read.products.filter(({ id }) => ids.has(id));
  if (products.length < ids.size) return null;
  const isOnPage = ({ product_id: id }: { readonly product_id: number }) => ids.has(id);
  return {
    sells: read.sells,
    products,
    variants: read.variants.filter(isOnPage),
    categories: read.categories.filter(isOnPage),
  };
}
