import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The file formats of product feeds. */
export const FEED_FORMATS = ['xml', 'csv', 'jsonl'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** Product feeds for other services: each row makes one signed address valid. */
export const feeds = sqliteTable(
  'feeds',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    format: text().$type<FeedFormat>().notNull(),
    /** When the hour began in which files are counted (ms), and how many were written in it. */
    hourStartedAt: integer().notNull().default(0),
    filesInHour: integer().notNull().default(0),
    createdAt: integer().notNull(),
  },
  (t) => [index('feeds_tenant').on(t.tenantId, t.createdAt, t.id)],
);

/** A stored feed. */
export type FeedRow = typeof feeds.$inferSelect;
