import {
  FULFILMENT_STATUSES,
  ORDER_SORTS,
  ORDER_STATUSES,
  PAYMENT_STATUSES,
} from '../../../../orders/index.ts';
import { type FormError, type PageRequest, Tabs } from '../../../../web/index.ts';
import {
  type FilterOption,
  FilterSelect,
  filteredPath,
  givenFilters,
  SearchForm,
} from '../../../search-form.tsx';

/** The path of the list. */
export const root = '/developer/orders';

/** The parameters of the list, as its form and its links have them. */
const NAMES = [
  'q',
  'status',
  'payment_status',
  'fulfilment_status',
  'archived',
  'tag',
  'from',
  'to',
  'customer_id',
  'sort',
] as const;
type Name = (typeof NAMES)[number];

/** What the list is asked for: its parameters that have a value. */
export type Filters = Readonly<Partial<Record<Name, string>>>;

/** Returns the filters of a request. */
export const filtersOf = (request: PageRequest): Filters => givenFilters(request, NAMES);

/** Returns the address of a list with these filters. */
export const listPath = (filters: Filters): string => filteredPath(root, filters);

/** The values of the filter for archived orders, and what the API is asked for. */
const ARCHIVED: Readonly<Record<string, string | null>> = { no: 'false', yes: 'true', all: null };

/**
 * Returns the API's query of these filters. The days of the form are whole days in UTC, the last included. Archived
 * orders are left out, but not of what is searched for or belongs to one customer.
 */
export function apiQuery({ from, to, archived, ...filters }: Filters): URLSearchParams {
  const query = new URLSearchParams(Object.entries(filters));
  const searched = filters.q !== undefined || filters.customer_id !== undefined;
  const wanted = ARCHIVED[archived ?? (searched ? 'all' : 'no')];
  if (wanted) query.set('archived', wanted);
  // What is no day is sent as it is, so that the API names the parameter.
  if (from !== undefined) query.set('from', isDay(from) ? `${from}T00:00:00Z` : from);
  if (to === LAST_DAY) query.delete('to');
  else if (to !== undefined) query.set('to', isDay(to) ? dayAfter(to) : to);
  return query;
}

/** The last day of a form: the API takes no instant after it, and no order is placed then. */
const LAST_DAY = '9999-12-31';

/** Returns whether a text is a day that exists; parsing alone takes 30 February for 2 March. */
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).getUTCDate() === Number(text.slice(8));

function dayAfter(day: string): string {
  const next = new Date(day);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString();
}

/** The statuses of payments that weren't refunded as a whole: there is something to ship. */
const KEPT = 'paid,partially_refunded';

/** What merchants look for most. */
const VIEWS: readonly (readonly [label: string, filters: Filters])[] = [
  ['Open', {}],
  ['To fulfil', { status: 'paid', payment_status: KEPT, fulfilment_status: 'unfulfilled' }],
  ['Partly sent', { status: 'paid', payment_status: KEPT, fulfilment_status: 'partially_fulfilled' }],
  ['Waiting for payment', { status: 'pending' }],
  ['Cancelled', { status: 'cancelled' }],
  ['Archived', { archived: 'yes' }],
];

const ARCHIVED_LABELS = [
  ['', 'Open orders'],
  ['yes', 'Archived orders'],
  ['all', 'Open and archived'],
] as const;

const SORT_LABELS: Readonly<Record<(typeof ORDER_SORTS)[number], string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  total_desc: 'Largest total first',
  total_asc: 'Smallest total first',
  updated: 'Latest change last',
};
const SORTS = ORDER_SORTS.map((sort): FilterOption => [sort, SORT_LABELS[sort]]);

/** Returns the name of the view that filters make; undefined for none, and for the first one. */
export const viewOf = ({ sort: _, ...filters }: Filters): string | undefined =>
  VIEWS.slice(1).find(([, view]) => listPath(view) === listPath(filters))?.[0];

/** Links to the views of the list. */
export const Views = ({ filters: { sort: _, ...filters } }: { readonly filters: Filters }) => (
  <Tabs
    label="Views"
    here={listPath(filters)}
    links={VIEWS.map(([label, view]) => [listPath(view), label] as const)}
  />
);

interface FilterProps {
  readonly filters: Filters;
  /** Why the filters were refused. */
  readonly formError: FormError | null;
}

/** The form that searches, filters and sorts the list. */
export const FilterForm = ({ filters, formError }: FilterProps) => (
  <SearchForm
    action={root}
    filters={filters}
    label="Number, e-mail, name or SKU"
    maxlength={255}
    formError={formError}
  >
    <FilterSelect name="sort" label="Sort" options={SORTS} value={filters.sort} />
    <Select name="payment_status" label="Payment" options={[...PAYMENT_STATUSES, KEPT]} filters={filters} />
    <Select name="fulfilment_status" label="Fulfilment" options={FULFILMENT_STATUSES} filters={filters} />
    <FilterSelect name="archived" label="Show" options={ARCHIVED_LABELS} value={filters.archived} />
    <Select name="status" label="Status" options={ORDER_STATUSES} filters={filters} />
    <Input name="tag" label="Tag" filters={filters} formError={formError} attributes={{ maxlength: 64 }} />
    <Input
      name="from"
      label="From (UTC)"
      filters={filters}
      formError={formError}
      attributes={{ type: 'date' }}
    />
    <Input
      name="to"
      label="Until (UTC)"
      filters={filters}
      formError={formError}
      attributes={{ type: 'date' }}
    />
    {filters.customer_id && <input type="hidden" name="customer_id" value={filters.customer_id} />}
  </SearchForm>
);

interface InputProps extends FilterProps {
  readonly name: Name;
  readonly label: string;
  readonly attributes: Readonly<Record<string, string | number>>;
}

const Input = ({ name, label, filters, formError, attributes }: InputProps) => (
  <label>
    {label}
    <input
      name={name}
      value={filters[name]}
      aria-invalid={formError?.errors[name] ? 'true' : undefined}
      {...attributes}
    />
  </label>
);

interface SelectProps {
  readonly name: Name;
  readonly label: string;
  readonly options: readonly string[];
  readonly filters: Filters;
}

/** A filter by one of the statuses of the API. */
const Select = ({ name, label, options, filters }: SelectProps) => (
  <FilterSelect
    name={name}
    label={label}
    options={[
      ['', 'Any'],
      ...options.map((one): FilterOption => [one, one.replaceAll('_', ' ').replaceAll(',', ' or ')]),
    ]}
    value={filters[name]}
  />
);
