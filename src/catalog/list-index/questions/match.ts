import { concernsItems, PRODUCT_NAMES } from '../../filters/conditions.ts';
import type { Filters } from '../../filters/filter-query.ts';
import {
  addBit,
  type Bits,
  type CategoryTree,
  type Column,
  countBits,
  eachBit,
  emptyBits,
  firstPlace,
  hasBit,
  intersect,
  type Matching,
  removeBit,
  type Segment,
} from '../segments/index.ts';
import type { TextMatcher } from './match-text.ts';

/** The products that a list is about. */
export interface ListScope {
  readonly currency: string;
  /** The main currency of the tenant, in which everything has a price. */
  readonly mainCurrency: string;
  readonly statuses: readonly ('active' | 'inactive')[];
}

/** The {@link Matching} of a segment. */
export interface Match extends Matching {
  readonly segment: Segment;
}

/** Filters, prepared for all segments. */
interface Matcher {
  /** Names all that the matches depend on besides the segment. */
  readonly key: string;
  readonly scope: ListScope;
  readonly filters: Filters;
  /** By number, whether a product in the category matches; null without such a filter. */
  readonly categories: Uint8Array | null;
  readonly text: TextMatcher | null;
  /** The most units that are a low stock. */
  readonly lowStock: number;
  /** Whether items have to match, or have to be known. */
  readonly withItems: boolean;
}

/** Prepares filters for {@link matchSegment}; `counted` are the names of the facets to count over what matches. */
export const matcher = (
  scope: ListScope,
  filters: Filters,
  {
    tree,
    text,
    lowStock,
    counted,
  }: Pick<Matcher, 'text' | 'lowStock'> & {
    readonly tree: CategoryTree;
    readonly counted: readonly string[];
  },
): Matcher => {
  const withItems = concernsItems({ filters, ...scope }, counted);
  return {
    scope,
    filters,
    text,
    lowStock,
    withItems,
    key: JSON.stringify([scope, filters, text?.key, lowStock, withItems, tree.revision]),
    categories: filters.categoryIds.length > 0 ? tree.below(filters.categoryIds) : null,
  };
};

/** Returns the matching products of a segment, or null if none match. */
export function matchSegment(segment: Segment, matcher: Matcher): Match | null {
  let matching = segment.matchings.get(matcher.key);
  if (matching === undefined) {
    matching = findMatching(segment, matcher);
    segment.matchings.set(matcher.key, matching);
  }
  return matching && { segment, ...matching };
}

function findMatching(segment: Segment, matcher: Matcher): Matching | null {
  const { scope, filters, categories, text, lowStock, withItems } = matcher;
  const products = segment.productsIn(scope.currency, scope.statuses);
  if (text) intersect(products, text.matches(segment));
  const itemFilters: (readonly [column: Column, values: readonly string[]])[] = [];
  for (const [name, values] of filters.values) {
    const column = segment.columns.get(name);
    if (!column) return null;
    intersect(products, productsWith(segment, column, values));
    if (!PRODUCT_NAMES.includes(name)) itemFilters.push([column, values]);
  }
  if (categories) keepCategories(segment, products, categories);
  if (filters.stock !== undefined) {
    const [least, most] = filters.stock === 'out' ? [0, 0] : [1, lowStock];
    eachBit(products, (n) => {
      const units = segment.data.unitsLeft[n] ?? 0;
      if (units < least || units > most) removeBit(products, n);
    });
  }
  const items = withItems ? matchItems(segment, products, { matcher, itemFilters }) : null;
  const count = countBits(products);
  return count > 0 ? { products, items, count } : null;
}

/** Calls `visit` with each entry of a column's values. */
function eachEntry({ values: known, starts }: Column, values: readonly string[], visit: (n: number) => void) {
  for (const value of values) {
    const at = placeOf(known, value);
    for (let n = starts[at] ?? 0; at >= 0 && n < (starts[at + 1] ?? 0); n++) visit(n);
  }
}

/** Returns the products with one of the values, as a whole or in an item. */
function productsWith({ size }: Segment, column: Column, values: readonly string[]): Bits {
  const found = emptyBits(size);
  eachEntry(column, values, (n) => addBit(found, column.owners[n] ?? 0));
  return found;
}

/** Returns the items of these products that have one of the values, by themselves or as the whole product. */
function itemsWith(
  { data }: Segment,
  products: Bits,
  [column, values]: readonly [Column, readonly string[]],
) {
  const found = emptyBits(data.itemIds.length);
  eachEntry(column, values, (n) => {
    const [owner, item] = [column.owners[n] ?? 0, column.items[n] ?? 0];
    if (item > 0) addBit(found, item - 1);
    else if (hasBit(products, owner)) {
      for (let at = data.itemStarts[owner] ?? 0; at < (data.itemStarts[owner + 1] ?? 0); at++)
        addBit(found, at);
    }
  });
  return found;
}

/** Returns the place of a value in an ascending list, or -1. */
export function placeOf(values: readonly string[], value: string): number {
  const place = firstPlace(values.length, (at) => (values[at] ?? '') < value);
  return values[place] === value ? place : -1;
}

/** Removes products without a wanted category. */
function keepCategories({ data, categories }: Segment, products: Bits, wanted: Uint8Array): void {
  const { categoryStarts: starts } = data;
  eachBit(products, (n) => {
    for (let at = starts[n] ?? 0; at < (starts[n + 1] ?? 0); at++) {
      if (wanted[categories[at] ?? 0] === 1) return;
    }
    removeBit(products, n);
  });
}

/** The filters that one and the same item has to meet. */
interface ItemFilters {
  readonly matcher: Matcher;
  readonly itemFilters: readonly (readonly [column: Column, values: readonly string[]])[];
}

/** Returns the items that meet all filters, and removes products without any. */
function matchItems(segment: Segment, products: Bits, { matcher, itemFilters }: ItemFilters): Bits {
  const { itemIds, itemStarts, inStock } = segment.data;
  const { price, inStock: stocked } = matcher.filters;
  const prices = segment.pricesIn(matcher.scope.currency).items;
  const [min, max] = [price?.min ?? Number.NEGATIVE_INFINITY, price?.max ?? Number.POSITIVE_INFINITY];
  const allowed = itemsWithAll(segment, products, itemFilters);
  const matches = (item: number) => {
    // Not a number, which no range has, if it has no price in the currency.
    const amount = prices[item] ?? Number.NaN;
    if (!(amount >= min && amount <= max)) return false;
    return (!stocked || inStock[item] === 1) && (!allowed || hasBit(allowed, item));
  };
  const found = emptyBits(itemIds.length);
  eachBit(products, (n) => {
    const end = itemStarts[n + 1] ?? 0;
    let some = false;
    for (let item = itemStarts[n] ?? 0; item < end; item++) {
      if (!matches(item)) continue;
      addBit(found, item);
      some = true;
    }
    if (!some) removeBit(products, n);
  });
  return found;
}

/** Returns the items that meet all of these filters; null without any, as all do then. */
function itemsWithAll(
  segment: Segment,
  products: Bits,
  filters: readonly (readonly [column: Column, values: readonly string[]])[],
): Bits | null {
  let all: Bits | null = null;
  for (const filter of filters) {
    const items = itemsWith(segment, products, filter);
    if (all) intersect(all, items);
    else all = items;
  }
  return all;
}
