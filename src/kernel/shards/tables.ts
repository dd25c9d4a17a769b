import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ShardName } from './shard-names.ts';

/**
 * Where each tenant's rows are, in the directory. It allots the tenants' ids and holds their slugs apart. A
 * placement is `creating` until the shard has the tenant's row.
 */
export const placements = sqliteTable(
  'placements',
  {
    tenantId: integer().primaryKey({ autoIncrement: true }),
    slug: text().notNull().unique(),
    shard: text().$type<ShardName>().notNull(),
    state: text({ enum: ['creating', 'placed'] }).notNull(),
    createdAt: integer().notNull(),
    /**
     * The shard that the tenant is on once the fence of `shard` is `moved` by the step with this epoch; null unless a
     * move is about to switch it.
     */
    next: text().$type<ShardName>(),
    nextEpoch: integer(),
  },
  (t) => [index('placements_shard').on(t.shard), index('placements_state').on(t.state, t.createdAt)],
);

/** The size and load of each shard, in the directory. New tenants go by them. */
export const shards = sqliteTable('shards', {
  name: text().$type<ShardName>().primaryKey(),
  /** The size of its database, and the events that it recorded in the last minute. */
  bytes: integer().notNull(),
  events: integer().notNull(),
  measuredAt: integer().notNull(),
  /** The tenant that has the shard for itself; null for a shared one. */
  ownerId: integer(),
});
