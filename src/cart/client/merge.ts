import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Call, CatalogReader } from '../../kernel/http/context.ts';
import type { CartContents, TakeReply } from '../object/cart.ts';
import type { CartAddition } from '../object/edits.ts';
import { cartObject } from './cart-stub.ts';
import { lookUp } from './catalog-lookup.ts';
import type { CartOwner } from './ownership.ts';
import { callCart, pricingContextAt, releaseReservation } from './rpc.ts';
import { cartToken } from './token.ts';
import { releaseStaleLock } from './verify-lock.ts';

type Taken = Extract<TakeReply, { readonly ok: true }>;

/** The most attempts of a step when the cart is merged or edited concurrently. */
const MAX_ATTEMPTS = 5;

/** A customer's cart. */
export interface BoundCart {
  /** The requested cart, or the cart that it was merged into. */
  readonly cartId: string;
  /** Whether the older cart kept its lines because an order locks this one. */
  readonly apart: boolean;
}

/**
 * Assigns a cart to a customer and merges their older cart into it. The larger quantity of each line wins,
 * and the older cart's token resolves to this cart from then on. Fails with `cart_expired`, or with
 * `cart_not_found` for another customer's cart. Idempotent.
 */
export async function bindCart(
  call: Call,
  cartId: string,
  owner: CartOwner,
  olderId: string | null,
): Promise<Result<BoundCart>> {
  const { env, caller } = call;
  let bound = cartId;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
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

/** Erases the customer's personal data from the cart. */
export const forgetPerson = (env: Env, tenantId: number, cartId: string, customerId: number) =>
  cartObject(env, tenantId, cartId).forgetPerson(customerId);

/**
 * Copies a cart's lines into another cart, then redirects the old cart unless it was edited meanwhile. A
 * crash in between loses no line and counts none twice. Leaves a locked or deleted cart unchanged.
 * Returns false if the old cart kept lines that are not ordered.
 */
async function merge(call: CatalogReader, fromId: string, intoId: string): Promise<boolean> {
  const { env, caller } = call;
  const { tenantId } = caller;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const contents = await cartObject(env, tenantId, fromId).contents();
    if (!contents.ok) {
      if (await releaseStaleLock(env, tenantId, fromId, contents)) continue;
      return true;
    }
    const { version } = contents.value;
    if (!(await copyLines(call, contents.value, intoId))) return false;
    const moved = await cartObject(env, tenantId, fromId).moveTo(intoId, version);
    if (moved.ok) await releaseReservation(call, fromId, version + 1);
    if (!isEdited(moved)) return true;
  }
  return false;
}

const isEdited = (moved: Result<void>): boolean => !moved.ok && moved.failure.code === 'precondition_failed';

/** Copies a cart's lines into another cart; returns false if that cart rejects them. */
async function copyLines(call: CatalogReader, contents: CartContents, intoId: string): Promise<boolean> {
  const { env, caller } = call;
  const context = await pricingContextAt(call, caller.catalogVersion);
  const addition = await additionOf(call, contents, context.version);
  const { reply } = await callCart<Taken>({
    env,
    tenantId: caller.tenantId,
    cartId: intoId,
    request: {
      token: cartToken(env, caller.tenantId, intoId),
      context,
      customerId: null,
      ifMatch: null,
      idempotency: null,
    },
    retryable: true,
    fetchOffers: (needs) => lookUp(call, needs, context.version),
    run: (cart, request) => cart.take(request, addition),
  });
  if (reply === 'keyExpired' || !reply.ok) return false;
  await releaseReservation(call, intoId, reply.releases);
  return true;
}

/** Resolves the lines to current offers; skips those no longer on sale. */
async function additionOf(
  call: CatalogReader,
  { needs, quantities }: CartContents,
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
