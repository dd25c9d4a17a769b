import { now } from '../kernel/core/clock.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { type Database, database } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import {
  cancelPending,
  claimDueOrders,
  claimDueRefunds,
  type OrderRow,
  orderById,
  postponeRefund,
} from '../orders/index.ts';
import { tenantById } from '../tenants/index.ts';
import { notifyCart } from './notify-cart.ts';
import { providerFor } from './payments/cancel-order.ts';
import { settle } from './payments/pay.ts';
import { refundPayment } from './payments/refund.ts';

/** So many orders are claimed in one step; each becomes a message of its own, as its provider may be slow. */
const CLAIMED_AT_ONCE = 100;

type Claim = (db: Database, limit: number) => Promise<{ tenantId: number; id: string }[]>;
type Act = (runtime: Runtime, db: Database, tenantId: number, orderId: string) => Promise<void>;

/** Returns the chore that claims what is due, fairly between tenants, and acts on each order by itself. */
const eachOrder =
  (claim: Claim, act: Act): Chore =>
  async (runtime, { tenantId, id }) => {
    const db = database(runtime.env);
    if (tenantId !== undefined && id !== undefined) {
      await act(runtime, db, tenantId, id);
      return {};
    }
    const due = await claim(db, CLAIMED_AT_ONCE);
    const each = [...new Map(due.map((one) => [one.id, one])).values()];
    return { each, more: due.length < CLAIMED_AT_ONCE ? undefined : {} };
  };

/** The chore that brings pending orders whose time is up to their end: paid after all, or given up. */
export const expireOrders = eachOrder(claimDueOrders, expire);

async function expire(runtime: Runtime, db: Database, tenantId: number, orderId: string): Promise<void> {
  const [tenant, order] = [await tenantById(db, tenantId), await orderById(db, tenantId, orderId)];
  // A message may come twice, or after somebody has let the order wait longer.
  if (!order.ok || order.value.row.status !== 'pending' || order.value.row.expiresAt > now()) return;
  const provider = await providerFor(runtime.env, db, tenant, order.value.row.provider);
  if (provider.ok && provider.value) {
    await settle(runtime, db, { tenantId, orderId, provider: provider.value }, true);
    return;
  }
  const cancelled = await cancelPending(runtime, db, tenantId, orderId, 'timeout');
  if (cancelled.ok) notifyCart(runtime, db, cancelled.value);
}

/** The chore that gives back money that has to go back and has not yet. */
export const retryRefunds = eachOrder(claimDueRefunds, async (runtime, db, tenantId, orderId) => {
  const order = await orderById(db, tenantId, orderId);
  if (!order.ok) return;
  const { row, payments } = order.value;
  try {
    await refund(runtime, db, row);
  } catch (error) {
    const due = payments.filter(({ state }) => state === 'refund_due');
    for (const payment of due) await postponeRefund(db, payment);
    throw error;
  }
});

async function refund(runtime: Runtime, db: Database, { tenantId, id: orderId, provider: name }: OrderRow) {
  const provider = await providerFor(runtime.env, db, await tenantById(db, tenantId), name);
  if (!provider.ok || !provider.value) throw new Error(`${name} takes no refunds now`);
  const given = await refundPayment(runtime, db, { tenantId, orderId, provider: provider.value });
  if (!given.ok) throw new Error(given.failure.code);
}
