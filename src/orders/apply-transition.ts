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
import { readForChange, type StoredOrder, type WholeOrder } from './store.ts';
import { type OrderRow, orders } from './tables.ts';

/** An order as a change begins from it. */
export interface OrderForChange extends WholeOrder {
  readonly reservation: Reservation;
}

/** What a change makes of an order. */
export interface Step {
  readonly set: Partial<OrderRow>;
  /** Statements of the change's own: payments, coupon. */
  readonly statements: readonly Statement[];
  /** Where the reservation goes, and why stock moves then. */
  readonly reservation?: { readonly to: ReservationStatus; readonly reason: string };
  readonly event?: EventType;
}

/** What becomes of an order: a step, or what is answered as things stand. */
export type Decision = { readonly step: Step } | { readonly answer: Result<WholeOrder> };

/**
 * Changes an order: reads it, lets `decide` say what happens, and writes that in one batch with its event
 * and stock. When the batch is refused it begins anew; `decide` is told how often that was although nobody
 * else was quicker: stock, or what is sold, is gone. `reference_taken` when another order has a payment of
 * that name.
 */
export async function applyTransition(
  runtime: Runtime,
  db: Database,
  tenantId: number,
  orderId: string,
  decide: (ground: OrderForChange, refused: number) => Decision,
): Promise<Result<StoredOrder>> {
  let refused = 0;
  let before = '';
  for (let tries = 0; tries < 8; tries++) {
    const ground = await readForChange(db, tenantId, orderId);
    if (!ground.ok) return ground;
    const revisions = `${ground.value.row.revision}.${ground.value.reservation.revision}`;
    if (revisions === before) refused += 1;
    before = revisions;
    const decision = decide(ground.value, refused);
    if ('answer' in decision) return decision.answer;
    try {
      return ok(await write(runtime, db, ground.value, decision.step));
    } catch (error) {
      const broken = violation(error);
      if (!broken) throw error;
      if (broken.name.includes('payments.reference')) return fail('reference_taken');
    }
  }
  return fail('conflict');
}

async function write(
  runtime: Runtime,
  db: Database,
  ground: OrderForChange,
  step: Step,
): Promise<StoredOrder> {
  const { row: before, lines, reservation } = ground;
  const { tenantId } = before;
  const row: OrderRow = { ...before, ...step.set, revision: before.revision + 1, updatedAt: now() };
  const cause = { tenantId, batch: id('bat'), reason: step.reservation?.reason ?? 'order' };
  const mine = and(eq(orders.tenantId, tenantId), eq(orders.id, row.id));
  const results = await batch(db, [
    assertInBatch(
      db,
      sql`EXISTS (SELECT 1 FROM orders WHERE tenant_id = ${tenantId} AND id = ${row.id}
        AND revision = ${before.revision})`,
    ),
    db
      .update(orders)
      .set({ ...step.set, revision: row.revision, updatedAt: row.updatedAt })
      .where(mine),
    ...step.statements,
    ...(step.event
      ? [
          advanceClock(db, tenantId, 1, false),
          outboxRow(db, tenantId, cause.batch, {
            type: step.event,
            resource: `order:${row.id}`,
            sequence: clockTick(tenantId, 1, 0),
            data: presentOrder(runtime.env, row, lines),
          }),
        ]
      : []),
    ...(step.reservation ? setReservationStatus(db, cause, reservation, step.reservation.to) : []),
    ...publishQueries(db, cause),
  ]);
  await publishStock(runtime, tenantId, results);
  return { row, lines };
}
