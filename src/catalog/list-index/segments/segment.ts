import { BoundedMap } from '../../../kernel/core/bounded-map.ts';
import { type Bits, bitsWhere, emptyBits, hasBit, removeBit } from './bits.ts';
import type { CategoryTree } from './category-tree.ts';
import { byCodePoint } from './code-points.ts';
import type { Dictionary } from './dictionary.ts';
import { firstPlace } from './first-place.ts';
import type { ColumnData, PriceData, SegmentData } from './segment-data.ts';

/** What a page is sorted by, before the id. */
export type SortColumn = 'id' | 'name' | 'sold' | 'price' | 'name_length';

/** A column with the numbers of its values in the dictionary. */
export interface Column extends ColumnData {
  readonly terms: Uint32Array;
}

/** The most sets of filters, and the most texts, whose matches a segment keeps: a kilobyte each. */
const MAX_KEPT = 16;

/** The products of a segment that match, and those of their items that do; null if all of them do. */
export interface Matching {
  readonly products: Bits;
  readonly items: Bits | null;
  readonly count: number;
}

const NO_PRICES: Omit<PriceData, 'currency'> = { products: new Float64Array(0), items: new Float64Array(0) };

/** A segment in memory, with what is derived from it on demand. Of its data only `live` changes. */
export class Segment {
  readonly columns: ReadonlyMap<string, Column>;
  /** The numbers of the categories in `data.categoryIds`. */
  readonly categories: Uint32Array;
  readonly size: number;
  /** What matched the last filters: a question asked again evaluates the segments that have changed. */
  readonly matchings = new BoundedMap<string, Matching | null>(MAX_KEPT);
  /** The products with the last texts, whether listed or not. */
  readonly withText = new BoundedMap<string, Bits>(MAX_KEPT);
  /** The products that were not replaced by a newer segment, nor deleted. */
  private readonly live: Bits;
  private readonly prices: ReadonlyMap<string, PriceData>;
  private readonly orders = new Map<string, Uint16Array>();
  private readonly listed = new Map<string, Bits>();
  private readonly itemOwners: Uint16Array;

  constructor(
    readonly data: SegmentData,
    { dictionary, tree }: { readonly dictionary: Dictionary; readonly tree: CategoryTree },
  ) {
    this.size = data.ids.length;
    this.live = bitsWhere(this.size, () => true);
    this.columns = new Map(
      data.columns.map((column) => [
        column.name,
        { ...column, terms: dictionary.termsOf(column.name).intern(column) },
      ]),
    );
    this.categories = tree.numbersOf(data.categoryIds);
    this.prices = new Map(data.prices.map((prices) => [prices.currency, prices]));
    this.itemOwners = new Uint16Array(data.itemIds.length);
    for (let n = 0; n < this.size; n++) this.itemOwners.fill(n, data.itemStarts[n], data.itemStarts[n + 1]);
  }

  /** Returns the prices in a currency; none where nothing has one. */
  pricesIn = (currency: string): Omit<PriceData, 'currency'> => this.prices.get(currency) ?? NO_PRICES;

  /** Removes a product, if it is here. */
  remove(id: number): void {
    const place = this.placeOf(id);
    if (place < 0 || !hasBit(this.live, place)) return;
    removeBit(this.live, place);
    this.listed.clear();
    this.matchings.clear();
  }

  /** Returns whether the product at a place is here still, and of this status. */
  isLive = (place: number, active: boolean): boolean =>
    hasBit(this.live, place) && this.data.active[place] === Number(active);

  /** Returns a new set of the products that a list in a currency and of these statuses has. */
  productsIn(currency: string, statuses: readonly string[]): Bits {
    const key = `${currency} ${statuses.join()}`;
    const known = this.listed.get(key) ?? this.listedIn(currency, statuses);
    this.listed.set(key, known);
    return known.slice();
  }

  private listedIn(currency: string, statuses: readonly string[]): Bits {
    const prices = this.prices.get(currency)?.products;
    if (!prices) return emptyBits(this.size);
    const { active } = this.data;
    const has = [statuses.includes('inactive'), statuses.includes('active')];
    return bitsWhere(
      this.size,
      (n) => hasBit(this.live, n) && has[active[n] ?? 0] === true && !Number.isNaN(prices[n]),
    );
  }

  /** Returns the place of the product that an item belongs to. */
  ownerOf = (item: number): number => this.itemOwners[item] ?? 0;

  /** Returns the place of a product, or -1. */
  placeOf(id: number): number {
    const { ids } = this.data;
    const place = firstPlace(ids.length, (at) => (ids[at] ?? 0) < id);
    return ids[place] === id ? place : -1;
  }

  /** Returns all products in ascending order of a column and then their ids. Prices are those in `currency`. */
  order(column: SortColumn, currency: string): Uint16Array {
    const key = column === 'price' ? `price ${currency}` : column;
    const known = this.orders.get(key) ?? this.sorted(column, currency);
    this.orders.set(key, known);
    return known;
  }

  private sorted(column: SortColumn, currency: string): Uint16Array {
    const places = Uint16Array.from(this.data.ids, (_, n) => n);
    if (column === 'id') return places;
    if (column === 'name') {
      const { names } = this.data;
      return places.sort((a, b) => byCodePoint(names[a] ?? '', names[b] ?? '') || a - b);
    }
    const values = this.numbersOf(column, currency);
    // What has no price is in no list; it may be anywhere, but the order has to be one.
    const amount = (n: number) => values[n] || 0;
    return places.sort((a, b) => amount(a) - amount(b) || a - b);
  }

  /** Returns what a product is sorted by. */
  sortValue(column: SortColumn, currency: string, place: number): number | string {
    if (column === 'id') return 0;
    if (column === 'name') return this.data.names[place] ?? '';
    return this.numbersOf(column, currency)[place] || 0;
  }

  private numbersOf(column: 'sold' | 'price' | 'name_length', currency: string): ArrayLike<number> {
    if (column === 'sold') return this.data.sold;
    return column === 'price' ? this.pricesIn(currency).products : (this.data.text?.nameLengths ?? []);
  }
}
