import { now } from '../../kernel/core/clock.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import { batch, type Database } from '../../kernel/data/database.ts';
import type { Runtime } from '../../kernel/http/context.ts';
import {
  cancelPending,
  chargePayment,
  extendDeadline,
  markPaid,
  namePayment,
  noteDeclined,
  orderById,
  type PaymentName,
  type PaymentRow,
  type StoredOrder,
  tooLateToPay,
  type WholeOrder,
} from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import type { Begun, Places, Provider } from './provider.ts';
import { refundPayment } from './refund.ts';

/** After the provider has ended its session, its word may be this long on the way (ms). */
const GRACE = 60_000;
/** A provider that can't be reached is asked for this long (ms) after an order's time is up, unless money is on its way. */
const PERSIST = 10 * 60_000;
/** Money on its way is asked after this often (ms). */
const ASK_AGAIN = 3600_000;

/**
 * What pressing "pay" came to: `over` when the order was given up, `waiting` while money is on its way,
 * `unreachable` when the provider could not be asked.
 */
export type Paid =
  | {
      readonly state: 'paid' | 'declined' | 'over' | 'open' | 'waiting' | 'unreachable';
      readonly order: StoredOrder;
    }
  | { readonly state: 'redirect'; readonly url: string };

/** Whose payment it is, and where its shopper comes back to. */
export interface Payable {
  readonly tenantId: number;
  readonly orderId: string;
  readonly provider: Provider;
}

/** The payment that a provider is asked about: the one that is open, else the provider's last one. */
export const paymentOf = ({ payments }: WholeOrder, provider: Provider): PaymentRow | undefined =>
  payments.find(({ state }) => state === 'open') ??
  payments.findLast((one) => one.provider === provider.name);

/** Begins, or goes on with, the payment of an order. */
export async function pay(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  places: Places,
  decline: boolean,
): Promise<Result<Paid>> {
  const { tenantId, orderId, provider } = payable;
  const found = await orderById(db, tenantId, orderId);
  if (!found.ok) return found;
  const order = found.value;
  const payment = paymentOf(order, provider);
  if (order.row.status === 'cancelled' || !payment) return ok({ state: 'over', order });
  if (order.row.status === 'paid') return ok({ state: 'paid', order });
  const begun = await begin(order, payment, payable, places, decline);
  switch (begun?.state) {
    case undefined:
      return ok({ state: 'unreachable', order });
    case 'paid':
      return received(runtime, db, payable, begun.payment);
    case 'over':
      return givenUp(runtime, db, payable);
    case 'waiting':
      return waitFor(runtime, db, payable, order, payment, begun.payment);
    case 'declined': {
      const noted = await noteDeclined(runtime, db, tenantId, orderId, begun.payment);
      return noted.ok ? ok({ state: 'declined', order: noted.value }) : noted;
    }
    case 'redirect':
      // Where two presses began two payments, the shopper is sent to the one that was noted.
      return (await isNoted(db, payable, payment, begun))
        ? ok(begun)
        : pay(runtime, db, payable, places, decline);
  }
}

/** Asks the provider to begin; what costs nothing is paid without it. `null` when it can't be reached. */
async function begin(
  order: StoredOrder,
  payment: PaymentRow,
  { tenantId, provider }: Payable,
  places: Places,
  decline: boolean,
): Promise<Begun | null> {
  const { name } = provider;
  if (order.row.grandTotal === 0) {
    return { state: 'paid', payment: { provider: name, reference: `free_${payment.id}` } };
  }
  return provider.begin(order, payment, places, decline).catch(() => {
    console.warn(JSON.stringify({ event: 'payment_not_begun', tenant: tenantId, provider: name }));
    return null;
  });
}

/** Notes a payment that the shopper is sent to, and lets its order wait for it; false if another one is noted. */
async function isNoted(
  db: Database,
  { tenantId, orderId, provider }: Payable,
  payment: PaymentRow,
  { reference, until }: Extract<Begun, { state: 'redirect' }>,
): Promise<boolean> {
  if (payment.reference === reference) return true;
  await batch(db, [
    namePayment(db, payment, reference),
    extendDeadline(db, tenantId, orderId, until + GRACE),
  ]);
  const after = await orderById(db, tenantId, orderId);
  return !after.ok || paymentOf(after.value, provider)?.reference === reference;
}

/** Takes note of money: the order is paid, or the money goes back at once. */
export async function received(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  payment: PaymentName,
): Promise<Result<Paid>> {
  const { tenantId, orderId } = payable;
  const noted = await markPaid(runtime, db, tenantId, orderId, payment);
  if (!noted.ok) return noted;
  const { row } = noted.value;
  notifyCart(runtime, db, noted.value);
  if (row.status === 'paid') return ok({ state: 'paid', order: noted.value });
  await refundPayment(runtime, db, payable);
  return ok({ state: 'over', order: noted.value });
}

/** Gives a pending order up because its time, or the provider's, is over. */
async function givenUp(
  runtime: Runtime,
  db: Database,
  { tenantId, orderId }: Payable,
): Promise<Result<Paid>> {
  const cancelled = await cancelPending(runtime, db, tenantId, orderId, 'timeout');
  if (!cancelled.ok && cancelled.failure.code !== 'order_not_cancellable') return cancelled;
  const order = await orderById(db, tenantId, orderId);
  if (!order.ok) return order;
  notifyCart(runtime, db, order.value);
  return ok({ state: order.value.row.status === 'paid' ? 'paid' : 'over', order: order.value });
}

/**
 * Asks the provider how a pending order's payment stands, and follows it. With `end` the order's time is up:
 * the payment is ended, and the order given up unless it was paid.
 */
export async function settle(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  end: boolean,
): Promise<Result<Paid>> {
  const { tenantId, orderId, provider } = payable;
  const found = await orderById(db, tenantId, orderId);
  if (!found.ok) return found;
  const order = found.value;
  const { status, expiresAt } = order.row;
  if (status !== 'pending') return ok({ state: status === 'paid' ? 'paid' : 'over', order });
  const payment = paymentOf(order, provider);
  if (!payment) return end ? givenUp(runtime, db, payable) : ok({ state: 'open', order });
  const standing = await provider.settle(payment, end).catch((error) => {
    const paying = payment.charge !== null && !tooLateToPay(order.row);
    if (end && !paying && expiresAt + PERSIST < now()) return { state: 'over' } as const;
    throw error;
  });
  switch (standing.state) {
    case 'paid':
      return received(runtime, db, payable, standing.payment);
    case 'over':
      return givenUp(runtime, db, payable);
    case 'waiting':
      return waitFor(runtime, db, payable, order, payment, standing.payment);
    case 'open':
      return ok({ state: 'open', order });
  }
}

/** Lets an order wait for money on its way, and the provider be asked again; two weeks at most. */
async function waitFor(
  runtime: Runtime,
  db: Database,
  payable: Payable,
  order: StoredOrder,
  payment: PaymentRow,
  { charge }: PaymentName,
): Promise<Result<Paid>> {
  if (tooLateToPay(order.row)) return givenUp(runtime, db, payable);
  const noted = charge ? [chargePayment(db, payment, charge)] : [];
  await batch(db, [...noted, extendDeadline(db, payable.tenantId, payable.orderId, now() + ASK_AGAIN)]);
  return ok({ state: 'waiting', order });
}
