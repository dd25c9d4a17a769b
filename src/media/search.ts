import { and, desc, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ListPage, rowsBefore } from '../kernel/core/pagination.ts';
import { jsonList, namedBatch, rows } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { wordMatcher } from '../kernel/text/fold.ts';
import { mediaHashOf } from './media-uses.ts';
import { MAX_SEARCHED } from './schemas.ts';
import { type ListedMedia, storedBy, USED_MEDIA } from './store.ts';
import { media } from './tables.ts';

/** The most uses of images that a search looks at. */
const MAX_SEARCHED_USES = 5_000;

/** A product that shows images: its name, and as JSON their alternative texts by URL. */
interface DescribedProduct {
  readonly id: number;
  readonly name: string;
  readonly alts: string;
}

/** Returns the query for the products whose `id` a subquery selects, as {@link DescribedProduct}s; it bounds their bytes. */
export type DescribedProducts = (tenantId: number, ids: SQL) => SQL;

/** What is searched for, and the products that describe images. */
interface MediaSearch {
  readonly q: string;
  readonly products: DescribedProducts;
}

interface SearchedImage {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: number;
}

interface Use {
  readonly hash: string;
  readonly productId: number;
}

/**
 * Returns a page of the images that a product shows whose name, together with the text that it gives the image, has a
 * word for each word of `q` as its beginning; newest first, and their total. Looks at the {@link MAX_SEARCHED} newest
 * images, because no index has these texts.
 */
export async function searchMedia(
  ctx: TenantDatabase,
  page: ListPage<[createdAt: number, id: string]>,
  search: MediaSearch,
): Promise<ListedMedia> {
  const { db, tenantId } = ctx;
  const { found, held } = await findImages(ctx, search);
  const { after } = page;
  const follows = ({ createdAt, id }: SearchedImage) =>
    after === null || createdAt < after[0] || (createdAt === after[0] && id < after[1]);
  const start = rowsBefore(page);
  const shown = found.filter(follows).slice(start, start + page.limit + 1);
  const loaded = await db
    .select(USED_MEDIA)
    .from(media)
    .where(and(storedBy(tenantId), inArray(media.id, sql`(${jsonList(shown.map(({ id }) => id))})`)))
    .orderBy(desc(media.createdAt), desc(media.id));
  return { rows: loaded, total: found.length, found: shown.length, held };
}

/** Returns the images that match, newest first, and how many characters were read to find them. */
async function findImages(
  { db, tenantId }: TenantDatabase,
  { q, products }: MediaSearch,
): Promise<{ found: SearchedImage[]; held: number }> {
  const newest = sql`SELECT id, hash, created_at AS "createdAt" FROM media
    WHERE tenant_id = ${tenantId} AND state = 'stored' ORDER BY created_at DESC, id DESC LIMIT ${MAX_SEARCHED}`;
  const uses = sql`SELECT n.hash, u.product_id AS "productId" FROM (${newest}) n
    CROSS JOIN media_uses u ON u.tenant_id = ${tenantId} AND u.hash = n.hash LIMIT ${MAX_SEARCHED_USES}`;
  const read = await namedBatch(db, {
    images: rows<SearchedImage>(db, newest),
    uses: rows<Use>(db, uses),
    products: rows<DescribedProduct>(
      db,
      products(tenantId, sql`SELECT DISTINCT "productId" AS id FROM (${uses})`),
    ),
  });
  const matches = wordMatcher(q);
  const usesBy = Map.groupBy(read.uses, ({ productId }) => productId);
  const hashes = new Set(
    read.products.flatMap((product) => {
      const texts = textsByHash(product);
      const isFound = ({ hash }: Use) => matches([product.name, ...(texts.get(hash) ?? [])].join(' '));
      return (usesBy.get(product.id) ?? []).filter(isFound).map(({ hash }) => hash);
    }),
  );
  return {
    found: read.images.filter(({ hash }) => hashes.has(hash)),
    held: read.products.reduce((sum, { alts }) => sum + alts.length, 0),
  };
}

/** Returns the alternative texts that a product gives to uploaded images, by the hash of the image. */
function textsByHash({ alts }: DescribedProduct): Map<string, string[]> {
  const described = Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(alts)));
  const grouped = Map.groupBy(described, ([url]) => mediaHashOf(url) ?? '');
  return new Map([...grouped].map(([hash, entries]) => [hash, entries.map(([, alt]) => alt)]));
}
