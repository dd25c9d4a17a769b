import type { Params, Samples } from '../support/contract/sample.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import {
  customerWithCart,
  fromOwnAddress,
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import type { World } from '../support/world.ts';

/** The session of a customer who was made for this call. */
const session = async (shop: World) => withSession((await registerCustomer(shop)).token).headers ?? {};

const aCustomer = async (shop: World) => {
  const { token } = await registerCustomer(shop);
  return { id: (await shop.get('/customers/me', withSession(token))).body.id };
};

/** The sessions of the customers who have the addresses and orders of the samples. */
const owners = new Map<unknown, { tenantId: number; token: string }>();

const anAddress = async (shop: World) => {
  const { token } = await registerCustomer(shop);
  const { id } = (await shop.post('/customers/me/addresses', { country: 'AT' }, withSession(token))).body;
  owners.set(id, { tenantId: shop.tenantId, token });
  return { id };
};

const addressOfCustomer = async (shop: World) => {
  const { id } = await aCustomer(shop);
  return { id, address_id: (await shop.post(`/customers/${id}/addresses`, { country: 'AT' })).body.id };
};

const cartOfCustomer = async (shop: World) => {
  const { id } = await customerWithCart(shop);
  return { id, cart_id: (await shop.get(`/customers/${id}/carts`)).body.data[0].id };
};

const anOrder = async (shop: World) => {
  const { id: customerId, email, token } = await registerCustomer(shop);
  const { id: cup } = (await createProduct(shop, { name: `Cup ${crypto.randomUUID()}`, stock: 9 })).body;
  const customer = { customerId, name: 'Ada Lovelace', email, phone: null };
  const { row } = await placedOrder(shop, cup, { customer });
  owners.set(row.id, { tenantId: shop.tenantId, token });
  return { id: row.id };
};

const aGuestOrder = async (shop: World) => {
  const { id: cup } = (await createProduct(shop, { name: `Cup ${crypto.randomUUID()}`, stock: 9 })).body;
  return { id: (await placedOrder(shop, cup)).row.id };
};

/** The session of the address's or order's customer; in another tenant, of a customer there. */
const ofItsCustomer = async (shop: World, { id }: Params) => {
  const owner = owners.get(id);
  return owner?.tenantId === shop.tenantId ? (withSession(owner.token).headers ?? {}) : session(shop);
};

export const samples: Samples = {
  'POST /v1/customers/register': { headers: async () => fromOwnAddress(), body: () => registration() },
  'POST /v1/customers/login': {
    body: async (shop) => ({ email: (await registerCustomer(shop)).email, password: PASSWORD }),
  },
  'POST /v1/customers/logout': { headers: session },
  'GET /v1/customers/me': { headers: session },
  'PATCH /v1/customers/me': { headers: session, body: { name: 'Countess' } },
  'DELETE /v1/customers/me': { headers: session },
  'GET /v1/customers/me/orders': { headers: session },
  'GET /v1/customers/me/orders/{id}': {
    params: anOrder,
    headers: ofItsCustomer,
    foreign: 'order_not_found',
  },
  'PUT /v1/customers/me/cart': {
    headers: session,
    body: async (shop) => ({ cart_token: (await shop.post('/cart', {})).body.cart_token }),
  },
  'GET /v1/customers/me/addresses': { headers: session },
  'POST /v1/customers/me/addresses': { headers: session, body: { country: 'AT' } },
  'PATCH /v1/customers/me/addresses/{id}': {
    params: anAddress,
    headers: ofItsCustomer,
    body: { city: 'Wien' },
    foreign: 'address_not_found',
  },
  'DELETE /v1/customers/me/addresses/{id}': {
    params: anAddress,
    headers: ofItsCustomer,
    foreign: 'address_not_found',
  },
  'GET /v1/customers/{id}': { params: aCustomer, foreign: 'customer_not_found' },
  'GET /v1/customers': {},
  'GET /v1/customers/{id}/addresses': { params: aCustomer, foreign: 'customer_not_found' },
  'POST /v1/customers/{id}/addresses': {
    params: aCustomer,
    body: { country: 'AT' },
    foreign: 'customer_not_found',
  },
  'PATCH /v1/customers/{id}/addresses/{address_id}': {
    params: addressOfCustomer,
    body: { city: 'Wien' },
    foreign: 'address_not_found',
  },
  'DELETE /v1/customers/{id}/addresses/{address_id}': {
    params: addressOfCustomer,
    foreign: 'address_not_found',
  },
  'GET /v1/customers/{id}/carts': { params: aCustomer, foreign: 'customer_not_found' },
  'GET /v1/customers/{id}/carts/{cart_id}': { params: cartOfCustomer, foreign: 'cart_not_found' },
  'GET /v1/customers/{id}/export': { params: aCustomer, foreign: 'customer_not_found' },
  'DELETE /v1/customers/{id}': { params: aCustomer, foreign: 'customer_not_found' },
  'DELETE /v1/orders/{id}/personal-data': { params: aGuestOrder, foreign: 'order_not_found' },
  'PATCH /v1/customers/{id}': {
    params: aCustomer,
    body: { metadata: { crm: '1' } },
    foreign: 'customer_not_found',
  },
  'POST /v1/customers/password-resets': {
    body: async (shop) => ({ email: (await registerCustomer(shop)).email }),
  },
  'POST /v1/customers/password-resets/{token}': {
    params: async (shop) => {
      const { email } = await registerCustomer(shop);
      return { token: (await shop.post('/customers/password-resets', { email })).body.token };
    },
    body: { password: 'a new password' },
    foreign: 'not_found',
  },
};
