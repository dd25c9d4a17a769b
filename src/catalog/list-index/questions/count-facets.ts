import { PRODUCT_NAMES } from '../../filters/conditions.ts';
import { MAX_FACET_VALUES } from '../../filters/facet-counts.ts';
import { compareLabels, type FacetRow } from '../../filters/facets.ts';
import {
  byCodePoint,
  type CategoryTree,
  type Column,
  eachBit,
  hasBit,
  type Segment,
  type Terms,
} from '../segments/index.ts';
import { type ListScope, type Match, placeOf } from './match.ts';

/** What facets are counted in. */
interface FacetContext {
  readonly scope: ListScope;
  /** All segments: values are spelled as the oldest product has them, whether it matches or not. */
  readonly segments: readonly Segment[];
  readonly tree: CategoryTree;
  terms(name: string): Terms;
}

/** Returns the rows of a facet over what matches, at most {@link MAX_FACET_VALUES} of the most frequent values. */
export function countFacet(ctx: FacetContext, matches: readonly Match[], name: string): FacetRow[] {
  if (name === 'price') return [priceRange(ctx.scope, matches)];
  if (name === 'in_stock') return countStock(matches);
  if (name === 'category') return countCategories(ctx, matches);
  return countValues(ctx, matches, name);
}

function priceRange({ currency }: ListScope, matches: readonly Match[]): FacetRow {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { segment, items } of matches) {
    const prices = segment.pricesIn(currency).items;
    if (!items) continue;
    eachBit(items, (item) => {
      const price = prices[item] ?? Number.NaN;
      if (price < min) min = price;
      if (price > max) max = price;
    });
  }
  return min <= max ? [min, max, 0] : [null, null, 0];
}

function countStock(matches: readonly Match[]): FacetRow[] {
  let [all, stocked] = [0, 0];
  for (const { segment, items, count } of matches) {
    all += count;
    let last = -1;
    if (!items) continue;
    eachBit(items, (item) => {
      if (segment.data.inStock[item] !== 1 || segment.ownerOf(item) === last) return;
      last = segment.ownerOf(item);
      stocked++;
    });
  }
  const rows: FacetRow[] = [
    ['true', 'In stock', stocked],
    ['false', 'Out of stock', all - stocked],
  ];
  return rows.filter(([, , n]) => n > 0);
}

function countCategories({ scope, tree }: FacetContext, matches: readonly Match[]): FacetRow[] {
  const lines = tree.lines();
  const known = [...new Map(lines.flat().map((category) => [category.id, category])).values()];
  const numbers = new Map(known.map(({ id }, n) => [id, n]));
  const above = lines.map((line) => line.map(({ id }) => numbers.get(id) ?? 0));
  const counts = new Uint32Array(known.length);
  // The last product that counted for a category, so that it counts once.
  const counted = new Float64Array(known.length);
  let product = 0;
  const count = (line: readonly number[]) => {
    for (const category of line) {
      if (counted[category] === product) break;
      counted[category] = product;
      counts[category] = (counts[category] ?? 0) + 1;
    }
  };
  for (const { segment, products } of matches) {
    const { categories, data } = segment;
    eachBit(products, (n) => {
      product++;
      const end = data.categoryStarts[n + 1] ?? 0;
      for (let at = data.categoryStarts[n] ?? 0; at < end; at++) count(above[categories[at] ?? 0] ?? []);
    });
  }
  const all = scope.statuses.includes('inactive');
  return known
    .flatMap(({ id, name }, n): FacetRow[] => (counts[n] ? [[id, name, counts[n]]] : []))
    .filter(([id]) => all || !tree.isHidden(Number(id)))
    .sort((a, b) => b[2] - a[2] || compareLabels(lower(a[1]), lower(b[1])) || Number(a[0]) - Number(b[0]))
    .slice(0, MAX_FACET_VALUES);
}

