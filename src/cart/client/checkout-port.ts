import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { database } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { FreezeReply, LinesReply } from '../object/messages.ts';
import type { CartSnapshot, CheckoutPort, LockRequest } from '../snapshot.ts';
import { type CartObject, type CartPlace, cartObject, endOfMerges, retryOnce } from './cart-id.ts';
import { lookUpNow, readPricingContext } from './catalog-lookup.ts';
import { releaseStaleLock, verifyOrder } from './release.ts';

/** The most attempts to freeze a cart that is merged or edited concurrently. */
const MAX_FREEZE_ATTEMPTS = 6;

/** A tenant's carts and the primary database, from which checkout prices them. */
type CheckoutContext = CartPlace & TenantDatabase;

/** Returns the port to the cart with this id ({@link CartSnapshot}'s `cartId`). */
export function checkoutPort({ env, tenantId }: CartPlace, cartId: string): CheckoutPort {
  const ctx: CheckoutContext = { env, tenantId, db: database(env, tenantId) };
  const cart = (): CartObject => cartObject(ctx, cartId);
  return {
    freeze: (customerId) => freeze(ctx, cartId, customerId),
    standing: () => cart().standing(),
    reserved: (version, until) => cart().reserved(version, until),
    lock: (request) => lock(ctx, cartId, request),
    unlock: (orderId) => cart().unlock(orderId),
    orderStatus: (notice) => cart().orderStatus(notice),
  };
}

/** Locks the cart. If another order holds the lock, checks whether that order was cancelled, and retries. */
async function lock(
  ctx: CheckoutContext,
  cartId: string,
  { orderId, version, email }: LockRequest,
): Promise<Result<void>> {
  const locked = await cartObject(ctx, cartId).lock(orderId, version, email);
  if (!(await releaseStaleLock(ctx, cartId, locked))) return locked;
  return cartObject(ctx, cartId).lock(orderId, version, email);
}

/**
 * Reads the cart's lines, looks their offers up, and freezes the cart at them. Begins again if the cart was
 * edited in between or merged into another.
 */
async function freeze(
  ctx: CheckoutContext,
  firstId: string,
  customerId: number | null,
): Promise<Result<CartSnapshot>> {
  let cartId = firstId;
  let verifiedOrder: string | null = null;
  for (let attempt = 0; attempt < MAX_FREEZE_ATTEMPTS; attempt++) {
    const [context, lines] = await Promise.all([
      readPricingContext(ctx),
      retryOnce<LinesReply>(() => cartObject(ctx, cartId).lines({ verifiedOrder })),
    ]);
    let reply: LinesReply | FreezeReply = lines;
    if (lines.ok) {
      const offers = await lookUpNow(ctx, lines.value);
      const request = { cartId, customerId, context, verifiedOrder };
      reply = await retryOnce<FreezeReply>(() => cartObject(ctx, cartId).freeze(request, offers));
    }
    // Written by snapshotOf() in the Cart object.
    if ('snapshot' in reply) return ok(JSON.parse(reply.snapshot) as CartSnapshot);
    if ('failure' in reply) return reply;
    if ('movedTo' in reply) cartId = await endOfMerges(ctx, reply.movedTo);
    else if ('lockedBy' in reply) verifiedOrder = await verifyOrder(ctx, cartId, reply.lockedBy);
  }
  return fail('unavailable');
}
