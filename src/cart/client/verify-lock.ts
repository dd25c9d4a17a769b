import type { Result } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import { orderStanding } from '../../orders/index.ts';
import { cartObject } from './cart-stub.ts';

/**
 * Returns whether the order that locks a cart is still active. Releases the lock of a cancelled order, whose
 * notification the cart has missed. Costs one database read, and only after a call failed on the lock.
 */
export async function isLockActive(
  env: Env,
  tenantId: number,
  cartId: string,
  orderId: string,
): Promise<boolean> {
  const standing = await orderStanding({ db: database(env), tenantId }, orderId);
  if (standing?.status !== 'cancelled') return true;
  await cartObject(env, tenantId, cartId).orderStatus(orderId, 'cancelled', standing.revision);
  return false;
}

/** Releases the lock that a call was refused for, if its order was cancelled; returns whether to retry. */
export async function releaseStaleLock(
  env: Env,
  tenantId: number,
  cartId: string,
  refused: Result<unknown>,
): Promise<boolean> {
  if (refused.ok || refused.failure.code !== 'cart_locked') return false;
  const orderId = refused.failure.details?.order_id;
  return typeof orderId === 'string' && !(await isLockActive(env, tenantId, cartId, orderId));
}
