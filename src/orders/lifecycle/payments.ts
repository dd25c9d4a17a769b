import { and, eq, isNull, sql } from 'drizzle-orm';
import { now } from '../../kernel/core/clock.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type OrderWithPayments, orderKey } from '../store.ts';
import { orders, type PaymentRow, type PaymentState, payments } from '../tables.ts';

/** The ids of a payment at its provider. */
export interface PaymentReference {
  readonly provider: string;
  readonly reference: string;
  /** The id that a refund uses, if it differs from the reference. */
  readonly charge?: string | null;
}

/** Returns the payment with this reference or charge, else the one that has no reference yet. */
export function findPayment(list: readonly PaymentRow[], wanted: PaymentReference): PaymentRow | undefined {
  const candidates = list.filter(({ provider }) => provider === wanted.provider);
  return (
    candidates.find(({ reference }) => reference === wanted.reference) ??
    candidates.find(({ charge }) => charge !== null && charge === wanted.charge) ??
    candidates.find(({ reference }) => reference === null)
  );
}

/** The state that a payment of an order reaches. */
interface PaymentRecord {
  readonly order: OrderWithPayments;
  readonly payment: PaymentReference;
  readonly state: PaymentState;
}

/** A payment as it will be, and the statement that stores it. */
interface RecordedPayment {
  readonly payment: PaymentRow;
  readonly statement: Statement;
}

/** Returns a payment in its new state, with the statement that updates it, or inserts it if it is new. */
export function recordPayment(
  { db, tenantId }: TenantDatabase,
  { order: { row, payments: list }, payment: reported, state }: PaymentRecord,
): RecordedPayment {
  const at = now();
  const known = findPayment(list, reported);
  const set = {
    reference: known?.reference ?? reported.reference,
    charge: reported.charge ?? known?.charge ?? null,
    state,
    updatedAt: at,
  };
  if (known) {
    const statement = db.update(payments).set(set).where(paymentKey(tenantId, known));
    return { payment: { ...known, ...set }, statement };
  }
  const payment = {
    id: id('pay'),
    tenantId,
    orderId: row.id,
    provider: reported.provider,
    amount: row.grandTotal,
    currency: row.currency,
    createdAt: at,
    ...set,
  };
  return { payment, statement: db.insert(payments).values(payment) };
}

const paymentKey = (tenantId: number, payment: PaymentRow) =>
  and(eq(payments.tenantId, tenantId), eq(payments.id, payment.id));

/** Returns the statement that sets a payment's state. */
export const setPaymentState = (
  { db, tenantId }: TenantDatabase,
  payment: PaymentRow,
  state: PaymentState,
): Statement => db.update(payments).set({ state, updatedAt: now() }).where(paymentKey(tenantId, payment));

/** Returns the statement that ends an order's open payments without money. */
export const voidOpenPayments = ({ db, tenantId }: TenantDatabase, orderId: string): Statement =>
  db
    .update(payments)
    .set({ state: 'void', updatedAt: now() })
    .where(and(eq(payments.tenantId, tenantId), eq(payments.orderId, orderId), eq(payments.state, 'open')));

/**
 * Returns the statements that set the reference of a payment that has none. They raise the revision of a pending
 * order, so that a concurrent cancellation decides again: the shopper is about to be redirected to this payment.
 */
export const setReference = (
  { db, tenantId }: TenantDatabase,
  payment: PaymentRow,
  reference: string,
): Statement[] => [
  db
    .update(payments)
    .set({ reference, updatedAt: now() })
    .where(and(paymentKey(tenantId, payment), isNull(payments.reference))),
  db
    .update(orders)
    .set({ revision: sql`${orders.revision} + 1` })
    .where(and(orderKey(tenantId, payment.orderId), eq(orders.status, 'pending'))),
];

/**
 * Returns the statement that stores the provider's charge id on an open payment that has none. The shopper has
 * paid, but the money has not arrived; a later refund names this charge.
 */
export const setCharge = ({ db, tenantId }: TenantDatabase, payment: PaymentRow, charge: string) =>
  db
    .update(payments)
    .set({ charge, updatedAt: now() })
    .where(and(paymentKey(tenantId, payment), eq(payments.state, 'open'), isNull(payments.charge)));
