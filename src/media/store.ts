import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { MINUTE, now } from '../kernel/core/clock.ts';
import { type ListPage, rowsBefore } from '../kernel/core/pagination.ts';
import { id as newId } from '../kernel/crypto/crypto.ts';
import {
  assertInBatch,
  type Database,
  database,
  jsonList,
  namedBatch,
  rows,
  run,
  type Statement,
} from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { quotaUsed, tenants, withinQuota } from '../tenants/index.ts';
import { type MediaPlace, mediaPath } from './object-keys.ts';
import { MAX_USES } from './schemas.ts';
import { type MediaRow, media, mediaUses } from './tables.ts';
import type { DetectedImage } from './uploads/detect-image.ts';

/** A deletion that is older than this (ms) has died, so that an upload may take its row over. */
const DELETION_LEASE_MS = MINUTE;

/** An image, and as JSON the ids of at most {@link MAX_USES} products that show it. */
export interface UsedMedia extends MediaRow {
  readonly productIds: string;
}

const USES = sql<string>`(SELECT json_group_array(u.product_id) FROM (SELECT product_id FROM media_uses
  WHERE tenant_id = media.tenant_id AND hash = media.hash ORDER BY product_id LIMIT ${sql.raw(String(MAX_USES))}) u)`;

/** Returns the condition that an image is a tenant's, and stored. */
export const storedBy = (tenantId: number) => and(eq(media.tenantId, tenantId), eq(media.state, 'stored'));

/** The columns of {@link UsedMedia}. */
export const USED_MEDIA = { ...getTableColumns(media), productIds: USES };

/** Returns the tenant's slug, which names its objects. */
export async function slugOf(env: Env, tenantId: number): Promise<string> {
  const [tenant] = await database(env, tenantId)
    .select({ slug: tenants.slug })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  if (!tenant) throw new Error(`There is no tenant ${tenantId}`);
  return tenant.slug;
}

/** Returns the tenant's stored image with this id, or null. */
export async function loadMedia({ db, tenantId }: TenantDatabase, id: string): Promise<UsedMedia | null> {
  const [row] = await db
    .select(USED_MEDIA)
    .from(media)
    .where(and(storedBy(tenantId), eq(media.id, id)));
  return row ?? null;
}

/** Returns the public URLs of the tenant's stored images with these ids, by id. */
export async function uploadedImages(
  { db, tenantId, origin, slug }: TenantDatabase & MediaPlace,
  ids: readonly string[],
): Promise<[id: string, url: string][]> {
  const found = await db
    .select({ id: media.id, hash: media.hash })
    .from(media)
    .where(and(storedBy(tenantId), inArray(media.id, sql`(${jsonList(ids)})`)));
  return found.map(({ id, hash }) => [id, `${origin}${mediaPath(slug, hash)}`]);
}

/** Returns the tenant's row for these bytes in any state, or null. */
export async function loadByHash({ db, tenantId }: TenantDatabase, hash: string): Promise<MediaRow | null> {
  const [row] = await db
    .select()
    .from(media)
    .where(and(eq(media.tenantId, tenantId), eq(media.hash, hash)));
  return row ?? null;
}

/** The rows of a page of images and one more, with their total; `found` counts also those deleted since they were found. */
export interface ListedMedia {
  readonly rows: UsedMedia[];
  readonly total: number;
  readonly found: number;
  /** How many characters of texts a search read. */
  readonly held?: number;
}

