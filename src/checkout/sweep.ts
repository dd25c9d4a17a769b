import type { Runtime } from '../kernel/call.ts';
import { type Database, database } from '../kernel/database.ts';
import {
  cancelPending,
  dueOrders,
  dueRefunds,
  type OrderRow,
  orderById,
  postponeRefund,
} from '../orders/index.ts';
import { tenantById } from '../tenants/index.ts';
import { providerFor } from './cancel.ts';
import { giveBack } from './give-back.ts';
import { settle } from './pay.ts';
import { tellCart } from './tell-cart.ts';

/** One after the other; what fails is logged, and its turn comes again in a minute. */
async function each<T extends { tenantId: number }>(
  chore: string,
  due: readonly T[],
  act: (one: T) => Promise<void>,
): Promise<void> {
  for (const one of due) {
    await act(one).catch((error) =>
      console.warn(
        JSON.stringify({ event: 'order_chore_failed', chore, tenant: one.tenantId, name: error.name }),
      ),
    );
  }
}

/** For the minute's cron: pending orders whose time is up are paid after all, or given up. */
export async function sweepOrders(runtime: Runtime): Promise<void> {
  const db = database(runtime.env);
  await each('orders', await dueOrders(db), ({ tenantId, id }) => expire(runtime, db, tenantId, id));
}

async function expire(runtime: Runtime, db: Database, tenantId: number, orderId: string): Promise<void> {
  const [tenant, order] = [await tenantById(db, tenantId), await orderById(db, tenantId, orderId)];
  if (!order.ok) return;
  const provider = await providerFor(runtime.env, db, tenant, order.value.row.provider);
  if (provider.ok && provider.value) {
    await settle(runtime, db, { tenantId, orderId, provider: provider.value }, true);
    return;
  }
  const cancelled = await cancelPending(runtime, db, tenantId, orderId, 'timeout');
  if (cancelled.ok) tellCart(runtime, db, cancelled.value);
}

/** For the minute's cron: money that has to go back and has not yet. */
export async function sweepRefunds(runtime: Runtime): Promise<void> {
  const db = database(runtime.env);
  await each('refunds', await dueRefunds(db), async ({ tenantId, orderId }) => {
    const order = await orderById(db, tenantId, orderId);
    if (!order.ok) return;
    const { row, payments } = order.value;
    try {
      await refund(runtime, db, row);
    } catch (error) {
      // Later, so that no shop's refunds wait for those of one whose keys are missing.
      const due = payments.filter(({ state }) => state === 'refund_due');
      for (const payment of due) await postponeRefund(db, payment);
      throw error;
    }
  });
}

async function refund(runtime: Runtime, db: Database, { tenantId, id: orderId, provider: name }: OrderRow) {
  const provider = await providerFor(runtime.env, db, await tenantById(db, tenantId), name);
  if (!provider.ok || !provider.value) throw new Error(`${name} takes no refunds now`);
  const given = await giveBack(runtime, db, { tenantId, orderId, provider: provider.value });
  if (!given.ok) throw new Error(given.failure.code);
}
