import { changesMeta } from '../../kernel/core/pagination.ts';
import { fail, invalid, ok } from '../../kernel/core/result.ts';
import { csvDescription, csvFile, wantsCsv } from '../../kernel/http/csv.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { respondParts } from '../../kernel/http/text-stream.ts';
import { eraseById } from '../erase.ts';
import { customerExamples } from '../examples.ts';
import { presentRecord } from '../present.ts';
import { CustomerParams, CustomerRecord, CustomerRecordPatch } from '../schemas.ts';
import { customerById } from '../store.ts';
import { addressRecordEndpoints } from './address-routes.ts';
import { cartRecordEndpoints } from './cart-routes.ts';
import { changeRecord } from './change-record.ts';
import { exportPerson } from './export-person.ts';
import { customerKey, listCustomers, sortOf, sortOfKey } from './list-customers.ts';
import { CustomerExport, CustomerList, CustomerListQuery, customerPages } from './schemas.ts';

const tag = 'Customers';

const CSV_COLUMNS = ['id', 'name', 'email', 'phone', 'created_at', 'updated_at'] as const;
const customerCsv = csvFile<CustomerRecord>('customers.csv', [
  [CSV_COLUMNS, (customer) => CSV_COLUMNS.map((column) => customer[column] ?? null)],
]);

const list = endpoint(
  {
    method: 'get',
    path: '/v1/customers',
    tag,
    summary: 'List customers',
    description: csvDescription('customer'),
    access: 'customers:admin',
    query: CustomerListQuery,
    answer: CustomerList,
    csv: customerCsv.columns,
    readsMany: true,
    example: customerExamples.list,
  },
  async (call) => {
    const page = customerPages.pageOf(call.query);
    const sort = sortOf(call.query);
    if (page.after !== null && sortOfKey(page.after) !== sort)
      return invalid('cursor', 'belongs to another sort');
    const { rows, total } = await listCustomers(call, call.query, page);
    const shown = customerPages.cut(rows, page, {
      total,
      key: (row) => customerKey(sort, row),
      carriesTotal: true,
    });
    const data = shown.rows.map(presentRecord);
    const { meta } = shown;
    if (wantsCsv(call.c)) return customerCsv.respondPage(call.c, data, meta.next_cursor);
    const since = sort === 'updated' ? call.query.updated_since : undefined;
    const cursor = typeof page.after === 'object' ? page.after?.[2] : undefined;
    return ok({ data, meta: changesMeta(meta, { since, cursor }, data.at(-1)) });
  },
);

const get = endpoint(
  {
    method: 'get',
    path: '/v1/customers/{id}',
    tag,
    summary: 'Get a customer',
    access: 'customers:admin',
    params: CustomerParams,
    answer: CustomerRecord,
    errors: ['customer_not_found'],
    example: customerExamples.get,
  },
  async (call) => {
    const customer = await customerById(call, call.params.id);
    return customer ? ok(presentRecord(customer)) : fail('customer_not_found');
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/customers/{id}',
    tag,
    summary: 'Update a customer',
    description:
      'Changes `name` and `phone`, and merges `metadata` by key. The customer never sees the metadata; erasing the customer deletes it. An e-mail is changed by its owner alone: `PATCH /v1/customers/me`.',
    access: 'customers:admin',
    params: CustomerParams,
    body: CustomerRecordPatch,
    answer: CustomerRecord,
    errors: ['customer_not_found', 'conflict'],
    example: customerExamples.patchById,
  },
  async (call) => {
    const customer = await changeRecord(call, call.params.id, call.body);
    return customer.ok ? ok(presentRecord(customer.value)) : customer;
  },
);

const exported = endpoint(
  {
    method: 'get',
    path: '/v1/customers/{id}/export',
    id: 'exportCustomer',
    tag,
    summary: 'Export everything kept about a customer',
    description:
      'For a request of access or portability (GDPR, art. 15 and 20). Streamed; a body that was cut off is not valid JSON; retry the request then. Does not repeat the copies that webhook deliveries and stored idempotent responses hold of these data, nor keyed digests (of networks that logged in, of e-mails that redeemed a coupon), the histories of carts, and the audit log. Passwords and tokens of sessions are stored as hashes only, and are not exported.',
    access: 'customers:admin',
    params: CustomerParams,
    answer: CustomerExport,
    errors: ['customer_not_found'],
    example: customerExamples.export,
  },
  async (call) => {
    const customer = await customerById(call, call.params.id);
    if (!customer) return fail('customer_not_found');
    return respondParts(call.c, exportPerson(call, customer), { 'Content-Type': 'application/json' });
  },
);

const erase = endpoint(
  {
    method: 'delete',
    path: '/v1/customers/{id}',
    id: 'eraseCustomer',
    tag,
    summary: 'Erase a customer',
    description:
      'Erases the same data as `DELETE /v1/customers/me`, for a request of erasure that the tenant received (GDPR, art. 17). Responds with 503 when not all data could be reached; retry the request.',
    access: 'customers:admin',
    params: CustomerParams,
    status: 204,
    errors: ['customer_not_found', 'unavailable'],
    example: customerExamples.erase,
  },
  (call) => eraseById(call, call.params.id),
);

/**
 * The endpoints with which a tenant's servers read, annotate and erase customers. They must follow those of
 * `/v1/customers/me`, which their path matches too.
 */
export const customerRecordEndpoints: readonly Endpoint[] = [
  list,
  get,
  patch,
  ...addressRecordEndpoints,
  ...cartRecordEndpoints,
  exported,
  erase,
];