/** Lower-cases ASCII alone, as SQLite does. */
const lower = (label: FacetRow[1]): string =>
  String(label).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function countValues(ctx: FacetContext, matches: readonly Match[], name: string): FacetRow[] {
  const { values } = ctx.terms(name);
  const counts = new Uint32Array(values.length);
  for (const match of matches) countColumn(match, name, counts);
  return mostFrequent(counts, values).map((term) => {
    const label = spellingOf(ctx, name, term);
    return [label, label, counts[term] ?? 0];
  });
}

/** Adds the number of a segment's matching products with each value. */
function countColumn({ segment, products, items }: Match, name: string, counts: Uint32Array): void {
  const column = segment.columns.get(name);
  if (!column) return;
  // Items have no values of these names: what counts is the product alone.
  const matching = { products, items: PRODUCT_NAMES.includes(name) ? null : items };
  for (let at = 0; at < column.terms.length; at++) {
    const term = column.terms[at] ?? 0;
    counts[term] = (counts[term] ?? 0) + productsWithValue(column, at, matching);
  }
}

/** Returns how many matching products have the column's value at this place. */
function productsWithValue(
  { starts, owners, items: ownItems }: Column,
  at: number,
  { products, items }: Pick<Match, 'products' | 'items'>,
): number {
  const end = starts[at + 1] ?? 0;
  let count = 0;
  let last = -1;
  for (let n = starts[at] ?? 0; n < end; n++) {
    const owner = owners[n] ?? 0;
    if (owner === last || !hasBit(products, owner)) continue;
    const item = ownItems[n] ?? 0;
    if (items && item > 0 && !hasBit(items, item - 1)) continue;
    last = owner;
    count++;
  }
  return count;
}

/** Returns the most frequent values that occur at all, the most frequent first, then in the order of the values. */
function mostFrequent(counts: Uint32Array, values: readonly string[]): number[] {
  const found: number[] = [];
  const isBefore = (a: number, b: number) => {
    const difference = (counts[a] ?? 0) - (counts[b] ?? 0);
    return difference > 0 || (difference === 0 && byCodePoint(values[a] ?? '', values[b] ?? '') < 0);
  };
  for (let term = 0; term < counts.length; term++) {
    const least = found.at(-1);
    if (!counts[term]) continue;
    if (found.length === MAX_FACET_VALUES && least !== undefined && !isBefore(term, least)) continue;
    let place = found.length;
    while (place > 0 && isBefore(term, found[place - 1] ?? 0)) place--;
    found.splice(place, 0, term);
    if (found.length > MAX_FACET_VALUES) found.pop();
  }
  return found;
}

/** Returns a value as the oldest product spells it: an active one, if inactive ones are listed too. */
function spellingOf({ scope, segments, terms }: FacetContext, name: string, term: number): string {
  const { spellings, values } = terms(name);
  const only = spellings[term] ?? null;
  if (only !== null) return only;
  const value = values[term] ?? '';
  for (const status of scope.statuses) {
    const found = segments.flatMap((segment) => oldestSpelling(segment, { name, value, status }) ?? []);
    const [oldest] = found.sort((a, b) => a.id - b.id);
    if (oldest) return oldest.label;
  }
  return value;
}

/** Returns how the oldest live product of a segment spells a value, with its id. */
function oldestSpelling(
  segment: Segment,
  { name, value, status }: { readonly name: string; readonly value: string; readonly status: string },
): { readonly id: number; readonly label: string } | null {
  const column = segment.columns.get(name);
  const at = column ? placeOf(column.values, value) : -1;
  if (!column || at < 0) return null;
  for (let n = column.starts[at] ?? 0; n < (column.starts[at + 1] ?? 0); n++) {
    const owner = column.owners[n] ?? 0;
    if (!segment.isLive(owner, status === 'active')) continue;
    return { id: segment.data.ids[owner] ?? 0, label: column.spellings[column.spelled[n] ?? 0] ?? value };
  }
  return null;
}
