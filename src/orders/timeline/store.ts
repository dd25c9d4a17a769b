import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Actor, SYSTEM } from '../../kernel/core/actor.ts';
import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { namedBatch, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { orderRow } from '../store.ts';
import { orderTimeline, type TimelineDetails, type TimelineRow, type TimelineType } from './tables.ts';

/** The number of entries that an order keeps; the oldest are deleted. */
const MAX_TIMELINE_ENTRIES = 200;

/** An entry of an order's timeline. */
export interface TimelineEntry {
  readonly type: TimelineType;
  readonly details?: TimelineDetails;
  /** Who did it; by default the context's actor. */
  readonly by?: Actor;
}

const ofOrder = ({ tenantId }: TenantDatabase, orderId: string): SQL =>
  sql`tenant_id = ${tenantId} AND order_id = ${orderId}`;

/**
 * Returns the statements that append an entry to an order's timeline, for the batch of the change itself. An
 * order keeps the latest {@link MAX_TIMELINE_ENTRIES}.
 */
export function timelineStatements(
  ctx: Pick<TenantContext, 'db' | 'tenantId' | 'actor'>,
  orderId: string,
  { type, details = {}, by = ctx.actor ?? SYSTEM }: TimelineEntry,
): Statement[] {
  const { db, tenantId } = ctx;
  const inTimeline = ofOrder(ctx, orderId);
  const last = sql`(SELECT max(id) FROM order_timeline WHERE ${inTimeline})`;
  return [
    run(
      db,
      sql`INSERT INTO order_timeline (tenant_id, order_id, id, at, type, actor_kind, actor_id, details)
        VALUES (${tenantId}, ${orderId}, coalesce(${last}, 0) + 1, ${now()}, ${type}, ${by.kind},
          ${by.id ?? null}, ${JSON.stringify(details)})`,
    ),
    run(db, sql`DELETE FROM order_timeline WHERE ${inTimeline} AND id <= ${last} - ${MAX_TIMELINE_ENTRIES}`),
  ];
}

/** Returns an order's timeline, oldest first; `order_not_found`. */
export async function readTimeline(ctx: TenantDatabase, orderId: string): Promise<Result<TimelineRow[]>> {
  const { db, tenantId } = ctx;
  const { order, entries } = await namedBatch(db, {
    order: orderRow(ctx, orderId),
    entries: db
      .select()
      .from(orderTimeline)
      .where(and(eq(orderTimeline.tenantId, tenantId), eq(orderTimeline.orderId, orderId)))
      .orderBy(asc(orderTimeline.id)),
  });
  return order.length > 0 ? ok(entries) : fail('order_not_found');
}

/** Returns the newest entries of the timelines of these orders (a query of their ids), at most `limit`. */
export const timelinesOfPerson = (
  { db, tenantId }: TenantDatabase,
  orderIds: SQL,
  limit: number,
): Promise<TimelineRow[]> =>
  db
    .select()
    .from(orderTimeline)
    .where(and(eq(orderTimeline.tenantId, tenantId), sql`${orderTimeline.orderId} IN (${orderIds})`))
    .orderBy(desc(orderTimeline.at), desc(orderTimeline.orderId), desc(orderTimeline.id))
    .limit(limit);

/**
 * Returns the statement that removes personal data from the timelines of these orders (a query of their ids):
 * the shopper's id, and texts that somebody wrote or that lead to a person.
 */
export const redactTimelines = ({ db, tenantId }: TenantDatabase, orderIds: SQL): Statement =>
  run(
    db,
    sql`UPDATE order_timeline SET details = json_remove(details, '$.reason', '$.tracking', '$.text'),
        actor_id = CASE actor_kind WHEN 'shopper' THEN NULL ELSE actor_id END
      WHERE tenant_id = ${tenantId} AND order_id IN (${orderIds})
        AND ((actor_kind = 'shopper' AND actor_id IS NOT NULL)
          OR json_type(details, '$.reason') IS NOT NULL OR json_type(details, '$.tracking') IS NOT NULL
          OR json_type(details, '$.text') IS NOT NULL)`,
  );
