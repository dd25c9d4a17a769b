import { MAX_TAG_LENGTH, MAX_VENDOR_LENGTH, PRODUCT_TYPES } from '../../../../catalog/index.ts';
import { clip, type PageRequest } from '../../../../web/index.ts';
import type { CategoryPlace } from '../../../pickers/category-picker.tsx';
import {
  type FilterFormProps,
  type FilterOption,
  FilterSelect,
  type Filters,
  givenFilters,
  SearchForm,
} from '../../../search-form.tsx';
import { root, TYPES } from '../product.tsx';

const STATUSES: readonly FilterOption[] = [
  ['', 'Any'],
  ['active', 'Active'],
  ['inactive', 'Inactive'],
];
const STOCKS: readonly FilterOption[] = [
  ['', 'Any'],
  ['in', 'In stock'],
  ['low', 'Low stock'],
  ['out', 'Sold out'],
];
const SORTS: readonly FilterOption[] = [
  ['', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['name_asc', 'Name, A to Z'],
  ['name_desc', 'Name, Z to A'],
  ['price_asc', 'Lowest price'],
  ['price_desc', 'Highest price'],
  ['best_selling', 'Best sellers'],
];

/** The filters that are typed, and match a product's whole vendor or one of its tags. */
const TEXTS = [
  ['vendor', 'Vendor', MAX_VENDOR_LENGTH],
  ['tag', 'Tag', MAX_TAG_LENGTH],
] as const;

/** The filters of the list, as its address has them; `sort` is none, but is kept like them. */
export const FILTERS = ['q', 'status', 'type', 'stock', 'category_id', 'vendor', 'tag'] as const;

/** The largest tree that the filter offers as a whole; a category of a larger one is chosen on its own page. */
const MAX_OFFERED_CATEGORIES = 24;

/** Returns the filters and the order of a request, without empty ones. */
export const filtersOf = (request: PageRequest): Filters => givenFilters(request, [...FILTERS, 'sort']);

/** Returns the API's query for filters: products of any status unless one is chosen. What is typed is one value. */
export function apiQuery({ stock, ...filters }: Filters): URLSearchParams {
  const query = new URLSearchParams({ status: 'all', ...filters });
  for (const [name] of TEXTS) {
    // The API takes a list, in which a comma or backslash of a value is escaped.
    if (filters[name]) query.set(name, filters[name].replace(/[\\,]/g, '\\$&'));
  }
  if (stock === 'in') query.set('in_stock', 'true');
  else if (stock) query.set('stock', stock);
  return query;
}

interface ProductFilterProps extends FilterFormProps {
  readonly categories: readonly CategoryPlace[];
}

/** The form that searches, filters and sorts the list; it is part of the address, so that it can be kept as a link. */
export const FilterForm = ({ filters, categories, formError }: ProductFilterProps) => (
  <SearchForm action={root} filters={filters} label="Name, SKU or slug" maxlength={100} formError={formError}>
    <FilterSelect name="status" label="Status" options={STATUSES} value={filters.status} />
    <FilterSelect
      name="type"
      label="Type"
      options={[['', 'Any'], ...PRODUCT_TYPES.map((type): FilterOption => [type, TYPES[type][0]])]}
      value={filters.type}
    />
    <FilterSelect name="stock" label="Stock" options={STOCKS} value={filters.stock} />
    <FilterSelect
      name="category_id"
      label="Category"
      options={categoryOptions(categories, filters)}
      value={filters.category_id}
    />
    {TEXTS.map(([name, label, maxlength]) => (
      <label>
        {label}
        <input name={name} value={filters[name]} maxlength={maxlength} />
      </label>
    ))}
    <FilterSelect name="sort" label="Sort" options={SORTS} value={filters.sort} />
  </SearchForm>
);

/** Returns the categories to choose from: all of a small tree, else the roots and the chosen one. */
function categoryOptions(
  categories: readonly CategoryPlace[],
  { category_id }: FilterFormProps['filters'],
): FilterOption[] {
  const isSmall = categories.length <= MAX_OFFERED_CATEGORIES;
  const offered = categories.filter(
    ({ category, depth }) => isSmall || depth === 0 || String(category.id) === category_id,
  );
  const options = offered.map(
    ({ category, depth }): FilterOption => [
      String(category.id),
      `${'– '.repeat(depth)}${clip(category.name, 30)}`,
    ],
  );
  const shown = options.filter(([id], at) => at < MAX_OFFERED_CATEGORIES || id === category_id);
  return [['', 'Any'], ...shown];
}
