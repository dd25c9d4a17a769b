import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { type OrderForChange, type Transition, transitionOf } from '../lifecycle/apply-transition.ts';
import { isPaidBack } from '../refunds/refundable.ts';
import { refundStatements } from '../refunds/store.ts';
import { unshipRefunded } from '../refunds/unship.ts';
import { orderById, type StoredOrder } from '../store.ts';
import { endOf, presentFulfilment } from './present.ts';
import { fulfilmentStatusOf, itemsToFulfil, withFulfilled } from './quantities.ts';
import {
  type FulfilmentCreate,
  type FulfilmentPatch,
  MAX_FULFILMENTS,
  type TrackingInput,
} from './schemas.ts';
import { countFulfilled, insertFulfilment, updateFulfilment } from './store.ts';
import type { FulfilmentRow, FulfilmentState, Tracking } from './tables.ts';

/** A fulfilment to create. Its id is chosen before, so that the response of a retry can be found. */
interface NewFulfilment {
  readonly id: string;
  readonly body: FulfilmentCreate;
  /** Statements that store the id with the request's Idempotency-Key. */
  readonly mark: () => readonly Statement[];
  /** Whether an order with nothing left stays as it is, in place of an error. */
  readonly mayBeEmpty?: boolean;
}

/** Returns tracking as it is stored: null where nothing is given. */
function trackingOf(input: TrackingInput | null | undefined): Tracking | null {
  const { carrier = null, number = null, url = null } = input ?? {};
  return (carrier ?? number ?? url) === null ? null : { carrier, number, url };
}

/** Returns why an order takes no fulfilment, or null. */
function unfulfillable({ row }: OrderForChange): string | null {
  if (row.status !== 'paid') return `The order is ${row.status}; only a paid one can be fulfilled.`;
  return row.cancelReason === null ? null : 'The order is being cancelled.';
}

const TOO_MANY = `An order has at most ${MAX_FULFILMENTS} fulfilments.`;

const createFulfilment = transitionOf<NewFulfilment>((ctx, { order, input }) => {
  const { row, lines, fulfilments } = order;
  const obstacle = unfulfillable(order);
  if (obstacle) return { result: fail('order_not_fulfillable', { message: obstacle }) };
  const refunded = fail('order_not_fulfillable', { message: 'All that was paid for the order is refunded.' });
  if (isPaidBack(order)) return { result: input.mayBeEmpty ? ok(order) : refunded };
  const items = itemsToFulfil(order, input.body.items);
  if (!items.ok) return { result: items };
  if (items.value.length === 0)
    return { result: input.mayBeEmpty ? ok(order) : fail('order_not_fulfillable') };
  if (fulfilments.length >= MAX_FULFILMENTS)
    return { result: fail('order_not_fulfillable', { message: TOO_MANY }) };
  const at = now();
  const created: FulfilmentRow = {
    id: input.id,
    tenantId: ctx.tenantId,
    orderId: row.id,
    state: 'shipped',
    position: fulfilments.length + 1,
    items: items.value,
    tracking: trackingOf(input.body.tracking),
    endedAt: null,
    createdAt: at,
    updatedAt: at,
  };
  const shown = presentFulfilment(created);
  const after = withFulfilled(lines, items.value, 1);
  return {
    transition: {
      set: { fulfilmentStatus: fulfilmentStatusOf({ ...order, lines: after }) },
      statements: [
        ...input.mark(),
        insertFulfilment(ctx, created),
        ...countFulfilled(ctx, row.id, { items: items.value, sign: 1 }),
      ],
      next: { lines: after, fulfilments: [...fulfilments, created] },
      timeline: [{ type: 'fulfilled', details: { fulfilment_id: created.id, items: shown.items } }],
      event: 'order.fulfilled',
      eventDetails: { fulfilment: shown },
    },
  };
});

/** A fulfilment and its order. */
export interface OrderFulfilment {
  readonly order: StoredOrder;
  readonly fulfilment: FulfilmentRow;
}

/** Returns a fulfilment of an order; `fulfilment_not_found`. */
function fulfilmentIn(order: StoredOrder, wanted: string): Result<OrderFulfilment> {
  const fulfilment = order.fulfilments.find((one) => one.id === wanted);
  return fulfilment ? ok({ order, fulfilment }) : fail('fulfilment_not_found');
}

