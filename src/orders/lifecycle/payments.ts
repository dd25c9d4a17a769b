import { and, eq, isNull } from 'drizzle-orm';
import { HOUR, MINUTE, now } from '../../kernel/core/clock.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import type { Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { OrderWithPayments } from '../store.ts';
import { EXTERNAL, type PaymentRow, type PaymentState, payments } from '../tables.ts';

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

/** Returns the statement that sets a payment's state, or inserts the payment if it is new. */
export function recordPayment(
  { db, tenantId }: TenantDatabase,
  { order: { row, payments: list }, payment, state }: PaymentRecord,
): Statement {
  const at = now();
  const known = findPayment(list, payment);
  const set = {
    reference: known?.reference ?? payment.reference,
    charge: payment.charge ?? known?.charge ?? null,
    state,
    updatedAt: at,
    tries: 0,
    // The tenant's own checkout refunds its payments itself and reports them.
    nextTryAt: state === 'refund_due' && payment.provider !== EXTERNAL ? at : null,
  };
  if (known) return db.update(payments).set(set).where(paymentKey(tenantId, known));
  return db.insert(payments).values({
    id: id('pay'),
    tenantId,
    orderId: row.id,
    provider: payment.provider,
    amount: row.grandTotal,
    currency: row.currency,
    createdAt: at,
    ...set,
  });
}

const paymentKey = (tenantId: number, payment: PaymentRow) =>
  and(eq(payments.tenantId, tenantId), eq(payments.id, payment.id));

/** Returns the statement that moves all of an order's payments from one state to another. */
export const setPaymentStates = (
  { db, tenantId }: TenantDatabase,
  orderId: string,
  { from, to }: { readonly from: PaymentState; readonly to: PaymentState },
): Statement =>
  db
    .update(payments)
    .set({ state: to, updatedAt: now(), nextTryAt: to === 'refund_due' ? now() : null })
    .where(and(eq(payments.tenantId, tenantId), eq(payments.orderId, orderId), eq(payments.state, from)));

/** Returns the statement that sets the reference of a payment that has none. */
export const setReference = ({ db, tenantId }: TenantDatabase, payment: PaymentRow, reference: string) =>
  db
    .update(payments)
    .set({ reference, updatedAt: now() })
    .where(and(paymentKey(tenantId, payment), isNull(payments.reference)));

/**
 * Returns the statement that stores the provider's charge id on an open payment that has none. The shopper has
 * paid, but the money has not arrived; a later refund names this charge.
 */
export const setCharge = ({ db, tenantId }: TenantDatabase, payment: PaymentRow, charge: string) =>
  db
    .update(payments)
    .set({ charge, updatedAt: now() })
    .where(and(paymentKey(tenantId, payment), eq(payments.state, 'open'), isNull(payments.charge)));

/** The longest delay between two refund attempts (ms). */
const MAX_REFUND_DELAY_MS = 6 * HOUR;

/** Schedules the next refund attempt after 1, 2, 4, … minutes, at most {@link MAX_REFUND_DELAY_MS}. */
export const postponeRefund = ({ db, tenantId }: TenantDatabase, payment: PaymentRow) =>
  db
    .update(payments)
    .set({
      tries: payment.tries + 1,
      nextTryAt: now() + Math.min(MAX_REFUND_DELAY_MS, MINUTE * 2 ** payment.tries),
    })
    .where(and(paymentKey(tenantId, payment), eq(payments.state, 'refund_due')));
