import { z } from '@hono/zod-openapi';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { EndpointSpec } from '../../src/kernel/http/endpoint.ts';
import {
  bodyOf,
  endpointsUnderTest,
  expectProblem,
  named,
  nameOf,
  pathOf,
  sampleOf,
} from '../support/contract/endpoint-calls.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import { registerCustomer } from '../support/fixtures/selling/customers.ts';
import { type Answer, send, type World, world } from '../support/world.ts';

/**
 * What endpoints refuse of what belongs to others and is named elsewhere than in the path, made from the list of
 * endpoints: another tenant's cart in a body or a query, another tenant's and another customer's session.
 */

const has = (schema: z.ZodType | undefined, field: string): boolean =>
  schema instanceof z.ZodObject && field in schema.shape;

let shop: World;
let other: World;
let cart: Answer;
beforeAll(async () => {
  [shop, other] = await Promise.all([world({ plan: 'enterprise' }), world({ plan: 'enterprise' })]);
  cart = await addToCart(other, await stockedProduct(other), {});
});

/** Calls an endpoint with its sample, but for one field of its body or query, or its session. */
async function callWith(
  spec: EndpointSpec,
  { field = {}, session }: { field?: Record<string, string>; session?: string | null },
): Promise<Answer> {
  const sample = sampleOf(spec);
  const own = (await sample.params?.(shop)) ?? {};
  const { body } = await bodyOf(spec, shop, own);
  const sent = has(spec.query, Object.keys(field)[0] ?? '') ? `?${new URLSearchParams(field)}` : '';
  const { 'x-customer-token': mine, ...headers } = (await sample.headers?.(shop, own)) ?? {};
  const token = session === undefined ? mine : session;
  return send(spec.method.toUpperCase(), pathOf(spec, own) + sent, {
    token: shop.token,
    ...(body && { body: sent ? body : { ...body, ...field } }),
    headers: { ...headers, ...(token ? { 'x-customer-token': token } : {}) },
  });
}

const ofCarts = endpointsUnderTest.filter(
  ({ body, query }) => has(body, 'cart_token') || has(query, 'cart_token'),
);

it.skipIf(inject('modules').length > 0)(
  'finds the endpoints that name a cart elsewhere than in the path',
  () => {
    expect(ofCarts.map(nameOf)).toContain('POST /v1/checkout/seamless');
  },
);

it.each(named(ofCarts))("%s does not find another tenant's cart", async (_, spec) => {
  const answer = await callWith(spec, { field: { cart_token: cart.body.cart_token } });
  expectProblem(answer, 404, 'cart_not_found');
  const after = await other.get(`/cart/${cart.body.cart_token}`);
  expect([after.headers.get('etag'), after.body.items]).toEqual([cart.headers.get('etag'), cart.body.items]);
});

const ofCustomers = endpointsUnderTest.filter(({ customer }) => customer !== undefined);

describe.each(named(ofCustomers))('%s', (_, spec) => {
  it.each<[string, () => Promise<string>]>([
    ["another tenant's", async () => (await registerCustomer(other)).token],
    ['a made-up', async () => `cs_${'x'.repeat(40)}`],
  ])('rejects %s session', async (_case, session) => {
    expectProblem(await callWith(spec, { session: await session() }), 401, 'invalid_customer_token');
  });

  // Who signs out twice is signed out.
  if (spec.customer !== 'own')
    it('rejects an ended session', async () => {
      const { token } = await registerCustomer(shop);
      await shop.post('/customers/logout', undefined, { headers: { 'x-customer-token': token } });
      expectProblem(await callWith(spec, { session: token }), 401, 'invalid_customer_token');
    });

  if (spec.customer === 'required')
    it('requires a session', async () => {
      expectProblem(await callWith(spec, { session: null }), 401, 'invalid_customer_token');
    });

  if (spec.customer === 'required' && spec.path.includes('{'))
    it("does not find another customer's, who is of the same tenant", async () => {
      const { token } = await registerCustomer(shop);
      const answer = await callWith(spec, { session: token });
      expectProblem(answer, 404, sampleOf(spec).foreign ?? 'no code in the sample');
    });
});
