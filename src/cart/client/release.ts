import { releaseCart } from '../../inventory/index.ts';
import { log } from '../../kernel/core/log.ts';
import type { Result } from '../../kernel/core/result.ts';
import type { TenantContext, TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { readOrderStatus } from '../../orders/index.ts';
import { type CartPlace, cartObject } from './cart-id.ts';

/**
 * Returns the order that locks a cart if it is still active or about to be placed, else null. Sends the cart
 * the order's status, whose notification it may have missed: that of a cancelled order releases the lock.
 * Costs one database read, and only where the lock decides a call.
 */
export async function verifyOrder(
  ctx: CartPlace & TenantDatabase,
  cartId: string,
  orderId: string,
): Promise<string | null> {
  const order = await readOrderStatus(ctx, orderId);
  if (!order) return orderId;
  await cartObject(ctx, cartId).orderStatus({ ...order, payUrl: null });
  return order.status === 'cancelled' ? null : orderId;
}

/** Releases the lock that a call was refused for, if its order was cancelled; returns whether to retry. */
export async function releaseStaleLock(
  ctx: CartPlace & TenantDatabase,
  cartId: string,
  refused: Result<unknown>,
): Promise<boolean> {
  if (refused.ok || refused.failure.code !== 'cart_locked') return false;
  const orderId = refused.failure.details?.order_id;
  return typeof orderId === 'string' && (await verifyOrder(ctx, cartId, orderId)) === null;
}

/** Releases the stock that checkout reserved for versions of the cart before `version`, after an edit. */
export async function releaseReservation(ctx: TenantContext, cartId: string, version: number): Promise<void> {
  await releaseCart(ctx, cartId, version).catch(() =>
    // The reservation expires anyway.
    log('reservation_not_released', { tenant: ctx.tenantId }),
  );
}
