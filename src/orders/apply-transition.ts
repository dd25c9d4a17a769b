import { and, eq, sql } from 'drizzle-orm';
import { type EventType, outboxRow } from '../events/index.ts';
import {
  publishQueries,
  publishStock,
  type Reservation,
  type ReservationStatus,
  setReservationStatus,
} from '../inventory/index.ts';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { id } from '../kernel/crypto/crypto.ts';
import { assertInBatch, batch, type Database, type Statement, violation } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import { advanceClock, clockTick } from '../tenants/index.ts';
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
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  decide: (order: OrderForChange, refused: number) => Decision,
): Promise<Result<StoredOrder>> {
  let refused = 0;
  let previous = '';
  for (let attempt = 0; attempt < 8; attempt++) {
    const order = await readForChange(db, tenantId, orderId);
    if (!order.ok) return order;
    const revisions = `${order.value.row.revision}.${order.value.reservation.revision}`;
    if (revisions === previous) refused += 1;
    previous = revisions;
    const decision = decide(order.value, refused);
    if ('result' in decision) return decision.result;
    try {
      return ok(await commitTransition(runtime, db, order.value, decision.transition));
    } catch (error) {
      const violated = violation(error);
      if (!violated) throw error;
      if (violated.name.includes('payments.reference')) return fail('reference_taken');
    }
  }
  return fail('conflict');
}

async function commitTransition(
  runtime: Runtime,
  db: Database,
  order: OrderForChange,
  transition: Transition,
): Promise<StoredOrder> {
  const { row: previous, lines, reservation } = order;
  const { tenantId } = previous;
  const row: OrderRow = { ...previous, ...transition.set, revision: previous.revision + 1, updatedAt: now() };
  const cause = { tenantId, batch: id('bat'), reason: transition.reservation?.reason ?? 'order' };
  const thisOrder = and(eq(orders.tenantId, tenantId), eq(orders.id, row.id));
  const results = await batch(db, [
    assertInBatch(
      db,
      sql`EXISTS (SELECT 1 FROM orders WHERE tenant_id = ${tenantId} AND id = ${row.id}
        AND revision = ${previous.revision})`,
    ),
    db
      .update(orders)
      .set({ ...transition.set, revision: row.revision, updatedAt: row.updatedAt })
      .where(thisOrder),
    ...transition.statements,
    ...(transition.event
      ? [
          advanceClock(db, tenantId, 1, false),
          outboxRow(db, tenantId, cause.batch, {
            type: transition.event,
            resource: `order:${row.id}`,
            sequence: clockTick(tenantId, 1, 0),
            data: presentOrder(runtime.env, row, lines),
          }),
        ]
      : []),
    ...(transition.reservation
      ? setReservationStatus(db, cause, reservation, transition.reservation.to)
      : []),
    ...publishQueries(db, cause),
  ]);
  await publishStock(runtime, tenantId, results);
  return { row, lines };
}
