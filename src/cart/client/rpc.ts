import { releaseCart } from '../../inventory/index.ts';
import { type Failed, fail, ok } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import { cachedValue } from '../../kernel/data/versioned-cache.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import type { PricingSettings } from '../../pricing/index.ts';
import { tenantById } from '../../tenants/index.ts';
import type { CartRequest, Retry } from '../object/preconditions.ts';
import type { FreshOffers, RepriceNeeds } from '../object/reprice.ts';
import type { PricingContext } from '../object/state.ts';
import { type CartObject, cartObject } from './cart-stub.ts';
import { lockStands } from './verify-lock.ts';

/** How often a cart is asked again because of what it answered. */
const MAX_ROUNDS = 6;

/** The tenant's settings as pricing needs them, through the catalogue's cache. */
export async function pricingContextAt(call: CatalogReader, version: number): Promise<PricingContext> {
  const { tenantId } = call.caller;
  const found = await cachedValue<PricingContext['pricing']>(
    call,
    {
      key: '/pricing.json',
      fill: async (db) => {
        const read = await readPricingContext(db, tenantId);
        return { version: read.version, answer: ok(read.pricing) };
      },
    },
    version,
  );
  if (!found.ok) throw new Error('A tenant has settings');
  return { version: found.value.version, pricing: found.value.value };
}

/** The tenant's settings as pricing needs them, from the database. */
export async function readPricingContext(
  db: ReturnType<typeof database>,
  tenantId: number,
): Promise<PricingContext> {
  const { catalogVersion, settings } = await tenantById(db, tenantId);
  const pricing: PricingSettings = { tax: settings.tax, shipping: settings.shipping };
  return { version: catalogVersion, pricing: JSON.stringify(pricing) };
}

/** Who asks a cart, and how: what stays the same when it has to be asked again. */
export interface CartCall<Reply> {
  readonly env: Env;
  readonly tenantId: number;
  readonly cartId: string;
  readonly visit: Omit<CartRequest, 'refresh' | 'orderStands'>;
  /** Whether asking twice does no harm: then a call that got lost is repeated. */
  readonly safe: boolean;
  /** Looks up what a cart says it needs. */
  tell(needs: RepriceNeeds): Promise<FreshOffers>;
  ask(cart: CartObject, visit: CartRequest, cartId: string): Promise<Reply | Failed | Retry>;
}

/** Asks a cart until it answers: brings it what it needs, and follows it to the one it was merged into. */
export async function callCart<Reply extends { readonly ok: true }>(
  asking: CartCall<Reply>,
): Promise<{ readonly reply: Reply | Failed | 'spent'; readonly cartId: string }> {
  const { env, tenantId } = asking;
  let { cartId } = asking;
  let refresh: FreshOffers | null = null;
  let orderStands: string | null = null;
  let { visit } = asking;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const reply: Reply | Failed | Retry = await once(asking, cartId, {
      ...visit,
      refresh,
      orderStands,
    });
    if (reply.ok || 'failure' in reply) return { reply, cartId };
    if ('spent' in reply) return { reply: 'spent', cartId };
    if ('needs' in reply) refresh = await asking.tell(reply.needs);
    else if ('lockedBy' in reply) {
      const stands = await lockStands(env, tenantId, cartId, reply.lockedBy);
      orderStands = stands ? reply.lockedBy : null;
    } else {
      cartId = reply.movedTo;
      refresh = null;
      if (reply.applied && visit.once) visit = { ...visit, once: { ...visit.once, applied: true } };
    }
  }
  return { reply: fail('unavailable'), cartId };
}

async function once<Reply>(
  { env, tenantId, safe, ask: run }: CartCall<Reply>,
  cartId: string,
  visit: CartRequest,
): Promise<Reply | Failed | Retry> {
  try {
    return await run(cartObject(env, tenantId, cartId), visit, cartId);
  } catch (error) {
    if (!safe) throw error;
    // A new stub: a broken one stays broken.
    return run(cartObject(env, tenantId, cartId), visit, cartId);
  }
}

/** Gives back what checkout kept for versions of a cart before this one: an edit has made them void. */
export async function releaseReservation(
  { env, ctx, caller }: CatalogReader,
  cartId: string,
  version: number | undefined,
): Promise<void> {
  if (version === undefined) return;
  await releaseCart({ env, ctx }, database(env), caller.tenantId, cartId, version).catch(() =>
    // It ends by itself when its time is over.
    console.warn(JSON.stringify({ event: 'reservation_not_released', tenant: caller.tenantId })),
  );
}
