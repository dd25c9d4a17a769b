import { and, eq, isNull } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { id } from '../kernel/crypto/crypto.ts';
import type { Database, Statement } from '../kernel/data/database.ts';
import { EXTERNAL, type OrderRow, type PaymentRow, type PaymentState, payments } from './tables.ts';

/** A payment as its provider names it. */
export interface PaymentReference {
  readonly provider: string;
  readonly reference: string;
  /** What a refund names, where that is something else. */
  readonly charge?: string | null;
}

/** The order's payment of this name: the one that has it (or its charge), or the one without a name yet. */
export function findPayment(list: readonly PaymentRow[], name: PaymentReference): PaymentRow | undefined {
  const mine = list.filter(({ provider }) => provider === name.provider);
  return (
    mine.find(({ reference }) => reference === name.reference) ??
    mine.find(({ charge }) => charge !== null && charge === name.charge) ??
    mine.find(({ reference }) => reference === null)
  );
}

/** The statement that brings an order's payment of this name to a state, making it if there is none. */
export function recordPayment(
  db: Database,
  order: OrderRow,
  list: readonly PaymentRow[],
  name: PaymentReference,
  state: PaymentState,
): Statement {
  const at = now();
  const known = findPayment(list, name);
  const set = {
    reference: known?.reference ?? name.reference,
    charge: name.charge ?? known?.charge ?? null,
    state,
    updatedAt: at,
    tries: 0,
    // What we did not take we can't give back: that is reported.
    nextTryAt: state === 'refund_due' && name.provider !== EXTERNAL ? at : null,
  };
  if (known) return db.update(payments).set(set).where(same(known));
  return db.insert(payments).values({
    id: id('pay'),
    tenantId: order.tenantId,
    orderId: order.id,
    provider: name.provider,
    amount: order.grandTotal,
    currency: order.currency,
    createdAt: at,
    ...set,
  });
}

const same = ({ tenantId, id: one }: Pick<PaymentRow, 'tenantId' | 'id'>) =>
  and(eq(payments.tenantId, tenantId), eq(payments.id, one));

/** The statements that bring all of an order's payments in one state to another. */
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

/** Notes the provider's name for an open payment; one that has a name keeps it. */
export const setReference = (db: Database, payment: PaymentRow, reference: string) =>
  db
    .update(payments)
    .set({ reference, updatedAt: now() })
    .where(and(same(payment), isNull(payments.reference)));

/** Notes what a refund of an open payment will name: its money is on its way. */
export const setCharge = (db: Database, payment: PaymentRow, charge: string) =>
  db
    .update(payments)
    .set({ charge, updatedAt: now() })
    .where(and(same(payment), eq(payments.state, 'open'), isNull(payments.charge)));

/** Notes that money could not be given back yet; the next attempt comes after 1, 2, 4 … minutes, 6 hours at most. */
export const postponeRefund = (db: Database, payment: PaymentRow) =>
  db
    .update(payments)
    .set({
      tries: payment.tries + 1,
      nextTryAt: now() + Math.min(6 * 3600_000, 60_000 * 2 ** payment.tries),
    })
    .where(and(same(payment), eq(payments.state, 'refund_due')));
