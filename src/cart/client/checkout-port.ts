import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import type { FreezeReply } from '../object/cart.ts';
import type { CartOwnership, CartSnapshot, CheckoutPort } from '../snapshot.ts';
import { cartObject } from './cart-stub.ts';
import { lookUpNow } from './catalog-lookup.ts';
import { callCart, readPricingContext } from './rpc.ts';
import { cartToken } from './token.ts';
import { lockEnded } from './verify-lock.ts';

type Frozen = Extract<FreezeReply, { readonly ok: true }>;

/** What checkout does with one cart of a tenant, by the id that {@link CartSnapshot} names. */
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

/** Locks the cart; where another order has it, that order is looked up first. */
async function lock(
  env: Env,
  tenantId: number,
  cartId: string,
  orderId: string,
  version: number,
): Promise<Result<CartOwnership>> {
  const take = () => cartObject(env, tenantId, cartId).lock(orderId, version);
  const locked = await take();
  return (await lockEnded(env, tenantId, cartId, locked)) ? take() : locked;
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
    visit: {
      token: cartToken(env, tenantId, cartId),
      shop: await readPricingContext(db, tenantId),
      customerId,
      ifMatch: null,
      once: null,
    },
    safe: true,
    tell: (needs) => lookUpNow(db, tenantId, needs),
    ask: (cart, visit, place) => cart.freeze(visit, place),
  });
  if (reply === 'spent') return fail('cart_not_found');
  // Written by snapshotOf() in the cart's object.
  return reply.ok ? ok(JSON.parse(reply.snapshot) as CartSnapshot) : reply;
}
