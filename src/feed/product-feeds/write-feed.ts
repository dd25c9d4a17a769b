import { inTurn, type Kind, learnSize } from '../../kernel/async/memory-turns.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { BackgroundWork, TenantRow } from '../../tenants/index.ts';
import { WRITERS } from './formats.ts';
import { type FeedShop, type GoogleItem, toGoogleItem } from './google-item.ts';
import { isLastPage, lengthOf, type ProductRow, productRows } from './product-rows.ts';
import type { FeedPreview, FeedProblem } from './schemas.ts';
import type { FeedFormat } from './tables.ts';

/** Returns what the items of a tenant's feed have in common. */
export const feedShopOf = ({ name, currency, settings }: TenantRow): FeedShop => ({
  name,
  currency,
  productUrl: settings.feeds?.product_url ?? null,
});

/** What a feed's file is written from. */
interface FeedSource {
  readonly shop: FeedShop;
  readonly format: FeedFormat;
}

/** A part of a file, and the id of the SKU after which the next one begins; null at the end. */
interface FeedPart {
  readonly text: string;
  readonly after: number | null;
}

const partsOf = ({ tenantId }: TenantDatabase): Kind => ({ tenantId, name: 'feed' });

/** Reads a page of rows, and returns the part of the file with its items. */
async function readPart(ctx: TenantDatabase, { shop, format }: FeedSource, after: number): Promise<FeedPart> {
  const rows = await productRows(ctx, after);
  learnSize(partsOf(ctx), lengthOf(rows));
  const items = rows.flatMap((row) => {
    const result = toGoogleItem(row, shop);
    return 'item' in result ? [WRITERS[format].write(result.item)] : [];
  });
  return { text: items.join(''), after: isLastPage(rows) ? null : (rows.at(-1)?.id ?? null) };
}

/**
 * Yields a feed's file, a page of rows at a time: one query for each part, which is made once the isolate has memory for
 * the page, and the tenant's background work may go on. While a client is slow to read, it holds a part's text alone.
 */
export async function* writeFeed(
  { ctx, pause }: BackgroundWork,
  source: FeedSource,
): AsyncGenerator<string, void> {
  const writer = WRITERS[source.format];
  yield writer.begin(source.shop);
  let after: number | null = 0;
  while (after !== null) {
    const from: number = after;
    const part = await inTurn(partsOf(ctx), () => readPart(ctx, source, from));
    // A file that has begun can't respond with 503: it waits on.
    if (!part) continue;
    if (part.text !== '') yield part.text;
    after = part.after;
    if (after !== null) await pause();
  }
  if (writer.end !== '') yield writer.end;
}

/** Returns the items of the first rows that the feed doesn't leave out, at most `limit`. */
export const previewItems = (
  rows: readonly ProductRow[],
  shop: FeedShop,
  limit: number,
): FeedPreview['data'] =>
  rows
    .flatMap((row) => {
      const result = toGoogleItem(row, shop);
      const { product_id, variant_id, sku } = row;
      return 'item' in result ? [{ product_id, variant_id, sku, item: shownItem(result.item) }] : [];
    })
    .slice(0, limit);

const shownItem = (item: GoogleItem): FeedPreview['data'][number]['item'] =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );

/** The pages of rows that one call looks through for problems. */
const MAX_PAGES = 3;

/** A part of the list of problems, and the id of the SKU after which it continues; null at the end. */
interface ProblemPage {
  readonly data: FeedProblem[];
  readonly after: number | null;
}

/** Where a part of the list begins: after an id, with the page of rows that follows it. */
interface ProblemSearch {
  readonly after: number;
  readonly first: readonly ProductRow[];
  readonly limit: number;
}

/** Returns the next SKUs that the feed leaves out, at most `limit`. */
export async function findProblems(
  ctx: TenantDatabase,
  shop: FeedShop,
  { after, first, limit }: ProblemSearch,
): Promise<ProblemPage> {
  const data: FeedProblem[] = [];
  let at = after;
  for (let page = 0; page < MAX_PAGES; page++) {
    const rows = page === 0 ? first : await productRows(ctx, at);
    for (const row of rows) {
      const result = toGoogleItem(row, shop);
      if ('problems' in result) {
        if (data.length === limit) return { data, after: at };
        const { product_id, variant_id, sku, name } = row;
        data.push({ product_id, variant_id, sku, name, problems: [...result.problems] });
      }
      at = row.id;
    }
    if (isLastPage(rows)) return { data, after: null };
  }
  return { data, after: at };
}
