import type { z } from 'zod';
import { CUSTOMER_SORTS, CustomerList } from '../../../customers/index.ts';
import {
  clip,
  type Outcome,
  type PageRequest,
  pageParam,
  Table,
  type View,
  When,
} from '../../../web/index.ts';
import { downloadList, ExportLink } from '../../csv-download.tsx';
import {
  type FilterFormProps,
  type FilterOption,
  FilterSelect,
  type Filters,
  filteredList,
  filteredPages,
  filteredPath,
  givenFilters,
  NoneFound,
  SearchForm,
} from '../../search-form.tsx';

/** The path of the list. */
export const root = '/developer/customers';

/** The path of the list as a file. It is not below the list's, where a customer's id would be. */
export const EXPORT_PATH = '/developer/exports/customers';

const SORT_LABELS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  updated: 'Latest change last',
} as const;

const FILTERS = ['q', 'sort'] as const;

const FilterForm = ({ filters, formError }: FilterFormProps) => (
  <SearchForm action={root} filters={filters} label="Name or e-mail" maxlength={254} formError={formError}>
    <FilterSelect
      name="sort"
      label="Sort"
      options={CUSTOMER_SORTS.map((one): FilterOption => [one, SORT_LABELS[one]])}
      value={filters.sort}
    />
  </SearchForm>
);

/** The page that searches and lists customers. */
export async function customersPage(request: PageRequest): Promise<View | Outcome> {
  const filters = givenFilters(request, FILTERS);
  const path = `/v1/customers?page=${pageParam(request)}&${new URLSearchParams(filters)}`;
  const answer = await request.api({ path, answer: CustomerList });
  return filteredList({
    title: 'Customers',
    action: ['/developer/new-customer', 'New customer'],
    answer,
    above: (formError) => <FilterForm filters={filters} formError={formError} />,
    list: (found) => <Found request={request} list={found} filters={filters} />,
  });
}

interface FoundProps {
  readonly request: PageRequest;
  readonly list: z.output<typeof CustomerList>;
  readonly filters: Filters;
}

const Found = ({ request, list: { data, meta }, filters }: FoundProps) => (
  <>
    <Table
      label="Customers"
      head={['Name', 'E-mail', 'Phone', 'Registered']}
      rows={data.map(({ id, name, email, phone, created_at }) => [
        <a href={`${root}/${id}`}>{clip(name, 60)}</a>,
        clip(email, 60),
        phone ?? '–',
        <When at={created_at} />,
      ])}
      empty={
        <NoneFound filters={filters} things="customers" all={root}>
          <None />
        </NoneFound>
      }
      pages={filteredPages(root, filters, meta)}
    />
    <ExportLink
      request={request}
      href={filteredPath(EXPORT_PATH, filters)}
      total={meta.total}
      things="customers"
    />
  </>
);

const None = () => (
  <p>No customers yet. Shoppers who register in your storefront appear here; guests are in their orders.</p>
);

/** Sends the customers of the list as a CSV file. */
export const exportCustomers = (request: PageRequest): Promise<Outcome> =>
  downloadList(request, {
    path: '/v1/customers',
    query: new URLSearchParams(givenFilters(request, FILTERS)),
    filename: 'customers.csv',
  });
