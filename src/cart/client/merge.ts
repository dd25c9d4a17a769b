import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import type { CartContents, CartMerge, TakeReply } from '../object/messages.ts';
import type { CartOwner } from '../object/ownership.ts';
import { callCart } from './call-cart.ts';
import { pricingContextAt } from './cart-client.ts';
import { type CartPlace, cartObject, cartToken, endOfMerges, mergedInto } from './cart-id.ts';
import { barredPromotions, lookUp } from './catalog-lookup.ts';
import { releaseReservation, releaseStaleLock } from './release.ts';

type Taken = Extract<TakeReply, { readonly ok: true }>;

/** A tenant, and the caller for whom its catalogue is read. */
type MergeContext = TenantContext & CatalogReader;

/** The most attempts of a step when the cart is merged or edited concurrently. */
const MAX_ATTEMPTS = 5;

/** The customer to assign a cart to, and the older cart of theirs to merge into it. */
interface CartBinding {
  readonly owner: Omit<CartOwner, 'barred'>;
  readonly olderId: string | null;
}

/** A customer's cart. */
interface BoundCart {
  /** The requested cart, or the cart that it was merged into. */
  readonly cartId: string;
  /** Whether the older cart kept its lines because an order locks this one. */
  readonly apart: boolean;
  /** The other cart that the older one was merged into before; null if there is none. */
  readonly olderMovedTo: string | null;
}

/**
 * Assigns a cart to a customer and merges their older cart into it. The larger quantity of each line wins, codes are kept
 * as far as this cart can hold them, metadata under keys that are free, and the older cart's token resolves to this cart
 * from then on. What this cart can't take is in its warnings. Fails with `cart_expired`, or with `cart_not_found` for
 * another customer's cart. Idempotent.
 */
export async function bindCart(
  ctx: MergeContext,
  cartId: string,
  { owner, olderId }: CartBinding,
): Promise<Result<BoundCart>> {
  let bound = cartId;
  const barred = await barredPromotions(ctx, owner.id);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const reply = await cartObject(ctx, bound).bind({ ...owner, barred });
    if ('movedTo' in reply) bound = await endOfMerges(ctx, reply.movedTo);
    else {
      if (!reply.ok) return reply;
      const isSame = olderId === null || olderId === bound;
      return ok({ cartId: bound, ...(isSame ? MERGED : await merge(ctx, olderId, bound)) });
    }
  }
  return fail('unavailable');
}

/** Erases the customer's personal data from the cart; null: a guest's, if the cart has no owner. */
export const forgetPerson = (
  place: CartPlace,
  cartId: string,
  customerId: number | null,
): Promise<Result<void>> => cartObject(place, cartId).forgetPerson(customerId);

type MergeEnd = Omit<BoundCart, 'cartId'> & Partial<Pick<BoundCart, 'cartId'>>;

const MERGED: MergeEnd = { apart: false, olderMovedTo: null };
const APART: MergeEnd = { apart: true, olderMovedTo: null };

/**
 * Copies a cart's contents into another cart, then redirects the old cart unless it was edited meanwhile. A
 * crash in between loses no line and counts none twice. Leaves a locked, deleted or merged cart unchanged; it isn't
 * ordered while its contents are copied.
 */
async function merge(ctx: MergeContext, fromId: string, intoId: string): Promise<MergeEnd> {
  let id: string | undefined;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const contents = await cartObject(ctx, fromId).contents(id);
    if (!contents.ok) {
      if (await releaseStaleLock(ctx, fromId, contents)) continue;
      const movedTo = await mergedInto(ctx, fromId);
      return movedTo === intoId ? MERGED : { apart: false, olderMovedTo: movedTo };
    }
    const end = await moveContents(ctx, fromId, { intoId, contents: contents.value });
    if (end) return end;
    id = contents.value.merge;
  }
  await endMerge(ctx, fromId, id);
  return APART;
}

/** Ends a merge that moved nothing: the cart can be ordered, without the call ten seconds later. */
const endMerge = (ctx: MergeContext, fromId: string, id: string | undefined): Promise<void> =>
  // A cart of an earlier release lacks the method.
  cartObject(ctx, fromId)
    .stay(id)
    .catch(() => undefined);

/** Moves a cart's contents into another cart. Returns null if the cart was edited meanwhile. */
async function moveContents(
  ctx: MergeContext,
  fromId: string,
  { intoId, contents }: { readonly intoId: string; readonly contents: CartContents },
): Promise<MergeEnd | null> {
  const { version, takes, merge } = contents;
  const taker = await copyContents(ctx, contents, intoId);
  if (taker === null || taker === fromId) {
    await endMerge(ctx, fromId, merge);
    // The other cart was merged into this one meanwhile, or took nothing.
    return taker === null ? APART : { ...MERGED, cartId: fromId };
  }
  const moved = await cartObject(ctx, fromId).moveTo(intoId, version, takes);
  if (moved.ok) await releaseReservation(ctx, fromId, version + 1);
  if (isEdited(moved)) return null;
  if (!moved.ok) await endMerge(ctx, fromId, merge);
  return MERGED;
}

const isEdited = (moved: Result<void>): boolean => !moved.ok && moved.failure.code === 'precondition_failed';

/** Copies a cart's contents into another cart; returns the id of the cart that took them, null if it rejects them. */
async function copyContents(
  ctx: MergeContext,
  contents: CartContents,
  intoId: string,
): Promise<string | null> {
  const context = await pricingContextAt(ctx, ctx.caller.catalogVersion);
  const merge = await mergeOf(ctx, contents, context.version);
  const request = {
    token: cartToken(ctx.env, ctx.tenantId, intoId),
    applicationId: ctx.caller.applicationId,
    context,
    customerId: null,
    ifMatch: null,
    idempotency: null,
  };
  const target = { cartId: intoId, request, retryable: true };
  const { reply, cartId } = await callCart<Taken>(ctx, target, (cart, current) => cart.take(current, merge));
  if (!reply.ok) return null;
  if (reply.releases !== undefined) await releaseReservation(ctx, cartId, reply.releases);
  return cartId;
}

/** Resolves lines and codes to current offers and promotions; lists the lines that are no longer on sale. */
async function mergeOf(
  ctx: CatalogReader,
  { needs, quantities, nextLine, shippingMethod, metadata }: CartContents,
  version: number,
): Promise<CartMerge> {
  const { offers, codes, version: read } = await lookUp(ctx, needs, { version, stockIsCurrent: false });
  const offerOf = new Map(offers.map(({ line, offer }) => [line, offer]));
  const wanted: CartMerge['wanted'][number][] = [];
  const gone: string[] = [];
  for (const { id, quantity, name } of quantities) {
    const offer = offerOf.get(id);
    if (offer) wanted.push({ id, offer, quantity });
    else gone.push(name);
  }
  return { version: read, wanted, nextLine, gone, codes, shippingMethod, metadata };
}
