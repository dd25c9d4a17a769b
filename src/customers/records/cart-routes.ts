import { fail, ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { lastCartsOf, openCartOf } from '../carts/read-carts.ts';
import { customerExamples } from '../examples.ts';
import { CustomerParams } from '../schemas.ts';
import { customerById } from '../store.ts';
import { CartOfCustomer, CartOfCustomerList, CartOfCustomerParams, MAX_SHOWN_CARTS } from './schemas.ts';

const ADMIN = { tag: 'Customers', access: 'customers:admin' } as const;

const list = endpoint(
  {
    ...ADMIN,
    method: 'get',
    path: '/v1/customers/{id}/carts',
    id: 'listCartsOfCustomer',
    summary: "List a customer's open carts",
    description: `The open carts with items among the last ${MAX_SHOWN_CARTS} of the customer, newest first. The tokens that change them are not included.`,
    params: CustomerParams,
    answer: CartOfCustomerList,
    errors: ['customer_not_found'],
    example: customerExamples.carts,
  },
  async (call) => {
    const { id } = call.params;
    const [customer, carts] = await Promise.all([
      customerById(call, id),
      lastCartsOf(call, id, MAX_SHOWN_CARTS),
    ]);
    if (!customer) return fail('customer_not_found');
    return ok({ data: carts.map((cart) => CartOfCustomer.parse(cart)) });
  },
);

const get = endpoint(
  {
    ...ADMIN,
    method: 'get',
    path: '/v1/customers/{id}/carts/{cart_id}',
    id: 'getCartOfCustomer',
    summary: "Get a customer's open cart",
    description: 'The token that changes it is not included.',
    params: CartOfCustomerParams,
    answer: CartOfCustomer,
    errors: ['cart_not_found'],
    example: customerExamples.cart,
  },
  async (call) => {
    const { id, cart_id } = call.params;
    const cart = await openCartOf(call, id, cart_id);
    return cart ? ok(CartOfCustomer.parse(cart)) : fail('cart_not_found');
  },
);

/** The endpoints with which a tenant's servers read what a customer is about to buy. */
export const cartRecordEndpoints: readonly Endpoint[] = [list, get];
