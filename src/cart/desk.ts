import { database } from '../kernel/database.ts';
import { fail, ok, type Result } from '../kernel/result.ts';
import { ask, readShop } from './calls.ts';
import { cartObject } from './cart-object.ts';
import { lookUpNow } from './lookup.ts';
import type { FreezeReply } from './object.ts';
import type { CartDesk, CartSnapshot, Owned } from './snapshot.ts';
import { cartToken } from './token.ts';
import { lockEnded } from './verify-lock.ts';

type Frozen = Extract<FreezeReply, { readonly ok: true }>;

/** What checkout does with one cart of a tenant, by the id that {@link CartSnapshot} names. */
export const cartAt = (env: Env, tenantId: number, cartId: string): CartDesk => ({
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
): Promise<Result<Owned>> {
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
  const { reply } = await ask<Frozen>({
    env,
    tenantId,
    cartId,
    visit: {
      token: cartToken(env, tenantId, cartId),
      shop: await readShop(db, tenantId),
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
