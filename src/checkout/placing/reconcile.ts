import { now } from '../../kernel/core/clock.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import type { Database } from '../../kernel/data/database.ts';
import { type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import {
  cancelPending,
  claimDueOrders,
  claimDueRefunds,
  type OrderRow,
  orderById,
  postponeRefund,
} from '../../orders/index.ts';
import { requireTenant } from '../../tenants/index.ts';
import { payFreeOrder } from '../payments/free-order.ts';
import { syncPayment, waitsForKeys } from '../payments/pay.ts';
import { settleRefunds } from '../payments/refund.ts';
import { resolveProvider } from '../payments/resolve-provider.ts';
import { notifyCart } from './notify-cart.ts';

/** How many orders one step claims. Each gets its own message, because its provider may be slow. */
const CLAIMS_PER_STEP = 100;

type Claim = (db: Database, limit: number) => Promise<{ tenantId: number; id: string }[]>;
type Act = (ctx: TenantContext, orderId: string) => Promise<void>;

/** Returns the chore that claims due orders, fairly between tenants, and handles each in its own message. */
const forEachClaimed =
  (claim: Claim, act: Act): Chore =>
  async (runtime, { tenantId, id }) => {
    if (tenantId !== undefined && id !== undefined) {
      await act(tenantContext(runtime, tenantId), id);
      return {};
    }
    const due = await claim(runtime.db, CLAIMS_PER_STEP);
    const each = [...new Map(due.map((one) => [one.id, one])).values()];
    return { each, more: due.length < CLAIMS_PER_STEP ? undefined : {} };
  };

/**
 * The chore that ends expired pending orders: records a payment that has arrived, or that none was needed, or cancels
 * the order.
 */
export const expireOrders = forEachClaimed(claimDueOrders, expire);

async function expire(ctx: TenantContext, orderId: string): Promise<void> {
  const [tenant, order] = await Promise.all([requireTenant(ctx), orderById(ctx, orderId)]);
  // The message may be a duplicate, or the deadline was extended.
  if (!order.ok || order.value.row.status !== 'pending' || order.value.row.expiresAt > now()) return;
  if (await payFreeOrder(ctx, order.value)) return;
  const provider = await resolveProvider(ctx, tenant, order.value.row.provider);
  if (provider.ok && provider.value) {
    await syncPayment(ctx, { orderId, provider: provider.value, end: true });
    return;
  }
  if (!provider.ok && waitsForKeys(order.value)) {
    throw new Error(`Provider ${order.value.row.provider} is unavailable for payments`);
  }
  notifyCart(ctx, await cancelPending(ctx, orderId, { reason: 'timeout' }));
}

/** The chore that retries pending refunds, and checks those that the provider has accepted. */
export const retryRefunds = forEachClaimed(claimDueRefunds, async (ctx, orderId) => {
  const order = await orderById(ctx, orderId);
  if (!order.ok) return;
  const { row, refunds } = order.value;
  try {
    await refund(ctx, row);
  } catch (error) {
    const due = refunds.filter(({ status }) => status === 'pending');
    for (const one of due) await postponeRefund(ctx, one, false);
    throw error;
  }
});

async function refund(ctx: TenantContext, { id: orderId, provider: name }: OrderRow) {
  const provider = await resolveProvider(ctx, await requireTenant(ctx), name);
  if (!provider.ok || !provider.value) throw new Error(`Provider ${name} is unavailable for refunds`);
  const refunded = await settleRefunds(ctx, { orderId, provider: provider.value });
  if (!refunded.ok) throw new Error(refunded.failure.code);
}
