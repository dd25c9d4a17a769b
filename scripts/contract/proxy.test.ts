import { deepEqual, equal } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startContractProxy } from './proxy.ts';

const Product = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'integer' } },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } };
const headers = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const parameters = [
  { in: 'query', name: 'page', required: false, schema: { type: 'integer', minimum: 1 } },
  {
    in: 'query',
    name: 'attr',
    required: false,
    schema: { type: 'object', propertyNames: { pattern: '^attr\\..+$' } },
  },
  { in: 'header', name: 'X-Version', required: true, schema: { type: 'integer' } },
];
const DOCUMENT = {
  openapi: '3.1.0',
  components: {
    headers: { 'X-Request-Id': { required: true }, ETag: {} },
    schemas: { Product },
  },
  paths: {
    '/v1/products/{id}': { get: { responses: { 200: { headers, content }, 404: { headers } } } },
    '/v1/products/first': {
      get: { responses: { 200: { headers, content: { 'text/plain': {} } } } },
    },
    '/v1/products': {
      get: { parameters, responses: { 200: { headers, content }, 400: { headers, content } } },
      post: {
        requestBody: { required: true, content },
        responses: { 201: { headers, content }, 422: { headers, content } },
      },
    },
  },
};

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** What the service answers to each method and path. Everything else gets a 404 without a body. */
const ANSWERS: Record<string, Answer> = {
  'GET /v1/openapi.json': { type: JSON_TYPE, body: JSON.stringify(DOCUMENT) },
  'GET /v1/products/1': { type: JSON_TYPE, body: '{"id":1}' },
  'HEAD /v1/products/1': { type: JSON_TYPE },
  'GET /v1/products/2': { type: JSON_TYPE, body: '{"id":"2"}' },
  'GET /v1/products/3': { status: 500, type: JSON_TYPE, body: '{}' },
  'GET /v1/products/4': { type: 'text/html', body: '<p>' },
  'GET /v1/products/5': { type: JSON_TYPE, body: '{"id":5}', headers: { etag: '"5"' } },
  'GET /v1/products/6': { type: JSON_TYPE, body: '{"id":6}', headers: { 'x-request-id': '' } },
  'GET /v1/products/first': { type: 'text/plain', body: 'one' },
  'GET /v1/products': { type: JSON_TYPE, body: '{"id":1}' },
  'POST /v1/products': { status: 201, type: JSON_TYPE, body: '{"id":9}' },
  'GET /v1/hidden': { type: JSON_TYPE, body: '{}' },
  'GET /page': { type: 'text/html', body: '<p>' },
};
const server = createServer(async (incoming, outgoing) => {
  for await (const _ of incoming);
  const name = `${incoming.method} ${incoming.url?.split('?')[0]}`;
  const { status = 200, type, body, headers } = ANSWERS[name] ?? { status: 404 };
  const sent = { 'x-request-id': 'r', ...(type && { 'content-type': type }), ...headers };
  const kept = Object.entries(sent).filter(([, value]) => value !== '');
  outgoing.writeHead(status, Object.fromEntries(kept)).end(body);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
// The address of a TCP server is always an AddressInfo.
const { port } = server.address() as AddressInfo;
const proxy = await startContractProxy(`http://127.0.0.1:${port}`);
after(() => {
  proxy.stop();
  server.close();
});

/** Returns the faults that requests add. */
async function faultsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = proxy.faults.length;
  await work();
  return proxy.faults.slice(before);
}

const get = (path: string, init: RequestInit = {}) => fetch(proxy.url + path, init);
const post = (body: object) =>
  get('/v1/products', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const version = { headers: { 'x-version': '3' } };

test('passes exchanges on, and compares those with the API', async () => {
  const before = proxy.compared;
  const faults = await faultsOf(async () => {
    equal(await (await get('/v1/products/1')).text(), '{"id":1}');
    equal((await post({ id: 9 })).status, 201);
    await get('/v1/products?page=2&attr.color=Red', version);
    await get('/v1/products/1', { method: 'HEAD' });
    for (const path of ['/v1/products/first', '/v1/nothing', '/v1/products/77', '/page']) await get(path);
  });
  deepEqual(faults, []);
  equal(proxy.compared - before, 7);
});

const WRONG: readonly [string, () => Promise<unknown>, readonly string[]][] = [
  ['a body', () => get('/v1/products/2'), ['GET /v1/products/2 → 200']],
  ['a status', () => get('/v1/products/3'), ['GET /v1/products/3 → 500: the status is not documented']],
  [
    'a media type',
    () => get('/v1/products/4'),
    ['GET /v1/products/4 → 200: a body of text/html is not documented'],
  ],
  [
    'a header too many',
    () => get('/v1/products/5'),
    ['GET /v1/products/5 → 200: the header ETag is not documented'],
  ],
  [
    'a header too few',
    () => get('/v1/products/6'),
    ['GET /v1/products/6 → 200: the header X-Request-Id is missing'],
  ],
  ['an operation', () => get('/v1/hidden'), ['GET /v1/hidden → 200: the operation is not documented']],
  ["a request's body", () => post({ id: 9, extra: true }), ['POST /v1/products → 201: request: #']],
  [
    "a request's parameters",
    () => get('/v1/products?page=0&size=3'),
    [
      'GET /v1/products?page=0&size=3 → 200: request: the query parameter size is not documented',
      'GET /v1/products?page=0&size=3 → 200: request: the parameter page can\'t be "0"',
      'GET /v1/products?page=0&size=3 → 200: request: the parameter X-Version is missing',
    ],
  ],
];
for (const [what, work, expected] of WRONG) {
  test(`finds ${what} that differs from the document`, async () => {
    const faults = await faultsOf(work);
    deepEqual(
      expected.map((start, n) => faults[n]?.slice(0, start.length)),
      expected,
    );
  });
}
