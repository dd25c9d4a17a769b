import { rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { fold } from '../../kernel/text/fold.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { Question } from './conditions.ts';
import { countedNow, type FacetGroup, keptCounts } from './facet-counts.ts';
import type { FacetRequest, Filters } from './filter-query.ts';
import type { Facets } from './schemas.ts';

/** A value of a facet, with its count. Of a price, the lowest and the highest amount. */
export type FacetRow = readonly [value: string | number | null, label: string | number | null, n: number];

/** The rows of a group's facets, as JSON by the facet's place in the group. */
type GroupRow = Readonly<Record<`facet${number}`, string>>;

/** Facets that are counted over the same products, with the filters that select these. */
interface FilterGroup {
  readonly filters: Filters;
  readonly facets: readonly FacetRequest[];
}

/** Returns the filters without those of one facet. */
const withoutFilter = (filters: Filters, name: string): Filters => ({
  values: filters.values.filter(([other]) => other !== name),
  categoryIds: name === 'category' ? [] : filters.categoryIds,
  price: name === 'price' ? null : filters.price,
  inStock: name === 'in_stock' ? false : filters.inStock,
  stock: filters.stock,
});

/** Groups facets by the filters that they are counted with: all but the facet's own. */
export function groupFacets(filters: Filters, facets: readonly FacetRequest[]): FilterGroup[] {
  const groups = Map.groupBy(facets, ({ name }) => JSON.stringify(withoutFilter(filters, name)));
  // It was made from Filters a line above.
  return [...groups].map(([key, grouped]) => ({ filters: JSON.parse(key) as Filters, facets: grouped }));
}

/** Returns whether a question is about all products of the tenant, so that the kept counts answer it. */
const isUnfiltered = ({ filters, q, hits, currency, mainCurrency, source }: Question): boolean =>
  JSON.stringify(filters) === JSON.stringify(NO_FILTERS) &&
  q === null &&
  !hits &&
  currency === mainCurrency &&
  source === 'listings';

/** No filter at all. */
export const NO_FILTERS: Filters = { values: [], categoryIds: [], price: null, inStock: false };

/** A query of facets. */
interface FacetQuery extends FacetGroup {
  /** Whether the kept counts answer it. */
  readonly isKept: boolean;
}

/**
 * Returns the queries of facets: one of the kept counts, and one for each list, of the wanted category and of all. A list
 * is matched once, however many facets leave out a filter of their own.
 */
function queriesOf(question: Question, facets: readonly FacetRequest[]): FacetQuery[] {
  const groups = groupFacets(question.filters, facets);
  const unfiltered = groups.find(({ filters }) => isUnfiltered({ ...question, filters }))?.facets ?? [];
  const kept = unfiltered.filter(({ name }) => name !== 'in_stock').map(({ name }) => name);
  const counted = groups
    .map((group) => ({ ...group, facets: group.facets.filter(({ name }) => !kept.includes(name)) }))
    .filter((group) => group.facets.length > 0);
  const lists = Map.groupBy(counted, ({ filters }) => filters.categoryIds.length);
  return [
    { question, facets: facets.filter(({ name }) => kept.includes(name)), optional: [], isKept: true },
    ...[...lists.values()].map((joined) => joinGroups(question, joined)),
  ].filter((query) => query.facets.length > 0);
}

/** Returns the query of all facets of groups that concern the same list. */
function joinGroups(question: Question, groups: readonly FilterGroup[]): FacetQuery {
  const facets = groups.flatMap((group) => group.facets);
  const [first] = groups;
  const only = groups.length === 1 ? first?.filters : undefined;
  const filters = only ?? { ...question.filters, categoryIds: first?.filters.categoryIds ?? [] };
  const optional = only ? [] : facets.map(({ name }) => name);
  return { question: { ...question, filters }, facets, optional, isKept: false };
}

/** Returns the queries of facets by name, and a function that presents their rows. */
export function facetQueries({ db }: TenantDatabase, question: Question, facets: readonly FacetRequest[]) {
  const groups = queriesOf(question, facets);
  const queries = groups.map((group) =>
    rows<GroupRow>(db, group.isKept ? keptCounts(group) : countedNow(group)),
  );
  return {
    queries: Object.fromEntries(queries.map((query, n) => [`facets${n}` as const, query])),
    present: (read: Readonly<Record<`facets${number}`, readonly GroupRow[]>>): Facets =>
      presentFacets(facets, question.currency, (wanted) => {
        const at = groups.findIndex((group) => group.facets.some(({ name }) => name === wanted));
        const place = groups[at]?.facets.findIndex(({ name }) => name === wanted) ?? 0;
        // Written by `joined` of the queries.
        return JSON.parse(read[`facets${at}`]?.[0]?.[`facet${place}`] ?? '[]') as FacetRow[];
      }),
  };
}

/** Presents facets in the order asked for, with the rows of each that `rowsOf` returns. */
export const presentFacets = (
  facets: readonly FacetRequest[],
  currency: string,
  rowsOf: (name: string) => readonly FacetRow[],
): Facets => {
  const shown = facets.map(({ key, name }) => {
    const found = rowsOf(name);
    return [key, name === 'price' ? presentPrice(found, currency) : presentValues(found)];
  });
  // Under `price` is a range, under every other key a list of values.
  return Object.fromEntries(shown) as Facets;
};

/** Returns values as filters take them (a comma or backslash is escaped): the most frequent first, then by label. */
const presentValues = (found: readonly FacetRow[]) =>
  found
    .map(([value, label, count]) => ({
      value: String(value).replace(/[\\,]/g, '\\$&'),
      label: String(label),
      count,
    }))
    .sort((a, b) => b.count - a.count || compareLabels(fold(a.label), fold(b.label)));

/** Compares two labels that are folded already. */
export function compareLabels(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function presentPrice([row]: readonly FacetRow[], currency: string) {
  const amount = (minor: unknown) => (typeof minor === 'number' ? toNumber(minor, currency) : null);
  return { min: amount(row?.[0]), max: amount(row?.[1]) };
}
