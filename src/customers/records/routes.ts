import { fail, ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { customerExamples } from '../examples.ts';
import { presentRecord } from '../present.ts';
import { CustomerParams, CustomerRecord, CustomerRecordPatch } from '../schemas.ts';
import { customerById, patchCustomer } from '../store.ts';

const tag = 'Customers';

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
    description: 'Merges `metadata` by key. The customer never sees it; erasing the customer deletes it.',
    access: 'customers:admin',
    params: CustomerParams,
    body: CustomerRecordPatch,
    answer: CustomerRecord,
    errors: ['customer_not_found'],
    example: customerExamples.patchById,
  },
  async (call) => {
    const customer = await patchCustomer(call, call.params.id, call.body.metadata);
    return customer.ok ? ok(presentRecord(customer.value)) : customer;
  },
);

/**
 * The endpoints with which a tenant's servers read and annotate customers. They must follow those of
 * `/v1/customers/me`, which their path matches too.
 */
export const customerRecordEndpoints: readonly Endpoint[] = [get, patch];
