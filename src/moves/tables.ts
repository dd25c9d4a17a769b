import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { MoveProgress, MoveState } from './progress.ts';

/** One row for each move of a tenant between shards, in the directory. */
export const tenantMoves = sqliteTable(
  'tenant_moves',
  {
    id: text().primaryKey(),
    tenantId: integer().notNull(),
    /** The shards that the tenant leaves and joins. */
    source: text().notNull(),
    target: text().notNull(),
    state: text().$type<MoveState>().notNull(),
    progress: text({ mode: 'json' }).$type<MoveProgress>().notNull(),
    /**
     * Rises with each claimed step of any move of the tenant: what a step writes is refused where a later one has
     * written already.
     */
    epoch: integer().notNull(),
    /** Until when (ms) a step has the move for itself. */
    claimedUntil: integer().notNull().default(0),
    createdAt: integer().notNull(),
    switchedAt: integer(),
    endedAt: integer(),
  },
  (t) => [
    index('tenant_moves_tenant').on(t.tenantId, t.createdAt),
    index('tenant_moves_unfinished').on(t.createdAt).where(sql`ended_at IS NULL`),
    // A tenant makes one move at a time; the old copy of an earlier one may still be there.
    uniqueIndex('tenant_moves_running').on(t.tenantId).where(sql`ended_at IS NULL AND switched_at IS NULL`),
  ],
);

/** A row of {@link tenantMoves}. */
export type MoveRow = typeof tenantMoves.$inferSelect;

/** In each shard: the rows of its moving tenants that changed and are still to be copied, each once. */
export const moveChanges = sqliteTable(
  'move_changes',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    name: text().notNull(),
    /** The values of the columns that name the row, or its group, as a JSON array. */
    key: text().notNull(),
  },
  (t) => [
    uniqueIndex('move_changes_row').on(t.tenantId, t.name, t.key),
    index('move_changes_tenant').on(t.tenantId, t.id),
  ],
);
