import { byCodePoint, firstPlace, hasBit, type SortColumn } from '../segments/index.ts';
import { Heap } from './heap.ts';
import type { Match } from './match.ts';

/** The order of a list: a column and then the id, both in the same direction. Prices are those in `currency`. */
export interface ListOrder {
  readonly column: SortColumn;
  readonly falls: boolean;
  readonly currency: string;
}

/** Where a product is in the order. */
export interface Place {
  readonly id: number;
  readonly value: number | string;
}

/** A product of a page, and its sort key: `value`, and `key`: its id, or by relevance its place in the tier. */
export interface Listed extends Place {
  readonly key: number;
}

/** The part of a list to return: at most `limit` products after the first `offset`, or after a place. */
export interface Cut {
  readonly after: Place | null;
  readonly offset: number;
  readonly limit: number;
}

/** Returns where the matching products of a page are in the order. */
export function cutPage(matches: readonly Match[], order: ListOrder, { after, offset, limit }: Cut): Place[] {
  const sign = order.falls ? -1 : 1;
  const heap = new Heap<Walk>((a, b) => sign * comparePlaces(a.place, b.place) < 0);
  for (const match of matches) {
    const walk = begin(match, order, after);
    if (walk) heap.push(walk);
  }
  const page: Place[] = [];
  for (let skipped = 0; heap.size > 0 && page.length < limit; ) {
    const walk = heap.pop();
    if (!walk) break;
    if (skipped < offset) skipped++;
    else page.push(walk.place);
    const next = advance(walk, order);
    if (next) heap.push(next);
  }
  return page;
}

/** How far a segment's matching products are taken. */
interface Walk {
  readonly match: Match;
  /** Place in the segment's ascending order. */
  readonly at: number;
  readonly place: Place;
}

function comparePlaces(a: Place, b: Place): number {
  const byValue =
    typeof a.value === 'string' || typeof b.value === 'string'
      ? byCodePoint(String(a.value), String(b.value))
      : a.value - b.value;
  return byValue || a.id - b.id;
}

const step = ({ falls }: ListOrder): 1 | -1 => (falls ? -1 : 1);

/** Returns the first matching product of a segment after a place, or null. */
function begin(match: Match, order: ListOrder, after: Place | null): Walk | null {
  const { segment } = match;
  if (after === null) return walkFrom(match, order, order.falls ? segment.size - 1 : 0);
  const places = segment.order(order.column, order.currency);
  const toPlace = (at: number) => comparePlaces(placeAt(match, order, places[at] ?? 0), after);
  const first = firstPlace(segment.size, (at) => toPlace(at) < 0);
  if (order.falls) return walkFrom(match, order, first - 1);
  const isThere = first < segment.size && toPlace(first) === 0;
  return walkFrom(match, order, isThere ? first + 1 : first);
}

const advance = ({ match, at }: Walk, order: ListOrder): Walk | null =>
  walkFrom(match, order, at + step(order));

/** Returns the first matching product from a place in the segment's ascending order, or null. */
function walkFrom(match: Match, order: ListOrder, from: number): Walk | null {
  const places = match.segment.order(order.column, order.currency);
  for (let at = from; at >= 0 && at < places.length; at += step(order)) {
    const n = places[at] ?? 0;
    if (hasBit(match.products, n)) return { match, at, place: placeAt(match, order, n) };
  }
  return null;
}

const placeAt = ({ segment }: Match, { column, currency }: ListOrder, n: number): Place => ({
  id: segment.data.ids[n] ?? 0,
  value: segment.sortValue(column, currency, n),
});
