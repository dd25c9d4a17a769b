import { beforeAll, describe, expect, it } from 'vitest';
import type { EndpointSpec } from '../../src/kernel/http/endpoint.ts';
import { openApiDocument } from '../support/contract/document.ts';
import {
  call,
  endpointsUnderTest,
  expectProblem,
  named,
  nameOf,
  sampleOf,
  tokenFor,
} from '../support/contract/endpoint-calls.ts';
import { send, type World, world } from '../support/world.ts';

/** The headers of a response that succeeds are those of the OpenAPI document, made from a sample of each endpoint. */

interface Operation {
  readonly responses: Readonly<Record<string, { readonly headers?: Readonly<Record<string, object>> }>>;
}

const contract = openApiDocument<{ paths: Record<string, Record<string, Operation>> }>();

/** Headers of replays, of refusals, and of pages that are followed by another one. */
const SOMETIMES = ['Idempotent-Replayed', 'Retry-After', 'Link'];

const headersOf = (spec: EndpointSpec, status: number) =>
  contract.paths[spec.path]?.[spec.method]?.responses[status]?.headers ?? {};

const CUP = { name: 'Cup', type: 'simple', price: 1 };

let shop: World;
beforeAll(async () => {
  shop = await world({ plan: 'enterprise' });
});

describe.each(named(endpointsUnderTest))('%s', (_, spec) => {
  it('sends the headers that the document promises', async () => {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    const { status, headers, body } = await call(spec, shop, params);
    expect(status, JSON.stringify(body)).toBe(spec.status ?? 200);
    const promised = Object.keys(headersOf(spec, status)).filter((name) => !SOMETIMES.includes(name));
    expect(promised.filter((name) => !headers.has(name))).toEqual([]);
  });
});

describe.each(
  named(endpointsUnderTest.filter((spec) => spec.method === 'get' && 'ETag' in headersOf(spec, 200))),
)('the ETag of %s', (_, spec) => {
  it('makes the same read a 304 while nothing has changed', async () => {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    const etag = (await call(spec, shop, params)).headers.get('etag') ?? '';
    const headers = { 'if-none-match': `"another", W/${etag}` };
    const again = await call(spec, shop, params, { headers });
    expect([again.status, again.headers.get('etag'), again.body]).toEqual([304, etag, null]);
    const other = await call(spec, shop, params, { headers: { 'if-none-match': '"another"' } });
    expect(other.status).toBe(200);
  });
});

it.each(named(endpointsUnderTest.filter((spec) => spec.csv)))(
  '%s says in both formats that the format depends on Accept',
  async (_, spec) => {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    for (const accept of ['application/json', 'text/csv']) {
      const { headers } = await call(spec, shop, params, { headers: { accept } });
      expect(headers.get('content-type')).toContain(accept);
      expect(headers.get('vary')?.split(', '), accept).toEqual(expect.arrayContaining(['Origin', 'Accept']));
    }
  },
);

describe('Location', () => {
  const creating = endpointsUnderTest.filter(
    (spec) => 'Location' in headersOf(spec, 201) || 'Location' in headersOf(spec, 202),
  );

  it('is on what creates or starts something that has an address', () => {
    expect(creating.map(nameOf)).toEqual(
      expect.arrayContaining(['POST /v1/products', 'POST /v1/imports/products', 'POST /v1/cart']),
    );
  });

  it.each(named(creating))('of %s reads what was created', async (_, spec) => {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    const created = await call(spec, shop, params);
    const path = created.headers.get('location') ?? 'none';
    const read = await send('GET', path, { token: tokenFor(spec, shop) });
    expect([read.status, path], JSON.stringify(read.body)).toEqual([200, path]);
    const id = decodeURIComponent(path.split('/').at(-1) ?? '');
    const idOf = ({ body }: typeof read) => String(body.cart_token ?? body.id ?? body.slug);
    expect([idOf(created), idOf(read)]).toEqual([id, id]);
  });

  it('is repeated for an Idempotency-Key, and missing where nothing was created', async () => {
    const key = { headers: { 'idempotency-key': 'one cup' } };
    const [first, again] = [await shop.post('/products', CUP, key), await shop.post('/products', CUP, key)];
    expect(first.headers.get('location')).toBe(`/v1/products/${first.body.id}`);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    const none = await shop.post('/cart', { items: [{ product_id: first.body.id, quantity: 9_999 }] });
    expectProblem(none, 409, 'insufficient_stock');
    expect(none.headers.get('location')).toBeNull();
  });

  it('may be read by a script of another origin', async () => {
    const { headers } = await shop.post('/cart', {}, { headers: { origin: 'https://shop.example.com' } });
    expect(headers.get('access-control-expose-headers')?.split(', ')).toContain('Location');
  });
});
