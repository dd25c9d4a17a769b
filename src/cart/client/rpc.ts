import { releaseCart } from '../../inventory/index.ts';
import { type Failed, fail, ok } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { cachedValue } from '../../kernel/data/versioned-cache.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import type { PricingSettings } from '../../pricing/index.ts';
import { tenantById } from '../../tenants/index.ts';
import type { CartRequest, Retry } from '../object/preconditions.ts';
import type { FreshOffers, RepriceNeeds } from '../object/reprice.ts';
import type { PricingContext } from '../object/state.ts';
import { type CartObject, cartObject } from './cart-stub.ts';
import { isLockActive } from './verify-lock.ts';

/** The most attempt to Cart objects for one operation, retries and merges included. */
const MAX_ATTEMPTS = 6;

/** Returns the tenant's pricing settings at this catalogue version or a newer one, through the cache. */
export async function pricingContextAt(call: CatalogReader, version: number): Promise<PricingContext> {
  const found = await cachedValue<PricingContext['pricing']>(
    call,
    {
      key: '/pricing.json',
      fill: async (from) => {
        const read = await readPricingContext(from);
        return { version: read.version, answer: ok(read.pricing) };
      },
    },
    version,
  );
  if (!found.ok) throw new Error('The pricing settings of a tenant are missing');
  return { version: found.value.version, pricing: found.value.value };
}

/** Returns the tenant's pricing settings from the database. */
export async function readPricingContext(ctx: TenantDatabase): Promise<PricingContext> {
  const { catalogVersion, settings } = await tenantById(ctx);
  const pricing: PricingSettings = { tax: settings.tax, shipping: settings.shipping };
  return { version: catalogVersion, pricing: JSON.stringify(pricing) };
}

/** One operation on a cart: the part that stays the same across retries. */
export interface CartCall<Reply> {
  readonly env: Env;
  readonly tenantId: number;
  readonly cartId: string;
  readonly request: Omit<CartRequest, 'refresh' | 'verifiedOrder'>;
  /** Whether the operation is idempotent: then it is retried after a failed call. */
  readonly retryable: boolean;
  /** Looks up the offers and the coupon that the cart needs. */
  fetchOffers(needs: RepriceNeeds): Promise<FreshOffers>;
  run(cart: CartObject, request: CartRequest, cartId: string): Promise<Reply | Failed | Retry>;
}

/** Calls a cart; retries with fresh offers, verifies its order lock and follows merges. */
export async function callCart<Reply extends { readonly ok: true }>(
  operation: CartCall<Reply>,
): Promise<{ readonly reply: Reply | Failed | 'keyExpired'; readonly cartId: string }> {
  const { env, tenantId } = operation;
  let { cartId } = operation;
  let refresh: FreshOffers | null = null;
  let verifiedOrder: string | null = null;
  let { request } = operation;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const reply: Reply | Failed | Retry = await runWithRetry(operation, cartId, {
      ...request,
      refresh,
      verifiedOrder,
    });
    if (reply.ok || 'failure' in reply) return { reply, cartId };
    if ('keyExpired' in reply) return { reply: 'keyExpired', cartId };
    if ('needs' in reply) refresh = await operation.fetchOffers(reply.needs);
    else if ('lockedBy' in reply) {
      const active = await isLockActive(env, tenantId, cartId, reply.lockedBy);
      verifiedOrder = active ? reply.lockedBy : null;
    } else {
      cartId = reply.movedTo;
      refresh = null;
      if (reply.applied && request.idempotency)
        request = { ...request, idempotency: { ...request.idempotency, applied: true } };
    }
  }
  return { reply: fail('unavailable'), cartId };
}

async function runWithRetry<Reply>(
  { env, tenantId, retryable, run }: CartCall<Reply>,
  cartId: string,
  request: CartRequest,
): Promise<Reply | Failed | Retry> {
  try {
    return await run(cartObject(env, tenantId, cartId), request, cartId);
  } catch (error) {
    if (!retryable) throw error;
    // Needs a new stub: a stub stays broken after an error.
    return run(cartObject(env, tenantId, cartId), request, cartId);
  }
}

/** Releases the stock that checkout reserved for earlier versions of the cart, after an edit. */
export async function releaseReservation(
  { env, ctx, caller }: CatalogReader,
  cartId: string,
  version: number | undefined,
): Promise<void> {
  if (version === undefined) return;
  await releaseCart({ env, ctx, db: database(env), tenantId: caller.tenantId }, cartId, version).catch(() =>
    // The reservation expires anyway.
    console.warn(JSON.stringify({ event: 'reservation_not_released', tenant: caller.tenantId })),
  );
}
