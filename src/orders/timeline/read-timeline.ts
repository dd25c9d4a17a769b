import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { namedBatch } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { orderRow } from '../store.ts';
import { timelineOf } from './store.ts';
import type { TimelineRow } from './tables.ts';

/** Returns an order's timeline, oldest first; `order_not_found`. */
export async function readTimeline(ctx: TenantDatabase, orderId: string): Promise<Result<TimelineRow[]>> {
  const { order, entries } = await namedBatch(ctx.db, {
    order: orderRow(ctx, orderId),
    entries: timelineOf(ctx, orderId),
  });
  return order.length > 0 ? ok(entries) : fail('order_not_found');
}
