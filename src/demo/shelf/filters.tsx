import type { Schemas } from '../../../client/src/index.ts';
import { clip } from '../../web/index.ts';
import { titled } from '../frame/titled.ts';
import { type ListQuery, listUrl, SORTS } from './list-query.ts';

type Facets = Schemas['Facets'];
type Value = Schemas['FacetValue'];

/** Values of one filter on a page. */
const MAX_VALUES = 6;
const MAX_LABEL_LENGTH = 40;

/** A group of filters: the query parameter, its title, and the values that it can have. */
interface FilterGroup {
  readonly name: string;
  readonly title: string;
  readonly values: readonly Value[];
}

const TITLES: Readonly<Record<string, string>> = { vendor: 'Brand', tag: 'Tag' };

/** Returns the text of a filter's value, in which commas and backslashes are escaped. */
const unescaped = (value: string): string => value.replace(/\\(.)/g, '$1');

/** Returns the groups to filter by. A value that is set stays, also when nothing has it any more. */
function groupsOf(facets: Facets, { filters }: ListQuery): FilterGroup[] {
  const names = Object.keys(facets).filter((name) => name.startsWith('attr.'));
  return [...names, 'vendor', 'tag'].flatMap((name) => {
    // Every facet but the price is a list of values.
    const found = (facets as Readonly<Record<string, Value[] | undefined>>)[name] ?? [];
    const set = filters.get(name) ?? [];
    const shown = found.filter(({ value }, at) => at < MAX_VALUES || set.includes(value));
    const gone = set
      .filter((value) => !shown.some((one) => one.value === value))
      .map((value) => ({ value, label: unescaped(value), count: 0 }));
    const values = [...shown, ...gone];
    return values.length > 1 || set.length > 0
      ? [{ name, title: TITLES[name] ?? titled(name.replace('attr.', '')), values }]
      : [];
  });
}

const Box = ({
  name,
  value,
  label,
  count,
  query,
}: {
  name: string;
  value: string;
  label: string;
  count?: number;
  query: ListQuery;
}) => (
  <label class="check">
    <input
      type="checkbox"
      name={name}
      value={value}
      checked={query.filters.get(name)?.includes(value) ?? false}
    />
    <span dir="auto">{clip(label, MAX_LABEL_LENGTH)}</span>
    {count !== undefined && <span class="soft">{count}</span>}
  </label>
);

const PriceField = ({
  name,
  label,
  hint,
  query,
}: {
  name: string;
  label: string;
  hint: number | null;
  query: ListQuery;
}) => (
  <label>
    {label}
    <input
      name={name}
      inputmode="decimal"
      pattern="\p{Nd}+([.,．，]\p{Nd}+)?"
      size={6}
      value={query.filters.get(name)?.[0] ?? ''}
      placeholder={hint === null ? undefined : String(hint)}
    />
  </label>
);

interface FiltersProps {
  readonly path: string;
  readonly facets: Facets;
  readonly query: ListQuery;
}

const SortChoice = ({ query }: Pick<FiltersProps, 'query'>) => (
  <label>
    Sort by
    <select name="sort">
      <option value="">{query.q ? 'Best match' : 'Newest'}</option>
      {Object.entries(SORTS)
        .filter(([value]) => query.q || value !== 'newest')
        .map(([value, label]) => (
          <option value={value} selected={value === query.sort}>
            {label}
          </option>
        ))}
    </select>
  </label>
);

const Availability = ({ facets, query }: Pick<FiltersProps, 'facets' | 'query'>) => (
  <fieldset>
    <legend>Availability</legend>
    <Box
      name="in_stock"
      value="true"
      label="In stock"
      count={facets.in_stock?.find(({ value }) => value === 'true')?.count ?? 0}
      query={query}
    />
    <Box name="on_sale" value="true" label="Reduced" query={query} />
  </fieldset>
);

/** The form that filters and sorts a list. On a phone it is folded. */
export const Filters = ({ path, facets, query }: FiltersProps) => (
  <details class="filters">
    <summary>
      Filter and sort
      {query.filters.size > 0 && (
        <>
          {' '}
          <span class="count">{query.filters.size}</span>
        </>
      )}
    </summary>
    <form action={path} aria-label="Filters">
      {query.q && <input type="hidden" name="q" value={query.q} />}
      <SortChoice query={query} />
      <Availability facets={facets} query={query} />
      {facets.price && (
        <fieldset class="pair">
          <legend>Price</legend>
          <PriceField name="price_min" label="From" hint={facets.price.min} query={query} />
          <PriceField name="price_max" label="To" hint={facets.price.max} query={query} />
        </fieldset>
      )}
      {groupsOf(facets, query).map(({ name, title, values }) => (
        <fieldset>
          <legend dir="auto">{clip(title, MAX_LABEL_LENGTH)}</legend>
          {values.map(({ value, label, count }) => (
            <Box name={name} value={value} label={label} count={count} query={query} />
          ))}
        </fieldset>
      ))}
      <button type="submit" class="button">
        Show products
      </button>
    </form>
  </details>
);

const WORDS: Readonly<Record<string, (value: string) => string>> = {
  in_stock: () => 'In stock',
  on_sale: () => 'Reduced',
  price_min: (value) => `From ${value}`,
  price_max: (value) => `To ${value}`,
};

/** The filters that are set, each with a link that removes it. */
export const SetFilters = ({ path, query }: { path: string; query: ListQuery }) => {
  const set = [...query.filters].flatMap(([name, values]) => values.map((value) => [name, value] as const));
  if (set.length === 0) return null;
  return (
    <ul class="set" aria-label="Filters in use">
      {set.map(([name, value]) => {
        const label = WORDS[name]?.(value) ?? unescaped(value);
        return (
          <li>
            <a href={listUrl(path, query, { without: [name, value] })} dir="auto">
              <span class="hidden">Remove </span>
              {clip(label, MAX_LABEL_LENGTH)} <span aria-hidden="true">×</span>
            </a>
          </li>
        );
      })}
      <li>
        <a href={listUrl(path, { ...query, filters: new Map(), page: 1 })}>Remove all</a>
      </li>
    </ul>
  );
};
