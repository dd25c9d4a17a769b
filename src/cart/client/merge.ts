import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Call, CatalogReader } from '../../kernel/http/context.ts';
import type { Contents, TakeReply } from '../object/cart.ts';
import type { CartAddition } from '../object/edits.ts';
import { cartObject } from './cart-stub.ts';
import { lookUp } from './catalog-lookup.ts';
import type { CartOwner } from './ownership.ts';
import { callCart, pricingContextAt, releaseReservation } from './rpc.ts';
import { cartToken } from './token.ts';
import { lockEnded } from './verify-lock.ts';

type Taken = Extract<TakeReply, { readonly ok: true }>;

/** How often a step is taken again because the cart moved or was edited meanwhile. */
const TRIES = 5;

/** A cart that was made a customer's. */
export interface Bound {
  /** The one that was asked for, or the one that it was merged into. */
  readonly cartId: string;
  /** Whether the older cart still has what was in it: this one takes nothing now, it has an order. */
  readonly apart: boolean;
}

/**
 * Makes a cart a customer's, and merges an older cart of theirs into it: the larger quantity of each line
 * wins, and the older one's token answers as this cart from then on. `cart_not_found` for another customer's
 * cart, `cart_expired`. May be done again without harm.
 */
export async function bindCart(
  call: Call,
  cartId: string,
  owner: CartOwner,
  olderId: string | null,
): Promise<Result<Bound>> {
  const { env, caller } = call;
  let bound = cartId;
  for (let tries = 0; tries < TRIES; tries++) {
    const reply = await cartObject(env, caller.tenantId, bound).bind(owner);
    if ('movedTo' in reply) bound = reply.movedTo;
    else {
      if (!reply.ok) return reply;
      const merged = olderId === null || olderId === bound || (await merge(call, olderId, bound));
      return ok({ cartId: bound, apart: !merged });
    }
  }
  return fail('unavailable');
}

/** Lets a customer's cart forget the person. */
export const forgetPerson = (env: Env, tenantId: number, cartId: string, customerId: number) =>
  cartObject(env, tenantId, cartId).forgetPerson(customerId);

/**
 * Moves what is in one cart into another. The lines are taken first and the old cart sent on after that,
 * and only if nobody edited it meanwhile: whatever dies in between, nothing is lost, and nothing is
 * counted twice. A cart with an order, and one that is gone, stay what they are. False when the cart kept its
 * lines although nothing is ordered of them.
 */
async function merge(call: CatalogReader, fromId: string, intoId: string): Promise<boolean> {
  const { env, caller } = call;
  const { tenantId } = caller;
  for (let tries = 0; tries < TRIES; tries++) {
    const contents = await cartObject(env, tenantId, fromId).contents();
    if (!contents.ok) {
      if (await lockEnded(env, tenantId, fromId, contents)) continue;
      return true;
    }
    const { version } = contents.value;
    if (!(await handOver(call, contents.value, intoId))) return false;
    const moved = await cartObject(env, tenantId, fromId).moveTo(intoId, version);
    if (moved.ok) await releaseReservation(call, fromId, version + 1);
    if (!isEdited(moved)) return true;
  }
  return false;
}

const isEdited = (moved: Result<void>): boolean => !moved.ok && moved.failure.code === 'precondition_failed';

/** Puts a cart's lines into another one; false when that takes none now. */
async function handOver(call: CatalogReader, contents: Contents, intoId: string): Promise<boolean> {
  const { env, caller } = call;
  const shop = await pricingContextAt(call, caller.catalogVersion);
  const wish = await wishOf(call, contents, shop.version);
  const { reply } = await callCart<Taken>({
    env,
    tenantId: caller.tenantId,
    cartId: intoId,
    visit: {
      token: cartToken(env, caller.tenantId, intoId),
      shop,
      customerId: null,
      ifMatch: null,
      once: null,
    },
    safe: true,
    tell: (needs) => lookUp(call, needs, shop.version),
    ask: (cart, visit) => cart.take(visit, wish),
  });
  if (reply === 'spent' || !reply.ok) return false;
  await releaseReservation(call, intoId, reply.releases);
  return true;
}

/** The lines as offers of this moment; what is no longer on sale is left behind. */
async function wishOf(
  call: CatalogReader,
  { needs, quantities }: Contents,
  version: number,
): Promise<CartAddition> {
  const refresh = await lookUp(call, { ...needs, couponId: null }, version);
  const counts = new Map(quantities.map(({ id, quantity }) => [id, quantity]));
  return {
    version: refresh.version,
    wanted: refresh.offers.flatMap(({ line, offer }) =>
      offer ? [{ offer, quantity: counts.get(line) ?? 0 }] : [],
    ),
  };
}
