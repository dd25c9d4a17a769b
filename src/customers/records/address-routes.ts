import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { presentAddress } from '../addresses/present.ts';
import {
  AddressCreate,
  AddressPatch,
  CustomerAddress,
  CustomerAddressList,
  MAX_ADDRESSES,
} from '../addresses/schemas.ts';
import { addAddress, bookOf, changeAddress, deleteAddress, listAddresses } from '../addresses/store.ts';
import { customerExamples } from '../examples.ts';
import { CustomerParams } from '../schemas.ts';
import { customerById } from '../store.ts';
import { AddressOfCustomerParams } from './schemas.ts';

const ADMIN = { tag: 'Customers', access: 'customers:admin' } as const;

/** Returns an address that was read or written for a tenant's server, which has no session that could have ended. */
const shown = (address: Awaited<ReturnType<typeof addAddress>>): Result<CustomerAddress> => {
  if (address.ok) return ok(presentAddress(address.value));
  return address.failure.code === 'invalid_customer_token' ? fail('customer_not_found') : address;
};

const list = endpoint(
  {
    ...ADMIN,
    method: 'get',
    path: '/v1/customers/{id}/addresses',
    id: 'listAddressesOfCustomer',
    summary: "List a customer's addresses",
    description: 'Returns all of them, oldest first.',
    params: CustomerParams,
    answer: CustomerAddressList,
    errors: ['customer_not_found'],
    example: customerExamples.addresses,
  },
  async (call) => {
    const [customer, found] = await Promise.all([
      customerById(call, call.params.id),
      listAddresses(call, call.params.id),
    ]);
    return customer ? ok({ data: found.map(presentAddress) }) : fail('customer_not_found');
  },
);

const create = endpoint(
  {
    ...ADMIN,
    method: 'post',
    path: '/v1/customers/{id}/addresses',
    id: 'createAddressOfCustomer',
    summary: 'Save an address of a customer',
    description: `Like \`POST /v1/customers/me/addresses\`, for a tenant's server. One more than ${MAX_ADDRESSES} is 409 \`quota_exceeded\`.`,
    params: CustomerParams,
    body: AddressCreate,
    status: 201,
    answer: CustomerAddress,
    errors: ['customer_not_found', 'quota_exceeded', 'address_not_found'],
    example: customerExamples.addAddress,
  },
  async (call) => {
    const { id } = call.params;
    // So that an erasure reaches the stored idempotent response.
    call.c.set('concerns', { customerId: id });
    return shown(await addAddress(bookOf(call, id), call.body, call.once));
  },
);

const patch = endpoint(
  {
    ...ADMIN,
    method: 'patch',
    path: '/v1/customers/{id}/addresses/{address_id}',
    id: 'updateAddressOfCustomer',
    summary: 'Update an address of a customer',
    description: 'Only the given fields change; null removes one.',
    params: AddressOfCustomerParams,
    body: AddressPatch,
    answer: CustomerAddress,
    errors: ['address_not_found'],
    example: customerExamples.changeAddress,
  },
  async (call) => {
    const { id, address_id } = call.params;
    return shown(await changeAddress(bookOf(call, id), address_id, call.body));
  },
);

const remove = endpoint(
  {
    ...ADMIN,
    method: 'delete',
    path: '/v1/customers/{id}/addresses/{address_id}',
    id: 'deleteAddressOfCustomer',
    summary: 'Delete an address of a customer',
    description: 'After the default is deleted, the newest other address is the default.',
    params: AddressOfCustomerParams,
    status: 204,
    errors: ['address_not_found'],
    example: customerExamples.removeAddress,
  },
  (call) => deleteAddress(bookOf(call, call.params.id), call.params.address_id),
);

/** The endpoints with which a tenant's servers change the addresses that a customer has saved. */
export const addressRecordEndpoints: readonly Endpoint[] = [list, create, patch, remove];
