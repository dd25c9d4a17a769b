import type { Told } from '../inventory/index.ts';
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
export async function sweepOrders(told: Told): Promise<void> {
  const db = database(told.env);
  await each('orders', await dueOrders(db), ({ tenantId, id }) => expire(told, db, tenantId, id));
}

async function expire(told: Told, db: Database, tenantId: number, orderId: string): Promise<void> {
  const [tenant, order] = [await tenantById(db, tenantId), await orderById(db, tenantId, orderId)];
  if (!order.ok) return;
  const provider = await providerFor(told.env, db, tenant, order.value.row.provider);
  if (provider.ok && provider.value) {
    await settle(told, db, { tenantId, orderId, provider: provider.value }, true);
    return;
  }
  const cancelled = await cancelPending(told, db, tenantId, orderId, 'timeout');
  if (cancelled.ok) tellCart(told, db, cancelled.value);
}

/** For the minute's cron: money that has to go back and has not yet. */
export async function sweepRefunds(told: Told): Promise<void> {
  const db = database(told.env);
  await each('refunds', await dueRefunds(db), async ({ tenantId, orderId }) => {
    const order = await orderById(db, tenantId, orderId);
    if (!order.ok) return;
    const { row, payments } = order.value;
    try {
      await refund(told, db, row);
    } catch (error) {
      // Later, so that no shop's refunds wait for those of one whose keys are missing.
      const due = payments.filter(({ state }) => state === 'refund_due');
      for (const payment of due) await postponeRefund(db, payment);
      throw error;
    }
  });
}

async function refund(told: Told, db: Database, { tenantId, id: orderId, provider: name }: OrderRow) {
  const provider = await providerFor(told.env, db, await tenantById(db, tenantId), name);
  if (!provider.ok || !provider.value) throw new Error(`${name} takes no refunds now`);
  const given = await giveBack(told, db, { tenantId, orderId, provider: provider.value });
  if (!given.ok) throw new Error(given.failure.code);
}
