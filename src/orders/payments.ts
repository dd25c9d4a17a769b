import { and, eq, isNull } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { id } from '../kernel/crypto/crypto.ts';
import type { Database, Statement } from '../kernel/data/database.ts';
import { EXTERNAL, type OrderRow, type PaymentRow, type PaymentState, payments } from './tables.ts';

/** The ids of a payment at its provider. */
export interface PaymentReference {
  readonly provider: string;
  readonly reference: string;
  /** The id that a refund uses, if it differs from the reference. */
  readonly charge?: string | null;
}

/** Returns the payment with this reference or charge, else the one that has no reference yet. */
export function findPayment(list: readonly PaymentRow[], target: PaymentReference): PaymentRow | undefined {
  const mine = list.filter(({ provider }) => provider === target.provider);
  return (
    mine.find(({ reference }) => reference === target.reference) ??
    mine.find(({ charge }) => charge !== null && charge === target.charge) ??
    mine.find(({ reference }) => reference === null)
  );
}

/** Returns the statement that sets a payment's state, or inserts the payment if it is new. */
export function recordPayment(
  db: Database,
  order: OrderRow,
  list: readonly PaymentRow[],
  target: PaymentReference,
  state: PaymentState,
): Statement {
  const at = now();
  const known = findPayment(list, target);
  const set = {
    reference: known?.reference ?? target.reference,
    charge: target.charge ?? known?.charge ?? null,
    state,
    updatedAt: at,
    tries: 0,
    // The tenant's own checkout refunds its payments itself and reports them.
    nextTryAt: state === 'refund_due' && target.provider !== EXTERNAL ? at : null,
  };
  if (known) return db.update(payments).set(set).where(same(known));
  return db.insert(payments).values({
    id: id('pay'),
    tenantId: order.tenantId,
    orderId: order.id,
    provider: target.provider,
    amount: order.grandTotal,
    currency: order.currency,
    createdAt: at,
    ...set,
  });
}

const same = ({ tenantId, id: one }: Pick<PaymentRow, 'tenantId' | 'id'>) =>
  and(eq(payments.tenantId, tenantId), eq(payments.id, one));

/** Returns the statement that moves all of an order's payments from one state to another. */
export const setPaymentStates = (
  db: Database,
  { tenantId, id: orderId }: OrderRow,
  from: PaymentState,
  to: PaymentState,
): Statement =>
  db
    .update(payments)
    .set({ state: to, updatedAt: now(), nextTryAt: to === 'refund_due' ? now() : null })
    .where(and(eq(payments.tenantId, tenantId), eq(payments.orderId, orderId), eq(payments.state, from)));

/** Sets the reference of a payment that has none. */
export const setReference = (db: Database, payment: PaymentRow, reference: string) =>
  db
    .update(payments)
    .set({ reference, updatedAt: now() })
    .where(and(same(payment), isNull(payments.reference)));

/** Sets the id for a refund on an open payment whose money is on its way. */
export const setCharge = (db: Database, payment: PaymentRow, charge: string) =>
  db
    .update(payments)
    .set({ charge, updatedAt: now() })
    .where(and(same(payment), eq(payments.state, 'open'), isNull(payments.charge)));

/** Schedules the next refund attempt after 1, 2, 4, … minutes, at most 6 hours. */
export const postponeRefund = (db: Database, payment: PaymentRow) =>
  db
    .update(payments)
    .set({
      tries: payment.tries + 1,
      nextTryAt: now() + Math.min(6 * 3600_000, 60_000 * 2 ** payment.tries),
    })
    .where(and(same(payment), eq(payments.state, 'refund_due')));
