import { and, eq, type SQL, sql } from 'drizzle-orm';
import { HOUR, MINUTE, now } from '../../kernel/core/clock.ts';
import { run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { OrderWithPayments } from '../store.ts';
import { type RefundRow, refundAllowances, refunds } from './tables.ts';

/** Returns whether a refund takes money of its payment: pending and succeeded ones do. */
export const counts = ({ status }: Pick<RefundRow, 'status'>): boolean => status !== 'failed';

/** Refunds, of which only the items matter. */
type Itemized = readonly Pick<RefundRow, 'items'>[];

/** Returns the units of an order line that these refunds name. */
export const unitsNamed = (refunds: Itemized, lineId: number): number =>
  refunds
    .flatMap(({ items }) => items)
    .reduce((sum, item) => sum + (item.lineId === lineId ? item.quantity : 0), 0);

/** Returns the units of an order line that these refunds name as shipped. */
export const shippedUnitsNamed = (refunds: Itemized, lineId: number): number =>
  unitsNamed(
    refunds.map(({ items }) => ({ items: items.filter(({ shipped }) => shipped) })),
    lineId,
  );

/** A payment or an order line, and how much of it refunds take. */
interface Allowance {
  readonly subject: string;
  readonly total: number;
  readonly used: number;
}

/** Returns what an order's refunds take of its payments and lines. */
function allowancesOf({ lines, payments }: OrderWithPayments, list: readonly RefundRow[]): Allowance[] {
  const taking = list.filter(counts);
  return [
    ...payments.map(({ id, amount }) => ({
      subject: id,
      total: amount,
      used: taking.reduce((sum, refund) => sum + (refund.paymentId === id ? refund.amount : 0), 0),
    })),
    ...lines.map(({ id, quantity }) => ({
      subject: `line_${id}`,
      total: quantity,
      used: unitsNamed(taking, id),
    })),
  ];
}

/** An order with the payments that a change adds, and all of its refunds after the change. */
interface StoredChange {
  readonly order: OrderWithPayments;
  readonly after: readonly RefundRow[];
}

/**
 * Returns the statements that store an order's changed refunds. The CHECK `refunds_within_allowance` rolls the
 * batch back when refunds exceed their payment, or units their line.
 */
export function refundStatements(ctx: TenantDatabase, { order, after }: StoredChange): Statement[] {
  const { db, tenantId } = ctx;
  const before = new Map(order.refunds.map((one) => [one.id, one]));
  const changed = after.filter((one) => before.get(one.id) !== one);
  return [
    ...allowanceStatements(ctx, { order, after }),
    ...changed.map((refund) =>
      before.has(refund.id)
        ? db
            .update(refunds)
            .set(refund)
            .where(and(eq(refunds.tenantId, tenantId), eq(refunds.id, refund.id)))
        : db.insert(refunds).values(refund),
    ),
  ];
}

/** Returns the statements that update the allowances. Decreases come first, so that the CHECK allows the increases. */
function allowanceStatements({ db, tenantId }: TenantDatabase, { order, after }: StoredChange): Statement[] {
  const used = new Map(allowancesOf(order, order.refunds).map((one) => [one.subject, one.used]));
  const moved = allowancesOf(order, after)
    .map((one) => ({ ...one, used: one.used - (used.get(one.subject) ?? 0) }))
    .filter((one) => one.used !== 0);
  const [returned, taken] = [moved.filter((one) => one.used < 0), moved.filter((one) => one.used > 0)];
  const of = sql`tenant_id = ${tenantId} AND order_id = ${order.row.id}`;
  return [
    ...returned.map(({ subject, used }) =>
      run(db, sql`UPDATE ${refundAllowances} SET used = used + ${used} WHERE ${of} AND subject = ${subject}`),
    ),
    ...(taken.length === 0
      ? []
      : [
          run(
            db,
            sql`INSERT INTO ${refundAllowances} (tenant_id, order_id, subject, total, used)
              SELECT ${tenantId}, ${order.row.id}, value ->> 'subject', value ->> 'total', value ->> 'used'
              FROM json_each(${JSON.stringify(taken)}) WHERE true
              ON CONFLICT DO UPDATE SET used = used + excluded.used`,
          ),
        ]),
  ];
}

/** The longest delay between two attempts, or two checks, of a refund (ms). */
const MAX_REFUND_DELAY_MS = 6 * HOUR;
/**
 * After how many attempts without a response the provider gets a new request: it repeats its response to the same
 * one, a failure as well, for 24 hours.
 */
const ATTEMPTS_OF_ONE_REQUEST = 5;

/**
 * Schedules a pending refund's next attempt after 1, 2, 4, … minutes, at most {@link MAX_REFUND_DELAY_MS}. After
 * a refusal (`refused`) it is a new request to the provider; without a response it stays the same one.
 */
export function postponeRefund(
  { db, tenantId }: TenantDatabase,
  { id, tries, generation }: RefundRow,
  refused: boolean,
): Statement & PromiseLike<unknown> {
  const renewed = refused || (tries + 1) % ATTEMPTS_OF_ONE_REQUEST === 0;
  return db
    .update(refunds)
    .set({
      tries: tries + 1,
      generation: generation + (renewed ? 1 : 0),
      nextTryAt: now() + Math.min(MAX_REFUND_DELAY_MS, MINUTE * 2 ** Math.min(tries, 20)),
    })
    .where(and(eq(refunds.tenantId, tenantId), eq(refunds.id, id), eq(refunds.status, 'pending')));
}

/** Returns the statement that removes the reasons of these orders' refunds (a query of order ids). */
export const redactRefunds = ({ db, tenantId }: TenantDatabase, orderIds: SQL): Statement =>
  run(
    db,
    sql`UPDATE refunds SET reason = NULL
      WHERE tenant_id = ${tenantId} AND order_id IN (${orderIds}) AND reason IS NOT NULL`,
  );
