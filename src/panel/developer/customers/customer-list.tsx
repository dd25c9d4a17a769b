import type { z } from 'zod';
import { CUSTOMER_SORTS, CustomerList } from '../../../customers/index.ts';
import {
  clip,
  type FormError,
  type Outcome,
  type PageRequest,
  pageParam,
  Table,
  type View,
  When,
} from '../../../web/index.ts';
import { downloadList, ExportLink } from '../../csv-download.tsx';
import { type FilterOption, FilterSelect, SearchForm } from '../../search-form.tsx';

/** The path of the list. */
export const root = '/developer/customers';

/** The path of the list as a file. It is not below the list's, where a customer's id would be. */
export const EXPORT_PATH = '/developer/exports/customers';

const SORT_LABELS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  updated: 'Latest change last',
} as const;

interface Search {
  readonly q: string;
  readonly sort: string;
}

const Filters = ({ q, sort, formError }: Search & { readonly formError: FormError | null }) => (
  <SearchForm
    action={root}
    q={q}
    label="Name or e-mail"
    maxlength={254}
    formError={formError}
    filtered={q !== ''}
  >
    <FilterSelect
      name="sort"
      label="Sort"
      options={CUSTOMER_SORTS.map((one): FilterOption => [one, SORT_LABELS[one]])}
      value={sort}
    />
  </SearchForm>
);

const searchOf = (request: PageRequest): Search => ({
  q: request.query('q').trim(),
  sort: request.query('sort'),
});

/** Returns the query of a search, for the API and for the address of a list. */
const queryOf = (search: Search): URLSearchParams =>
  new URLSearchParams(Object.entries(search).filter(([, value]) => value !== ''));

/** The page that searches and lists customers. */
export async function customersPage(request: PageRequest): Promise<View | Outcome> {
  const search = searchOf(request);
  const query = queryOf(search);
  const path = `/v1/customers?page=${pageParam(request)}&${query}`;
  const answer = await request.api({ path, answer: CustomerList });
  if (!answer.ok && answer.formError.status !== 422) return answer;
  const formError = answer.ok ? null : answer.formError;
  const body = (
    <>
      <Filters {...search} formError={formError} />
      {answer.ok && <Found request={request} list={answer.value} query={query} />}
    </>
  );
  const action = ['/developer/new-customer', 'New customer'] as const;
  return { title: 'Customers', body, action, ...(formError && { status: formError.status }) };
}

interface FoundProps {
  readonly request: PageRequest;
  readonly list: z.output<typeof CustomerList>;
  readonly query: URLSearchParams;
}

const Found = ({ request, list: { data, meta }, query }: FoundProps) => (
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
      empty={query.has('q') ? <NoneFound /> : <None />}
      pages={{ meta: meta, href: (to) => `${root}?${query}&page=${to}` }}
    />
    <ExportLink request={request} href={`${EXPORT_PATH}?${query}`} total={meta.total} things="customers" />
  </>
);

const NoneFound = () => (
  <p>
    No customers found. <a href={root}>Show all customers</a>
  </p>
);

const None = () => (
  <p>No customers yet. Shoppers who register in your storefront appear here; guests are in their orders.</p>
);

/** Sends the customers of the list as a CSV file. */
export const exportCustomers = (request: PageRequest): Promise<Outcome> =>
  downloadList(request, {
    path: '/v1/customers',
    query: queryOf(searchOf(request)),
    filename: 'customers.csv',
  });
