import { sql } from 'drizzle-orm';
import { commit, type EventType } from '../../events/index.ts';
import {
  newCause,
  type Reservation,
  type ReservationStatus,
  releaseSold,
  returnSold,
  type SoldUnits,
  setReservationStatus,
  type WriteCause,
} from '../../inventory/index.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { assertInBatch, type Statement, violation } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { toNumber } from '../../kernel/values/money.ts';
import { advanceClock, clockTick } from '../../tenants/index.ts';
import { orderInEvent, promotionsOfOrder } from '../present.ts';
import { presentRefund } from '../refunds/present.ts';
import { unitsWrittenOff } from '../refunds/returned-units.ts';
import type { RefundRow } from '../refunds/tables.ts';
import {
  type OrderWithPayments,
  orderKey,
  readForChange,
  type StoredOrder,
  withStoredTime,
} from '../store.ts';
import { type OrderRow, orders } from '../tables.ts';
import { type TimelineEntry, timelineStatements } from '../timeline/store.ts';
import { saleChange } from './sale-change.ts';

/** An order with everything that a transition is decided from. */
export interface OrderForChange extends OrderWithPayments {
  readonly reservation: Reservation;
}

/** A change of an order, committed in one batch. */
export interface Transition {
  /** The columns to write. `updatedAt` is the tenant's clock at the commit. */
  readonly set: Omit<Partial<OrderRow>, 'updatedAt' | 'revision'>;
  /** The batch's other statements: payments, redemptions. */
  readonly statements: readonly Statement[];
  /** The reservation's next status, and the reason of its stock movements. */
  readonly reservation?: { readonly to: ReservationStatus; readonly reason: string };
  /** Units that refunds return, of a reservation that keeps its status. */
  readonly returned?: SoldUnits;
  /** The refunds that succeed by it: each has an event and an entry of the timeline. */
  readonly refunded?: readonly RefundRow[];
  /** The entries of the order's timeline. */
  readonly timeline?: readonly TimelineEntry[];
  /** The lines, fulfilments and refunds after the change, if it changes them. */
  readonly next?: Partial<Pick<StoredOrder, 'lines' | 'fulfilments' | 'refunds'>>;
  readonly event?: EventType;
  /** The event's data besides the order. */
  readonly eventDetails?: Readonly<Record<string, unknown>>;
}

/** A transition to commit, or a result to return without a change. */
export type Decision = { readonly transition: Transition } | { readonly result: Result<OrderWithPayments> };

/** One attempt of a transition. */
export interface Attempt<Input> {
  readonly order: OrderForChange;
  readonly input: Input;
  /** How often the batch was rejected without a concurrent change, such as for missing stock. */
  readonly rejections: number;
}

/** The most attempts of a transition under concurrent changes. */
const MAX_ATTEMPTS = 8;

/**
 * Returns the action that changes an order as `decide` says: it reads the order, calls `decide`, and commits the
 * transition with its event and stock moves in one batch. Retries when the batch is rejected. Fails with
 * `reference_taken` if another order has a payment or refund with this reference.
 */
export const transitionOf =
  <Input>(decide: (ctx: TenantContext, attempt: Attempt<Input>) => Decision) =>
  async (ctx: TenantContext, orderId: string, input: Input): Promise<Result<StoredOrder>> => {
    let rejections = 0;
    let previous = '';
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const order = await readForChange(ctx, orderId);
      if (!order.ok) return order;
      const revisions = `${order.value.row.revision}.${order.value.reservation.revision}`;
      if (revisions === previous) rejections += 1;
      previous = revisions;
      const decision = decide(ctx, { order: order.value, input, rejections });
      if ('result' in decision) return decision.result;
      const committed = await tryTransition(ctx, order.value, decision.transition);
      if (committed) return committed;
    }
    return fail('conflict');
  };

