import type { Result } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import { orderStanding } from '../../orders/index.ts';
import { cartObject } from './cart-stub.ts';

/**
 * Returns whether the order that locks a cart still stands; where it was cancelled the cart is freed: the
 * notice that said so was overtaken by an older one. One read of the database, and only where somebody has met
 * the lock.
 */
export async function lockStands(
  env: Env,
  tenantId: number,
  cartId: string,
  orderId: string,
): Promise<boolean> {
  const standing = await orderStanding(database(env), tenantId, orderId);
  if (standing?.status !== 'cancelled') return true;
  await cartObject(env, tenantId, cartId).orderStatus(orderId, 'cancelled', standing.revision);
  return false;
}

/** Returns whether a cart that refused because of an order's lock has been freed: asked again, it may agree. */
export async function lockEnded(
  env: Env,
  tenantId: number,
  cartId: string,
  refused: Result<unknown>,
): Promise<boolean> {
  if (refused.ok || refused.failure.code !== 'cart_locked') return false;
  const orderId = refused.failure.details?.order_id;
  return typeof orderId === 'string' && !(await lockStands(env, tenantId, cartId, orderId));
}
