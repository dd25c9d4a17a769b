import { MAX_METADATA_KEYS, type Metadata } from '../../../kernel/values/metadata.ts';
import type { CartPromotion } from '../../../promotions/index.ts';
import { hasEnded, mayShareCart, withRunning } from '../../pricing/cart-promotions.ts';
import { withKnownAvailability } from '../../pricing/stock.ts';
import type { CartMerge } from '../messages.ts';
import { type CartState, type Line, MAX_CODES, type NotMerged } from '../state.ts';
import { sharesLine, withLines } from './edits.ts';

/** The most items that a {@link NotMerged} names. */
const MAX_NAMED_ITEMS = 10;

/** A cart after a merge, and what it could not take; null if it took everything. */
interface MergedCart {
  readonly merged: CartState;
  readonly notMerged: NotMerged | null;
}

/**
 * Merges a customer's earlier cart: its lines, its codes as far as this cart can hold them, its metadata
 * under keys that this cart doesn't have, and its shipping method unless one was chosen in this cart. Returns the same
 * cart if there is nothing to take, so that a repeated merge changes nothing. Belongs behind {@link withNextLine}.
 */
export function mergeCart(before: CartState, merge: CartMerge, at: number): MergedCart {
  const { state, refused } = mergeLines(before, merge);
  const codes = mergeCodes(state, merge, at);
  const merged = withMetadata(withShippingMethod(codes.state, merge.shippingMethod), merge.metadata);
  const items = [...merge.gone, ...refused];
  const names = items.slice(0, MAX_NAMED_ITEMS);
  const isComplete = items.length === 0 && codes.refused.length === 0;
  return {
    merged: merged === before ? before : withRunning(merged, at),
    notMerged: isComplete ? null : { names, items: items.length, codes: codes.refused },
  };
}

interface Merged {
  readonly state: CartState;
  /** The names of what the cart could not take. */
  readonly refused: readonly string[];
}

/**
 * Merges lines. The larger quantity of each line wins, so the merge is idempotent. Refuses lines without a
 * price in this cart's currency or beyond its limits. Insufficient stock yields a warning only.
 */
function mergeLines(state: CartState, merge: CartMerge): Merged {
  const { version, wanted } = merge;
  const own = withDistinctIds(state, merge);
  let merged = own;
  const refused: string[] = [];
  for (const { offer, quantity } of withKnownAvailability(state, wanted)) {
    const line = state.lines.find((one) => sharesLine(one.offer, offer));
    const more = quantity - (line?.quantity ?? 0);
    if (more <= 0) continue;
    const added = withLines(merged, { version, wanted: [{ offer, quantity: more }] });
    if (added.ok) merged = added.value;
    else refused.push(offer.name);
  }
  return { state: merged, refused };
}

/**
 * Returns the cart without the line ids that the other cart has given, for new lines: also those of lines that are not
 * taken over. The same cart if it gives higher ones already.
 */
export const withNextLine = (state: CartState, { nextLine = 1 }: CartMerge): CartState =>
  nextLine <= state.head.nextLine ? state : { ...state, head: { ...state.head, nextLine } };

/**
 * Returns the cart with line ids that never named other goods in the other cart, whose token leads here: a device that has
 * not seen the merge must not change them. Renumbers all lines where one does.
 */
function withDistinctIds(state: CartState, { wanted, nextLine = 1 }: CartMerge): CartState {
  const first = state.head.nextLine;
  const namesOthers = ({ id, offer }: Line): boolean =>
    id < nextLine && !wanted.some((one) => one.id === id && sharesLine(one.offer, offer));
  if (!state.lines.some(namesOthers)) return state;
  const lines = state.lines.map((line, n) => ({ ...line, id: first + n }));
  return { ...state, head: { ...state.head, nextLine: first + lines.length }, lines };
}

/** Merges codes: those that the cart can hold beside its own, before these, which were entered later. */
function mergeCodes(state: CartState, { version, codes }: CartMerge, at: number): Merged {
  const own = state.head.codes.filter((one) => !hasEnded(one, at));
  const taken: CartPromotion[] = [];
  const refused: string[] = [];
  for (const promotion of codes) {
    if (hasEnded(promotion, at) || own.some(({ id }) => id === promotion.id)) continue;
    if (fits(promotion, [...taken, ...own])) taken.push(promotion);
    else refused.push(promotion.code ?? '');
  }
  if (taken.length === 0) return { state, refused };
  const pricedAt = Math.min(state.head.pricedAt, version);
  return { state: { ...state, head: { ...state.head, pricedAt, codes: [...taken, ...own] } }, refused };
}

/** Returns whether a cart with these codes takes another one beside them. */
const fits = (promotion: CartPromotion, others: readonly CartPromotion[]): boolean =>
  others.length < MAX_CODES && others.every((other) => mayShareCart(promotion, other));

/** Returns the cart with a shipping method that was chosen in the other one, unless it has one of its own. */
const withShippingMethod = (state: CartState, id: string | null): CartState =>
  id === null || state.head.shippingMethod !== null
    ? state
    : { ...state, head: { ...state.head, shippingMethod: id } };

/** Returns the cart with the other one's metadata under keys that it doesn't have, as far as the limit allows. */
function withMetadata(state: CartState, metadata: Metadata): CartState {
  const own = state.head.metadata;
  const entries = Object.entries(metadata).filter(([key]) => !Object.hasOwn(own, key));
  const free = entries.slice(0, Math.max(0, MAX_METADATA_KEYS - Object.keys(own).length));
  if (free.length === 0) return state;
  return { ...state, head: { ...state.head, metadata: { ...own, ...Object.fromEntries(free) } } };
}

/** Returns the cart with a notice of what a merge could not take, which its next version drops. */
export const withNotMerged = (state: CartState, notMerged: NotMerged | null): CartState =>
  JSON.stringify(state.head.notMerged) === JSON.stringify(notMerged)
    ? state
    : { ...state, head: { ...state.head, notMerged } };
