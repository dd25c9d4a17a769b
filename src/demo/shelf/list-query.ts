import type { PageRequest } from '../../web/index.ts';
import { halfWidth, pageAsked } from '../../web/index.ts';
import type { ListItem } from './card.tsx';

/** How lists can be sorted, and the words for it. */
export const SORTS = {
  newest: 'Newest',
  best_selling: 'Best selling',
  price_asc: 'Price, low to high',
  price_desc: 'Price, high to low',
  name_asc: 'Name',
} as const;
type Sort = keyof typeof SORTS;

/** Products on one page. */
export const PAGE_SIZE = 12;

/** Filters that are a comma-separated list of alternatives. */
const LISTS = ['vendor', 'tag'];
const MAX_ATTRIBUTES = 5;
/** The most alternatives that the API accepts in one filter. */
const MAX_ALTERNATIVES = 20;

/** What a list page asks for: filters by name, each with its values. */
export interface ListQuery {
  readonly filters: ReadonlyMap<string, readonly string[]>;
  readonly sort: Sort | '';
  readonly page: number;
  readonly q: string;
}

const isFilter = (name: string): boolean =>
  [...LISTS, 'in_stock', 'on_sale', 'price_min', 'price_max'].includes(name) || /^attr\../.test(name);

/** Returns filters whose lowest price is not above the highest. */
function inOrder(filters: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const [min, max] = [filters.get('price_min'), filters.get('price_max')];
  return min && max && Number(min[0]) > Number(max[0])
    ? new Map([...filters, ['price_min', max], ['price_max', min]])
    : filters;
}

/** Returns the values of a filter as the API takes them: prices with a decimal point. */
const valuesOf = (name: string, values: readonly string[]): string[] =>
  values
    .filter((value) => value !== '')
    .slice(0, MAX_ALTERNATIVES)
    .map((value) => (name.startsWith('price_') ? halfWidth(value.trim()).replace(',', '.') : value));

/** Returns what the address of a list page asks for. */
export function listQuery(request: PageRequest): ListQuery {
  const filters = Object.entries(request.c.req.queries())
    .map(([name, values]) => [name, valuesOf(name, values)] as const)
    .filter(([name, values]) => isFilter(name) && values.length > 0);
  const sort = request.query('sort');
  return {
    filters: inOrder(new Map(filters)),
    // The check before it says so.
    sort: Object.hasOwn(SORTS, sort) ? (sort as Sort) : '',
    page: pageAsked(request),
    q: request.query('q').trim(),
  };
}

/** Returns the filters and the order as the API takes them. Facets give values with their commas escaped. */
export function apiQuery({ filters, sort }: ListQuery) {
  const value = (name: string) => filters.get(name)?.join(',');
  const attributes = [...filters.keys()].filter((name) => name.startsWith('attr.'));
  return {
    ...Object.fromEntries(LISTS.filter((name) => filters.has(name)).map((name) => [name, value(name)])),
    ...(filters.has('in_stock') && { in_stock: true as const }),
    ...(filters.has('on_sale') && { on_sale: true as const }),
    ...Object.fromEntries(
      ['price_min', 'price_max']
        .filter((name) => filters.has(name))
        .map((name) => [name, Number(filters.get(name)?.[0])]),
    ),
    ...(attributes.length > 0 && {
      attr: Object.fromEntries(attributes.map((name) => [name.slice('attr.'.length), value(name) ?? ''])),
    }),
    ...(sort && { sort }),
  };
}

/** Returns the attributes to filter a list by: those of the filters that are set, then the options of its products. */
export function attributesOf({ filters }: ListQuery, products: readonly ListItem[]): string[] {
  const set = [...filters.keys()].filter((name) => name.startsWith('attr.'));
  const offered = products.flatMap(({ options }) => options.map(({ name }) => `attr.${name}`));
  const byKey = new Map([...set, ...offered].map((name) => [name.toLowerCase(), name] as const));
  // The API separates facets by commas.
  return [...byKey.values()].filter((name) => !name.includes(',')).slice(0, MAX_ATTRIBUTES);
}

/** Returns the address of the list with something changed; null removes a filter. */
export function listUrl(
  path: string,
  { filters, sort, page, q }: ListQuery,
  change: { readonly page?: number; readonly without?: readonly [name: string, value: string] } = {},
): string {
  const parameters = new URLSearchParams();
  if (q) parameters.set('q', q);
  for (const [name, values] of filters) {
    for (const value of values) {
      const [removed, removedValue] = change.without ?? [];
      if (name !== removed || value !== removedValue) parameters.append(name, value);
    }
  }
  if (sort) parameters.set('sort', sort);
  const to = change.without ? 1 : (change.page ?? page);
  if (to > 1) parameters.set('page', String(to));
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}
