import type { StockDemand } from '../../inventory/index.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import { countryOnly } from '../../kernel/values/postal-address.ts';
import type { PromotionSource } from '../../pricing/index.ts';
import type { CartPromotion } from '../../promotions/index.ts';
import { tokenKeyVersion } from '../client/cart-id.ts';
import type { CartState, Line } from '../object/state.ts';
import type { CartSnapshot, SnapshotLine } from '../snapshot.ts';
import { priceCart, pricedLine, promotionsInEffect } from './cart-promotions.ts';
import { type ClaimedStock, claimedStock, unavailable } from './stock.ts';

/**
 * Returns why the cart cannot be sold, or null. Does not check quantities: the stock reservation does, which
 * knows what is already reserved for this cart.
 */
export function unsellable({ lines }: CartState): Failed | null {
  if (lines.length === 0) return fail('cart_empty');
  const gone = lines.find((line) => line.gone);
  return gone ? unavailable(gone, gone.quantity, gone.quantity) : null;
}

/**
 * Returns the snapshot at the cart's current prices, with the contact data that `customerId`, the session's
 * customer, may see.
 */
export function snapshotOf(
  state: CartState,
  { cartId, customerId }: { readonly cartId: string; readonly customerId: number | null },
): CartSnapshot {
  const { head, lines } = state;
  const isOwner = head.customerId !== null && head.customerId === customerId;
  const contactShown = isOwner || head.agent !== null;
  const hidden = head.customerId !== null && !contactShown;
  const { totals, applied } = priceCart(state);
  const chosen = new Set(applied.map(({ promotion }) => promotion.id));
  const inEffect = promotionsInEffect(state).map(frozenPromotion);
  return {
    cartId,
    version: head.version,
    currency: head.currency,
    lines: lines.map(snapshotLine),
    totals,
    demands: demandsOf(claimedStock(lines)),
    country: head.address?.country ?? null,
    address: hidden ? countryOnly(head.address) : head.address,
    customerId: head.customerId,
    email: hidden ? null : head.email,
    contactShown,
    metadata: head.metadata,
    shippingMethod: head.shippingMethod,
    promotions: inEffect.filter(({ id }) => chosen.has(id)),
    alternatives: inEffect.filter(({ id }) => !chosen.has(id)),
    ...(head.agent && {
      agent: {
        profile: head.agent.profile,
        checkout: head.agent.checkouts,
        keyVersion: tokenKeyVersion(head.token),
      },
      buyer: head.agent.buyer,
    }),
  };
}

const frozenPromotion = ({ startsAt: _, endsAt: __, ...promotion }: CartPromotion): PromotionSource =>
  promotion;

const snapshotLine = (line: Line): SnapshotLine => ({
  ...pricedLine(line),
  id: line.id,
  variantId: line.offer.variantId,
  name: line.offer.name,
  sku: line.offer.sku,
  options: JSON.parse(line.offer.options),
  demands: demandsOf(claimedStock([line])),
  links: line.offer.links,
  selected: line.offer.selected,
  slug: line.offer.slug,
  type: line.offer.type,
  image: line.offer.image,
});

const demandsOf = (all: ReadonlyMap<string, ClaimedStock>): StockDemand[] =>
  [...all.values()].map(({ need: { kind, id, period }, quantity }) =>
    kind === 'slot' ? { slotId: id, quantity, ...(period && { period }) } : { itemId: id, quantity },
  );