/** Returns a page of the tenant's stored images, newest first, and their total. */
export async function listMedia(
  { db, tenantId }: TenantDatabase,
  page: ListPage<[createdAt: number, id: string]>,
): Promise<ListedMedia> {
  const { after } = page;
  const older = after && sql`(${media.createdAt}, ${media.id}) < (${after[0]}, ${after[1]})`;
  const { listed, counted } = await namedBatch(db, {
    listed: db
      .select(USED_MEDIA)
      .from(media)
      .where(and(storedBy(tenantId), older ?? undefined))
      .orderBy(desc(media.createdAt), desc(media.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    // The quota counts uploads under way as well.
    counted: rows<{ total: number }>(
      db,
      sql`SELECT ${quotaUsed(tenantId, 'media')} - count(*) AS total FROM ${media}
        WHERE tenant_id = ${tenantId} AND state = 'storing'`,
    ),
  });
  return { rows: listed, total: counted[0]?.total ?? 0, found: listed.length };
}

/** An image to store: what was detected, its SHA-256 in hex, and its size in bytes. */
export interface NewMedia extends DetectedImage {
  readonly hash: string;
  readonly bytes: number;
}

/** The row that an upload writes for: its id, and its generation at that time. */
export type Claim = Pick<MediaRow, 'id' | 'generation'>;

/**
 * Records that an upload of these bytes begins, within the tenant's quotas. Concurrent uploads of the same
 * bytes share a row. Returns null while a deletion of the same image is under way.
 */
export async function claimUpload(ctx: TenantDatabase, image: NewMedia): Promise<Claim | null> {
  const { db, tenantId } = ctx;
  const at = now();
  const { hash, contentType, width, height, bytes } = image;
  const renewed = (column: string) =>
    sql.raw(`${column} = iif(state = 'storing', ${column}, excluded.${column})`);
  const { claimed } = await namedBatch(db, {
    claimed: rows<Claim>(
      db,
      sql`INSERT INTO media (id, tenant_id, hash, content_type, width, height, bytes, state, generation,
          touched_at, created_at)
        VALUES (${newId('med')}, ${tenantId}, ${hash}, ${contentType}, ${width}, ${height}, ${bytes},
          'storing', ${at}, ${at}, ${at})
        ON CONFLICT (tenant_id, hash) DO UPDATE SET ${renewed('id')}, ${renewed('created_at')},
          state = 'storing', touched_at = excluded.touched_at
        WHERE state IN ('storing', 'deleted')
          OR (state = 'deleting' AND touched_at < ${at - DELETION_LEASE_MS})
        RETURNING id, generation`,
    ),
    count: withinQuota(ctx, 'media'),
    bytes: withinQuota(ctx, 'media_bytes'),
  });
  return claimed[0] ?? null;
}

/** Returns the statements that record an object as stored. They abort if its row was deleted since the claim. */
export const settleStatements = (
  { db, tenantId }: TenantDatabase,
  { id, generation }: Claim,
): Statement[] => {
  const claimed = and(eq(media.tenantId, tenantId), eq(media.id, id), eq(media.generation, generation));
  return [
    assertInBatch(
      db,
      sql`EXISTS (SELECT 1 FROM ${media} WHERE ${claimed} AND ${media.state} IN ('storing', 'stored'))`,
    ),
    db.update(media).set({ state: 'stored', touchedAt: now() }).where(claimed),
  ];
};

/** An image whose objects are being deleted. */
type Deletion = Pick<MediaRow, 'id' | 'tenantId' | 'hash' | 'generation'>;

const DELETION = sql`id, tenant_id AS "tenantId", hash, generation`;

/** What shows an image: at most {@link MAX_USES} products and categories, and whether the theme does. */
interface ImageUses {
  readonly productIds: readonly number[];
  readonly categoryIds: readonly number[];
  readonly theme: boolean;
}

/** Returns the query for the ids of what shows the image with a hash. */
type Showing = (tenantId: number, hash: SQL) => SQL;

/** The queries of the modules that show images by their plain URLs. */
export interface ShownBy {
  readonly categories: Showing;
  readonly theme: Showing;
}

/** Returns the queries for the products, the categories and the theme that show an image, each an `id`. */
function usesOf(tenantId: number, id: string, { categories, theme }: ShownBy) {
  const hash = sql`(SELECT hash FROM ${media} WHERE tenant_id = ${tenantId} AND id = ${id})`;
  return {
    products: sql`SELECT product_id AS id FROM ${mediaUses} WHERE tenant_id = ${tenantId} AND hash = ${hash}`,
    categories: categories(tenantId, hash),
    theme: theme(tenantId, hash),
  };
}

/**
 * Hides a stored image that nothing shows, in order to delete its objects. Returns null if there is none, or else what
 * shows it.
 */
export async function beginDeletion(
  { db, tenantId }: TenantDatabase,
  id: string,
  shownBy: ShownBy,
): Promise<Deletion | ImageUses | null> {
  const uses = usesOf(tenantId, id, shownBy);
  const first = (query: SQL) => rows<{ id: number }>(db, sql`${query} ORDER BY 1 LIMIT ${MAX_USES}`);
  const { begun, products, categories, theme, found } = await namedBatch(db, {
    begun: rows<Deletion>(
      db,
      sql`UPDATE ${media} SET state = 'deleting', generation = generation + 1, touched_at = ${now()}
        WHERE tenant_id = ${tenantId} AND id = ${id} AND state = 'stored' AND NOT EXISTS (${uses.products})
          AND NOT EXISTS (${uses.categories}) AND NOT EXISTS (${uses.theme})
        RETURNING ${DELETION}`,
    ),
    products: first(uses.products),
    categories: first(uses.categories),
    theme: first(uses.theme),
    found: db
      .select({ id: media.id })
      .from(media)
      .where(and(storedBy(tenantId), eq(media.id, id))),
  });
  const [deletion] = begun;
  if (deletion) return deletion;
  if (found.length === 0) return null;
  const ids = (list: readonly { readonly id: number }[]) => list.map((one) => one.id);
  return { productIds: ids(products), categoryIds: ids(categories), theme: theme.length > 0 };
}

/** Records that an image's objects were deleted. The row stays for {@link claimUnfinished}. */
export const endDeletion = async (
  { db, tenantId }: TenantDatabase,
  { id, generation }: Deletion,
): Promise<void> => {
  await run(
    db,
    sql`UPDATE ${media} SET state = 'deleted', touched_at = ${now()}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND generation = ${generation} AND state = 'deleting'`,
  );
};

/** Claims at most `limit` rows, of all tenants, that have not been `stored` since before `before` (ms). */
export const claimUnfinished = async (db: Database, before: number, limit: number): Promise<Deletion[]> =>
  rows<Deletion>(
    db,
    sql`UPDATE ${media} SET state = 'deleting', generation = generation + 1, touched_at = ${now()}
      WHERE id IN (SELECT id FROM ${media} WHERE state <> 'stored' AND touched_at < ${before}
        AND ${settled()} LIMIT ${limit})
      RETURNING ${DELETION}`,
  );

/** Removes the rows of deletions, unless an upload has taken them over. */
export const removeRows = async (db: Database, deletions: readonly Deletion[]): Promise<void> => {
  const done = JSON.stringify(deletions.map(({ id, generation }) => ({ id, generation })));
  await run(
    db,
    sql`DELETE FROM ${media} WHERE state = 'deleting' AND (id, generation) IN
      (SELECT value ->> 'id', value ->> 'generation' FROM json_each(${done}))`,
  );
};
