import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ImageType } from './uploads/detect-image.ts';

/**
 * States of an image. `storing`: its object may be in R2. `stored`: it is. `deleting`: its objects are being
 * deleted. `deleted`: they were. Only `stored` rows are visible; the others end with the chore `unfinishedMedia`.
 */
type MediaState = 'storing' | 'stored' | 'deleting' | 'deleted';

/** One row for each image of a tenant, named by the SHA-256 of its bytes. */
export const media = sqliteTable(
  'media',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    hash: text().notNull(),
    contentType: text().$type<ImageType>().notNull(),
    /** Pixels, as displayed. */
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: integer().notNull(),
    state: text().$type<MediaState>().notNull(),
    /**
     * Raised by every deletion, so that an upload that began before it is not recorded as stored.
     */
    generation: integer().notNull(),
    /** When `state` last changed or was confirmed (ms). */
    touchedAt: integer().notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('media_hash').on(t.tenantId, t.hash),
    index('media_listed').on(t.tenantId, t.state, t.createdAt, t.id),
    index('media_unfinished').on(t.touchedAt).where(sql`state <> 'stored'`),
  ],
);

/** The images that a product shows, which therefore can't be deleted. Written with the product. */
export const mediaUses = sqliteTable(
  'media_uses',
  {
    tenantId: integer().notNull(),
    productId: integer().notNull(),
    hash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.productId, t.hash] }),
    index('media_uses_image').on(t.tenantId, t.hash, t.productId),
  ],
);

/** A row of {@link media}. */
export type MediaRow = typeof media.$inferSelect;
