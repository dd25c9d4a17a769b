import { beforeAll, describe, expect, it } from 'vitest';
import { type EndpointSpec, MAX_BODY_BYTES } from '../../src/kernel/http/endpoint.ts';
import { openApiDocument } from '../support/contract/document.ts';
import {
  call,
  createPrincipals,
  endpointsUnderTest,
  expectProblem,
  named,
  type Principals,
  paramsOf,
  pathOf,
  sampleOf,
} from '../support/contract/endpoint-calls.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { type Options, send } from '../support/world.ts';

/**
 * Of several things that are wrong with a call, each endpoint names the first of 401, 429, 403, then 415, 413, 400 and
 * 422, then 404, 412 and 409. Each test makes a call that is wrong in this way and in later ones.
 */

const ofTokens = endpointsUnderTest.filter(({ access }) => access !== 'public' && access !== 'platform');

let principals: Principals;
let limited: string;
beforeAll(async () => {
  principals = await createPrincipals();
  limited = (await principals.shop.register({ kind: 'integration', scopes: [], rate_limit_per_minute: 1 }))
    .token;
});

/** Returns ids of the first tenant, which the other one does not have. */
const foreignTo = (spec: EndpointSpec) => paramsOf(spec, principals.shop);

const NO_JSON: Options = { raw: 'x', headers: { 'content-type': 'text/plain' } };
const sendBare = (spec: EndpointSpec, token: string | null) => {
  const body = spec.method === 'get' ? {} : NO_JSON;
  return send(spec.method.toUpperCase(), pathOf(spec), { token, ...body });
};

describe.each(named(ofTokens))('%s', (_, spec) => {
  it('names the token before the body and the id', async () => {
    expectProblem(await sendBare(spec, null), 401, 'unauthorized');
  });

  it('names the limit before the scope, the body and the id', async () => {
    const first = await sendBare(spec, limited);
    expectProblem(first.status === 429 ? first : await sendBare(spec, limited), 429, 'rate_limited');
  });

  it('names the scope before the body and the id', async () => {
    const scope = spec.access as Parameters<Principals['without']>[0]; // only endpoints with a scope are selected
    expectProblem(await sendBare(spec, await principals.without(scope)), 403, 'insufficient_scope');
  });
});

describe.each(named(endpointsUnderTest.filter((spec) => spec.body && spec.path.includes('{'))))(
  '%s',
  (_, spec) => {
    it.each<[string, (limit: number) => Options, number, string]>([
      ['its media type', () => NO_JSON, 415, 'unsupported_media_type'],
      ['its size', (limit) => ({ body: { text: 'x'.repeat(limit) } }), 413, 'payload_too_large'],
      [
        'that it is no JSON',
        () => ({ raw: '{', headers: { 'content-type': 'application/json' } }),
        400,
        'invalid_json',
      ],
      ['its fields', () => ({ body: { surprise: 1 } }), 422, 'validation_error'],
    ])('names of the body %s before the id', async (_case, options, status, code) => {
      const answer = await call(
        spec,
        principals.other,
        await foreignTo(spec),
        options(spec.maxBytes ?? MAX_BODY_BYTES),
      );
      expectProblem(answer, status, code);
    });
  },
);

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

const contract = openApiDocument<{
  paths: Record<string, Record<string, Operation>>;
}>();
const takesIfMatch = ({ path, method }: EndpointSpec): boolean =>
  contract.paths[path]?.[method]?.parameters?.some(({ name }) => name === 'If-Match') ?? false;
const conditional = endpointsUnderTest.filter((spec) => takesIfMatch(spec) && sampleOf(spec).foreign);

it.each(named(conditional))('%s names the id before the condition', async (_, spec) => {
  const options = { headers: { 'if-match': '"another"' } };
  const answer = await call(spec, principals.other, await foreignTo(spec), options);
  expectProblem(answer, 404, sampleOf(spec).foreign ?? 'no code in the sample');
});

it('names the condition before the conflict, of a cart that an order locks', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop);
  const cart = await cartWith(shop, cup);
  await submitCheckout(await checkoutPath(shop, cart), 'decline', ADDRESS);
  const add = (headers: Record<string, string>) =>
    shop.post('/cart/items', { product_id: cup.body.id, quantity: 1, cart_token: cart }, { headers });
  expectProblem(await add({ 'if-match': '"another"' }), 412, 'precondition_failed');
  expectProblem(await add({}), 409, 'cart_locked');
  expect((await addToCart(shop, cup, {})).status).toBe(200);
});

it('names the line of a cart before the condition, and before the order that locks the cart', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop);
  const cart = await cartWith(shop, cup);
  const headers = { 'if-match': '"another"' };
  const set = (id: number, options: Options = {}) =>
    shop.patch(`/cart/items/${id}`, { cart_token: cart, quantity: 2 }, options);
  const remove = (id: number, options: Options = {}) =>
    shop.delete(`/cart/items/${id}?cart_token=${cart}`, options);
  for (const change of [set, remove]) {
    expectProblem(await change(1, { headers }), 412, 'precondition_failed');
    expectProblem(await change(99, { headers }), 404, 'cart_item_not_found');
  }
  await submitCheckout(await checkoutPath(shop, cart), 'decline', ADDRESS);
  for (const change of [set, remove]) {
    expectProblem(await change(1), 409, 'cart_locked');
    expectProblem(await change(99), 404, 'cart_item_not_found');
  }
});
