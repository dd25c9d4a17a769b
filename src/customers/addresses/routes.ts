import { ok } from '../../kernel/core/result.ts';
import { type Call, customerOf } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { addressExamples } from './examples.ts';
import { presentAddress } from './present.ts';
import {
  AddressCreate,
  AddressParams,
  AddressPatch,
  CustomerAddress,
  CustomerAddressList,
  MAX_ADDRESSES,
} from './schemas.ts';
import {
  type AddressBook,
  addAddress,
  bookOf,
  changeAddress,
  deleteAddress,
  listAddresses,
} from './store.ts';

const OWN = { tag: 'Customers', access: 'customers:write', customer: 'required' } as const;

/** Returns the addresses of the session's customer. */
const ownBook = (call: Call): AddressBook => bookOf(call, customerOf(call).customerId);

const list = endpoint(
  {
    ...OWN,
    method: 'get',
    path: '/v1/customers/me/addresses',
    id: 'listCustomerAddresses',
    summary: "List the current customer's addresses",
    description: 'Returns all of them, oldest first.',
    answer: CustomerAddressList,
    example: addressExamples.list,
  },
  async (call) => {
    const rows = await listAddresses(call, customerOf(call).customerId);
    return ok({ data: rows.map(presentAddress) });
  },
);

const create = endpoint(
  {
    ...OWN,
    method: 'post',
    path: '/v1/customers/me/addresses',
    id: 'createCustomerAddress',
    summary: 'Save an address of the current customer',
    description: `A customer can have ${MAX_ADDRESSES} addresses; one more is 409 \`quota_exceeded\`. The first one is the default; \`is_default\` makes another one the default. The hosted checkout page offers the addresses when the checkout was started with the customer's session.`,
    body: AddressCreate,
    status: 201,
    answer: CustomerAddress,
    errors: ['quota_exceeded', 'address_not_found'],
    example: addressExamples.create,
  },
  async (call) => {
    const added = await addAddress(ownBook(call), call.body, call.once);
    return added.ok ? ok(presentAddress(added.value)) : added;
  },
);

const patch = endpoint(
  {
    ...OWN,
    method: 'patch',
    path: '/v1/customers/me/addresses/{id}',
    id: 'updateCustomerAddress',
    summary: 'Update an address of the current customer',
    description:
      'Only the given fields change; null removes one. `is_default: true` makes it the default in place of the current one.',
    params: AddressParams,
    body: AddressPatch,
    answer: CustomerAddress,
    errors: ['address_not_found'],
    example: addressExamples.patch,
  },
  async (call) => {
    const changed = await changeAddress(ownBook(call), call.params.id, call.body);
    return changed.ok ? ok(presentAddress(changed.value)) : changed;
  },
);

const remove = endpoint(
  {
    ...OWN,
    method: 'delete',
    path: '/v1/customers/me/addresses/{id}',
    id: 'deleteCustomerAddress',
    summary: 'Delete an address of the current customer',
    description: 'After the default is deleted, the newest other address is the default.',
    params: AddressParams,
    status: 204,
    errors: ['address_not_found'],
    example: addressExamples.remove,
  },
  (call) => deleteAddress(ownBook(call), call.params.id),
);

/** The endpoints for the addresses of the session's customer. */
export const addressEndpoints: readonly Endpoint[] = [list, create, patch, remove];