/** Commits a transition. Returns null if the batch is rejected: the order has changed, or stock is missing. */
async function tryTransition(
  ctx: TenantContext,
  order: OrderForChange,
  transition: Transition,
): Promise<Result<StoredOrder> | null> {
  try {
    return ok(await commitTransition(ctx, order, transition));
  } catch (error) {
    const violated = violation(error);
    if (!violated) throw error;
    return /(?:payments|refunds)\.reference/.test(violated.name) ? fail('reference_taken') : null;
  }
}

async function commitTransition(
  ctx: TenantContext,
  order: OrderForChange,
  transition: Transition,
): Promise<StoredOrder> {
  const { db, tenantId } = ctx;
  const { row: previous, lines, fulfilments, reservation } = order;
  const { set, reservation: next, returned, refunded = [] } = transition;
  const row: OrderRow = { ...previous, ...set, revision: previous.revision + 1 };
  const after: StoredOrder = { row, lines, fulfilments, refunds: order.refunds, ...transition.next };
  const cause = newCause(ctx, next?.reason ?? (returned ? 'order_refunded' : 'order'));
  const unchanged = sql`EXISTS (SELECT 1 FROM orders WHERE tenant_id = ${tenantId} AND id = ${row.id}
    AND revision = ${previous.revision})`;
  const update = { ...set, revision: row.revision, updatedAt: clockTick(tenantId, 1, 0) };
  const { read } = await commit(ctx, {
    batches: [cause.batch],
    guards: [assertInBatch(db, unchanged)],
    statements: [
      advanceClock(ctx, 1),
      db.update(orders).set(update).where(orderKey(tenantId, row.id)),
      ...transition.statements,
      ...saleChange(ctx, order, after),
      ...[...refunded.map(refundEntry), ...(transition.timeline ?? [])].flatMap((entry) =>
        timelineStatements(ctx, row.id, entry),
      ),
      ...stockStatements(ctx, cause, { reservation, after, transition }),
    ],
    mayAdvance: promotionsOfOrder(row).some(({ code }) => code === null),
    events: eventsOf(ctx, after, transition),
    reads: { changed: db.select({ at: orders.updatedAt }).from(orders).where(orderKey(tenantId, row.id)) },
  });
  return { ...after, row: { ...row, updatedAt: read.changed[0]?.at ?? row.updatedAt } };
}

/** Returns the timeline's entry of a refund that succeeded, by who asked for it. */
const refundEntry = ({ id, amount, currency, source, requestedBy }: RefundRow): TimelineEntry => ({
  type: 'refunded',
  details: { refund_id: id, amount: toNumber(amount, currency), currency, source },
  by: requestedBy,
});

/** Returns the statements that move an order's stock. A cancellation returns what refunds have not written off. */
function stockStatements(
  ctx: TenantContext,
  cause: WriteCause,
  {
    reservation,
    after,
    transition: { reservation: next, returned },
  }: { readonly reservation: Reservation; readonly after: StoredOrder; readonly transition: Transition },
): Statement[] {
  const { id: orderId } = after.row;
  if (next?.to === 'released' && reservation.status === 'consumed') {
    return releaseSold(ctx, cause, { reservation, orderId, writtenOff: unitsWrittenOff(after) });
  }
  if (next) return setReservationStatus(ctx, cause, { reservation, to: next.to, orderId });
  return returned ? returnSold(ctx, cause, { reservation, ...returned }) : [];
}

/** Returns the events of a transition; a cancellation follows its refund. */
function eventsOf(
  { env }: TenantContext,
  after: StoredOrder,
  { refunded = [], event, eventDetails }: Transition,
) {
  if (refunded.length === 0 && !event) return [];
  const resource = `order:${after.row.id}`;
  const order = orderInEvent(env, after);
  return [
    ...refunded.map((refund) => ({
      type: 'order.refunded' as const,
      resource,
      data: withStoredTime(after.row, { ...order, refund: presentRefund(after, refund) }),
    })),
    ...(event
      ? [{ type: event, resource, data: withStoredTime(after.row, { ...order, ...eventDetails }) }]
      : []),
  ];
}
