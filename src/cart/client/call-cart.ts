import { type Failed, fail } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import type { CartRequest, LockedByOrder, MergedInto, NeedsOffers, Retry } from '../object/messages.ts';
import { type CartObject, cartObject, MAX_MERGES, retryOnce } from './cart-id.ts';
import { lookUp } from './catalog-lookup.ts';
import { verifyOrder } from './release.ts';

/** The most attempts of one operation on a cart: with fresh offers, or a verified order. */
const MAX_ATTEMPTS = 6;

/** A request to a cart: the part that stays the same across retries. */
export interface CartTarget {
  readonly cartId: string;
  readonly request: Omit<CartRequest, 'refresh' | 'stockIsCurrent' | 'verifiedOrder'>;
  /** Whether the operation is idempotent: then a failed call is repeated once. */
  readonly retryable: boolean;
}

/** The reply to an operation, and the id of the cart it is from. */
interface CalledCart<Reply> {
  readonly reply: Reply | Failed;
  readonly cartId: string;
  /** Set if a cart that was to be created exists, and its idempotency key is older than 24 hours. */
  readonly keyExpired?: true;
}

/**
 * Calls an operation of a Cart object. Repeats it with fresh offers, with those of the primary or a verified order lock
 * if the cart asks for them, and on the cart that this one was merged into.
 */
export async function callCart<Reply extends { readonly ok: true }>(
  ctx: TenantContext & CatalogReader,
  target: CartTarget,
  operation: (cart: CartObject, request: CartRequest) => Promise<Reply | Failed | Retry>,
): Promise<CalledCart<Reply>> {
  let attempt: Attempt = {
    cartId: target.cartId,
    request: { ...target.request, refresh: null, stockIsCurrent: false, verifiedOrder: null },
  };
  for (let attempts = 0, merges = 0; attempts < MAX_ATTEMPTS && merges < MAX_MERGES; ) {
    const { cartId, request } = attempt;
    const call = () => operation(cartObject(ctx, cartId), request);
    const reply: Reply | Failed | Retry = await (target.retryable ? retryOnce(call) : call());
    if (reply.ok || 'failure' in reply) return { reply, cartId };
    if ('keyExpired' in reply) return { reply: fail('cart_not_found'), cartId, keyExpired: true };
    if ('movedTo' in reply) merges += 1;
    else attempts += 1;
    attempt = await nextAttempt(ctx, attempt, reply);
  }
  return { reply: fail('unavailable'), cartId: attempt.cartId };
}

/** One call of a cart. */
interface Attempt {
  readonly cartId: string;
  readonly request: CartRequest;
}

/** Returns the call that supplies what a cart asked for, or that goes to the cart that it was merged into. */
async function nextAttempt(
  ctx: TenantContext & CatalogReader,
  { cartId, request }: Attempt,
  reply: NeedsOffers | LockedByOrder | MergedInto,
): Promise<Attempt> {
  if ('needs' in reply) {
    const stockIsCurrent = request.stockIsCurrent || reply.current === true;
    const refresh = await lookUp(ctx, reply.needs, { version: request.context.version, stockIsCurrent });
    return { cartId, request: { ...request, refresh, stockIsCurrent } };
  }
  if ('lockedBy' in reply) {
    return { cartId, request: { ...request, verifiedOrder: await verifyOrder(ctx, cartId, reply.lockedBy) } };
  }
  // One merge at a time: each cart knows whether the request's key was applied to it.
  const known = reply.applied && request.idempotency;
  const idempotency = known ? { ...known, applied: true } : request.idempotency;
  return {
    cartId: reply.movedTo,
    request: { ...request, idempotency, refresh: null, stockIsCurrent: false },
  };
}