/**
 * Creates a fulfilment of a paid order, of `items` or of everything that is left, and emits
 * `order.fulfilled`. Fails with `order_not_fulfillable`, and with 422 for a quantity that exceeds what is left.
 */
export async function fulfilOrder(
  ctx: TenantContext,
  orderId: string,
  { body, once }: { readonly body: FulfilmentCreate; readonly once: IdempotencyScope },
): Promise<Result<OrderFulfilment>> {
  const fulfilmentId = once.ref ?? id('ful');
  const order =
    once.ref === null
      ? await createFulfilment(ctx, orderId, { id: fulfilmentId, body, mark: () => once.mark(fulfilmentId) })
      : await orderById(ctx, orderId);
  return order.ok ? fulfilmentIn(order.value, fulfilmentId) : order;
}

/**
 * Fulfils everything that is left of a paid order, without tracking; an order with nothing left stays as it is. Fails
 * with `order_not_fulfillable`.
 */
export const fulfilRest = (ctx: TenantContext, orderId: string): Promise<Result<StoredOrder>> =>
  createFulfilment(ctx, orderId, { id: id('ful'), body: {}, mark: () => [], mayBeEmpty: true });

/** A change of a fulfilment. */
interface FulfilmentChange {
  readonly id: string;
  readonly body: FulfilmentPatch;
}

/** Returns when a fulfilment ended (ms), after a change to `state` that is made `at` a time. */
function endAfter(before: FulfilmentRow, state: FulfilmentState, at: number): number | null {
  if (state === 'shipped') return null;
  return state === before.state ? endOf(before) : at;
}

/** Returns the event of a change that leaves other tracking than before. */
const trackingEvent = (
  before: FulfilmentRow,
  after: FulfilmentRow,
): Pick<Transition, 'event' | 'eventDetails'> =>
  JSON.stringify(after.tracking) === JSON.stringify(before.tracking)
    ? {}
    : { event: 'order.tracking_changed', eventDetails: { fulfilment: presentFulfilment(after) } };

const changeFulfilment = transitionOf<FulfilmentChange>((ctx, { order, input }) => {
  const { row, lines, fulfilments } = order;
  const found = fulfilmentIn(order, input.id);
  if (!found.ok) return { result: found };
  const { fulfilment: before } = found.value;
  const { status: state = before.state, tracking } = input.body;
  const kept: FulfilmentRow = {
    ...before,
    state,
    tracking: tracking === undefined ? before.tracking : trackingOf(tracking),
  };
  if (JSON.stringify(kept) === JSON.stringify(before)) return { result: ok(order) };
  if (before.state === 'cancelled') return { result: fail('fulfilment_cancelled') };
  const at = now();
  const changed = { ...kept, endedAt: endAfter(before, state, at), updatedAt: at };
  const cancelled = state === 'cancelled';
  const after = cancelled ? withFulfilled(lines, before.items, -1) : lines;
  const refunds = cancelled ? unshipRefunded(order.refunds, after) : order.refunds;
  const givenBack = cancelled ? countFulfilled(ctx, row.id, { items: before.items, sign: -1 }) : [];
  const details = { changed: ['fulfilments'], fulfilment_id: before.id, status: state };
  return {
    transition: {
      set: cancelled ? { fulfilmentStatus: fulfilmentStatusOf({ lines: after, refunds }) } : {},
      statements: [
        updateFulfilment(ctx, changed),
        ...givenBack,
        ...refundStatements(ctx, { order, after: refunds }),
      ],
      next: {
        lines: after,
        refunds,
        fulfilments: fulfilments.map((one) => (one.id === changed.id ? changed : one)),
      },
      timeline: [{ type: 'edited', details }],
      ...trackingEvent(before, changed),
    },
  };
});

/**
 * Changes a fulfilment's status or tracking; other tracking emits `order.tracking_changed`. Cancelling it gives the
 * quantities back, so that they can be fulfilled again; after that it fails with `fulfilment_cancelled`.
 */
export async function patchFulfilment(
  ctx: TenantContext,
  orderId: string,
  change: FulfilmentChange,
): Promise<Result<OrderFulfilment>> {
  const order = await changeFulfilment(ctx, orderId, change);
  return order.ok ? fulfilmentIn(order.value, change.id) : order;
}
