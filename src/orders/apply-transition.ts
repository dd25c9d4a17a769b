import { and, eq, sql } from 'drizzle-orm';
import { commit, type EventType } from '../events/index.ts';
import {
  newCause,
  type Reservation,
  type ReservationStatus,
  setReservationStatus,
} from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { assertInBatch, type Statement, violation } from '../kernel/data/database.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { presentOrder } from './present.ts';
import { type OrderWithPayments, readForChange, type StoredOrder } from './store.ts';
import { type OrderRow, orders } from './tables.ts';

/** An order with everything that a transition is decided from. */
export interface OrderForChange extends OrderWithPayments {
  readonly reservation: Reservation;
}

/** A change of an order, committed in one batch. */
export interface Transition {
  readonly set: Partial<OrderRow>;
  /** Further statements of the batch: payments, coupon redemption. */
  readonly statements: readonly Statement[];
  /** The reservation's next status, and the reason of its stock movements. */
  readonly reservation?: { readonly to: ReservationStatus; readonly reason: string };
  readonly event?: EventType;
}

/** A transition to commit, or a result to return without a change. */
export type Decision = { readonly transition: Transition } | { readonly result: Result<OrderWithPayments> };

/**
 * Reads an order, calls `decide`, and commits the transition with its event and stock moves in one batch.
 * Retries when the batch is rejected. `refused` counts rejections without a concurrent change, such as
 * missing stock. Fails with `reference_taken` if another order has a payment with this reference.
 */
export async function applyTransition(
  ctx: TenantContext,
  orderId: string,
  decide: (order: OrderForChange, refused: number) => Decision,
): Promise<Result<StoredOrder>> {
  let refused = 0;
  let previous = '';
  for (let attempt = 0; attempt < 8; attempt++) {
    const order = await readForChange(ctx, orderId);
    if (!order.ok) return order;
    const revisions = `${order.value.row.revision}.${order.value.reservation.revision}`;
    if (revisions === previous) refused += 1;
    previous = revisions;
    const decision = decide(order.value, refused);
    if ('result' in decision) return decision.result;
    try {
      return ok(await commitTransition(ctx, order.value, decision.transition));
    } catch (error) {
      const violated = violation(error);
      if (!violated) throw error;
      if (violated.name.includes('payments.reference')) return fail('reference_taken');
    }
  }
  return fail('conflict');
}

async function commitTransition(
  ctx: TenantContext,
  order: OrderForChange,
  transition: Transition,
): Promise<StoredOrder> {
  const { db, tenantId } = ctx;
  const { row: previous, lines, reservation } = order;
  const { set, event, reservation: next } = transition;
  const row: OrderRow = { ...previous, ...set, revision: previous.revision + 1, updatedAt: now() };
  const cause = newCause(ctx, next?.reason ?? 'order');
  const thisOrder = and(eq(orders.tenantId, tenantId), eq(orders.id, row.id));
  const unchanged = sql`EXISTS (SELECT 1 FROM orders WHERE tenant_id = ${tenantId} AND id = ${row.id}
    AND revision = ${previous.revision})`;
  const update = { ...set, revision: row.revision, updatedAt: row.updatedAt };
  await commit(ctx, {
    batches: [cause.batch],
    guards: [assertInBatch(db, unchanged)],
    statements: [
      db.update(orders).set(update).where(thisOrder),
      ...transition.statements,
      ...(next ? setReservationStatus(ctx, cause, { reservation, to: next.to }) : []),
    ],
    events: event
      ? [{ type: event, resource: `order:${row.id}`, data: presentOrder(ctx.env, row, lines) }]
      : [],
  });
  return { row, lines };
}
