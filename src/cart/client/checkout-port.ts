import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import type { FreezeReply } from '../object/cart.ts';
import type { CartOwnership, CartSnapshot, CheckoutPort } from '../snapshot.ts';
import { cartObject } from './cart-stub.ts';
import { lookUpNow } from './catalog-lookup.ts';
import { callCart, readPricingContext } from './rpc.ts';
import { cartToken } from './token.ts';
import { releaseStaleLock } from './verify-lock.ts';

type Frozen = Extract<FreezeReply, { readonly ok: true }>;

/** Returns the port to the cart with this id ({@link CartSnapshot}'s `cartId`). */
export const checkoutPort = (env: Env, tenantId: number, cartId: string): CheckoutPort => ({
  freeze: (customerId) => freeze(env, tenantId, cartId, customerId),
  standing: () => cartObject(env, tenantId, cartId).standing(),
  setContact: (contact) => cartObject(env, tenantId, cartId).setContact(contact),
  reserved: (version, until) => cartObject(env, tenantId, cartId).reserved(version, until),
  lock: (orderId, version) => lock(env, tenantId, cartId, orderId, version),
  unlock: (orderId) => cartObject(env, tenantId, cartId).unlock(orderId),
  orderStatus: (orderId, status, revision) =>
    cartObject(env, tenantId, cartId).orderStatus(orderId, status, revision),
});

/** Locks the cart. If another order holds the lock, checks whether that order was cancelled, and retries. */
async function lock(
  env: Env,
  tenantId: number,
  cartId: string,
  orderId: string,
  version: number,
): Promise<Result<CartOwnership>> {
  const take = () => cartObject(env, tenantId, cartId).lock(orderId, version);
  const locked = await take();
  return (await releaseStaleLock(env, tenantId, cartId, locked)) ? take() : locked;
}

async function freeze(
  env: Env,
  tenantId: number,
  cartId: string,
  customerId: number | null,
): Promise<Result<CartSnapshot>> {
  const db = database(env);
  const { reply } = await callCart<Frozen>({
    env,
    tenantId,
    cartId,
    request: {
      token: cartToken(env, tenantId, cartId),
      context: await readPricingContext({ db, tenantId }),
      customerId,
      ifMatch: null,
      idempotency: null,
    },
    retryable: true,
    fetchOffers: (needs) => lookUpNow({ db, tenantId }, needs),
    run: (cart, request, id) => cart.freeze(request, id),
  });
  if (reply === 'keyExpired') return fail('cart_not_found');
  // Written by snapshotOf() in the Cart object.
  return reply.ok ? ok(JSON.parse(reply.snapshot) as CartSnapshot) : reply;
}
