import type { ErrorCode } from '../../kernel/core/errors.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import type { StockNeed } from '../options/offer.ts';
import type { Line, Reserved } from './state.ts';

/** What is taken of one item or slot, over many lines. */
export interface ClaimedStock {
  readonly need: StockNeed;
  readonly quantity: number;
}

/** What a need is counted under. */
export const keyOf = ({ kind, id }: StockNeed): string => `${kind}:${id}`;

/** What lines take of stock, by item and slot; the need is that of the first line. */
export function claimedStock(lines: readonly Pick<Line, 'offer' | 'quantity'>[]): Map<string, ClaimedStock> {
  const all = new Map<string, ClaimedStock>();
  for (const { offer, quantity } of lines) {
    for (const need of offer.needs) {
      const before = all.get(keyOf(need));
      const sum = (before?.quantity ?? 0) + need.quantity * quantity;
      all.set(keyOf(need), { need: before?.need ?? need, quantity: sum });
    }
  }
  return all;
}

/** The refusal of a line that can't be bought any more. */
export const unavailable = ({ offer }: Line, requested: number): Failed =>
  tooLittle(offer.needs[0]?.kind ?? 'item', {
    product_id: offer.productId,
    variant_id: offer.variantId,
    requested,
    in_cart: 0,
    available: 0,
  });

/** A refusal for too little stock; a slot's has its own code. */
const tooLittle = (
  kind: StockNeed['kind'],
  details: {
    product_id: number;
    variant_id: number | null;
    requested: number;
    in_cart: number;
    available: number;
  },
): Failed => {
  const code: ErrorCode = kind === 'slot' ? 'slot_unavailable' : 'insufficient_stock';
  return fail(code, { details });
};

/**
 * Whether a call may take this much more, counted over the whole cart: `null`, or the refusal. What is
 * asked for says how much there is; what is kept for this cart comes on top.
 */
export function shortage(
  asked: readonly Pick<Line, 'offer' | 'quantity'>[],
  others: readonly Line[],
  own: Reserved['own'],
): Failed | null {
  const inCart = claimedStock(others);
  for (const [key, { need, quantity }] of claimedStock(asked)) {
    const already = inCart.get(key)?.quantity ?? 0;
    const available = need.available === null ? null : need.available + (own[key] ?? 0);
    if (available !== null && already + quantity > available) {
      return tooLittle(need.kind, {
        product_id: need.productId,
        variant_id: need.variantId,
        requested: quantity,
        in_cart: already,
        available,
      });
    }
  }
  return null;
}

/** A line that can't be had as it is. `available` is how many of it can. */
export interface ShortLine {
  readonly line: Line;
  readonly available: number;
}

/** The lines for which stock doesn't suffice; what there is goes to the lines in their order. */
export function shortLines(lines: readonly Line[], own: Reserved['own']): ShortLine[] {
  const left = new Map<string, number>();
  for (const [key, { need }] of claimedStock(lines)) {
    if (need.available !== null) left.set(key, need.available + (own[key] ?? 0));
  }
  const short: ShortLine[] = [];
  for (const line of lines) {
    const { needs } = line.offer;
    const possible = line.gone ? 0 : mostOf(needs, line.quantity, left);
    if (possible < line.quantity) short.push({ line, available: possible });
    for (const need of needs) {
      const rest = left.get(keyOf(need));
      if (rest !== undefined) left.set(keyOf(need), Math.max(0, rest - need.quantity * possible));
    }
  }
  return short;
}

function mostOf(needs: readonly StockNeed[], wanted: number, left: ReadonlyMap<string, number>): number {
  const most = needs.map((need) => {
    const rest = left.get(keyOf(need));
    return rest === undefined ? wanted : Math.floor(rest / need.quantity);
  });
  return Math.min(wanted, ...most);
}
