import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../src/app.ts';
import { openApiDocument } from '../support/contract/document.ts';
import { bodyOf, call, named, sampleOf } from '../support/contract/endpoint-calls.ts';
import { SchemaSet } from '../support/contract/schema-set.ts';
import { type World, world } from '../support/world.ts';

/** The OpenAPI document says what the service does: every schema, example, header and body of it. */

type Json = { readonly [key: string]: unknown };
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, { schema: Json }> };
  readonly responses: Record<string, { headers?: Record<string, { $ref: string }> }>;
}

const contract = openApiDocument<{
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Json>; readonly headers: Record<string, Json> };
}>();
const { components } = contract;

const isObject = (part: unknown): part is Json =>
  part !== null && typeof part === 'object' && !Array.isArray(part);

/** Every object of the document, with where it is. */
function* objects(part: unknown, path = ''): Generator<readonly [path: string, object: Json]> {
  if (isObject(part)) yield [path, part];
  if (part === null || typeof part !== 'object') return;
  for (const [key, value] of Object.entries(part)) yield* objects(value, `${path}/${key}`);
}

const all = [...objects(contract)];
const schemas = all.filter(([path]) => /\/(schema|schemas\/[^/]+)$/.test(path));
const specs = endpoints.map(({ spec }) => spec);

const set = new SchemaSet(components);
const faultsOf = (schema: Json, value: unknown) => set.faultsOf(schema, value);
const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

it('lists the catalogue version as a header of every call that prices a cart', () => {
  const priced = specs.filter(({ path }) => path.startsWith('/v1/cart') && !path.endsWith('/history'));
  for (const { path, method } of priced) {
    const names = contract.paths[path]?.[method]?.parameters?.map(({ name }) => name);
    expect(names, `${method} ${path}`).toContain('X-Catalog-Version');
  }
});

it('has one type for a header of any call', () => {
  const parameters = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation.parameters ?? []),
  );
  const types = new Map<string, Set<unknown>>();
  for (const one of parameters.filter((parameter) => parameter.in === 'header'))
    types.set(one.name, (types.get(one.name) ?? new Set()).add(one.schema.type));
  expect(types.get('X-Catalog-Version')).toEqual(new Set(['integer']));
  for (const [name, found] of types) expect(found.size, name).toBe(1);
});

it('describes each group of operations once, and no other', () => {
  const [listed, used] = [contract.tags.map(({ name }) => name), new Set(specs.map(({ tag }) => tag))];
  expect(listed.toSorted()).toEqual([...used].sort());
  expect(contract.tags.filter(({ description }) => !description.endsWith('.'))).toEqual([]);
});

it('declares 64 bits for the integers that may need them, such as ids of later shards', () => {
  const integers = all.filter(([, { type }]) => [type].flat().includes('integer'));
  const narrow = integers.filter(([, { format }]) => format !== 'int64');
  expect(narrow.filter(([, { maximum }]) => !(Number(maximum) < 2 ** 31))).toEqual([]);
  const format = (path: string) => integers.find(([known]) => known === path)?.[1].format;
  expect(format('/components/schemas/Product/properties/id')).toBe('int64');
  expect(format('/components/headers/X-Catalog-Version/schema')).toBe('int64');
  expect(format('/components/schemas/PageMeta/properties/total')).toBe('int64');
});

it('marks the second name of a filter as deprecated', () => {
  const parameters = all.filter(
    ([, object]) => String(object.name).startsWith('created_') && object.in === 'query',
  );
  expect(parameters.map(([, { name, deprecated }]) => [name, deprecated])).toEqual([
    ['created_from', true],
    ['created_to', true],
  ]);
});

describe('every schema', () => {
  it('compiles with everything it references', () => {
    expect(schemas.length).toBeGreaterThan(200);
    for (const [path, schema] of schemas) {
      for (const value of [null, {}, [], '', 0]) {
        expect(() => faultsOf(schema, value), path).not.toThrow();
      }
    }
  });

  it('uses only patterns of JSON Schema', () => {
    for (const [path, { pattern }] of all) {
      if (typeof pattern !== 'string' || path.endsWith('/properties')) continue;
      expect(() => new RegExp(pattern, 'u'), path).not.toThrow();
      expect(pattern, path).toMatch(/^\^.*\$$/s);
    }
  });

  it('closes no object inside an allOf, and allows null where the type does', () => {
    for (const [path, { allOf }] of all) {
      const parts = Array.isArray(allOf) ? (allOf as Json[]) : [];
      expect(
        parts.filter((part) => part.additionalProperties === false),
        path,
      ).toEqual([]);
      expect(
        parts.filter(({ type }) => Array.isArray(type) && type.includes('null')),
        path,
      ).toEqual([]);
    }
  });

  it('accepts its own examples and defaults', () => {
    let examples = 0;
    for (const [path, schema] of all) {
      if (/\/(properties|default)$|\/examples?(\/|$)/.test(path)) continue;
      const described = isObject(schema.schema) && 'example' in schema ? schema.schema : schema;
      const { example, examples: more, default: usual } = schema;
      for (const value of [example, usual, ...(Array.isArray(more) ? more : [])]) {
        if (value === undefined) continue;
        examples++;
        expect(faultsOf(described, value), `${path}: ${JSON.stringify(value)}`).toEqual([]);
      }
    }
    expect(examples).toBeGreaterThan(30);
  });
});

let shop: World;
beforeAll(async () => {
  shop = await world({ plan: 'enterprise' });
});

describe.each(named(specs.filter((spec) => spec.body)))('the body of %s', (name, spec) => {
  const operation = contract.paths[spec.path]?.[spec.method];
  const schema = operation?.requestBody?.content['application/json']?.schema ?? {};

  it('matches its schema', async () => {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    const { body = {} } = await bodyOf(spec, shop, params);
    expect(faultsOf(schema, body)).toEqual([]);
    expect(faultsOf(schema, { ...body, surprise: 1 }), name).not.toEqual([]);
    for (const wrong of [null, [], 'text', 7]) expect(faultsOf(schema, wrong)).not.toEqual([]);
  });

  it('is required if an empty one would be rejected', async () => {
    const params = (await sampleOf(spec).params?.(shop)) ?? {};
    const own = (await sampleOf(spec).headers?.(shop, params)) ?? {};
    const answer = await call(spec, shop, params, { body: undefined, raw: '', headers: own });
    expect(operation?.requestBody?.required ?? false).toBe(answer.status === 422);
    expect(faultsOf(schema, {}).length > 0).toBe(answer.status === 422);
  });
});

it('the operation ids read as code, and no two are the same', () => {
  const operations = all.filter(([path]) => !path.includes('/links/'));
  const ids = operations.flatMap(([, { operationId }]) =>
    typeof operationId === 'string' ? [operationId] : [],
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(specs.length);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/);
  expect(ids).toEqual(expect.arrayContaining(['listProducts', 'cancelOrder', 'listWebhookDeliveries']));
});

it('every list that is read by page is read by cursor too', () => {
  const parameters = all.filter(([path]) => /\/get\/parameters\/\d+$/.test(path));
  const namesAt = Map.groupBy(parameters, ([path]) => path.replace(/\/\d+$/, ''));
  const lists = [...namesAt].map(([path, found]) => ({ path, names: found.map(([, { name }]) => name) }));
  const paged = lists.filter(({ names }) => names.includes('page'));
  expect(paged.length).toBeGreaterThan(10);
  for (const { path, names } of paged) expect(names, path).toContain('cursor');
});

it.each(named(specs))('documents the response headers of %s', (_, spec) => {
  const responses = contract.paths[spec.path]?.[spec.method]?.responses ?? {};
  for (const [status, { headers = {} }] of Object.entries(responses)) {
    const names = Object.keys(headers);
    expect(names).toContain('X-Request-Id');
    expect(names).toContain('Cache-Control');
    for (const { $ref } of Object.values(headers)) {
      expect(Object.keys(components.headers)).toContain($ref.replace('#/components/headers/', ''));
    }
    if (spec.access !== 'platform' && spec.access !== 'public') expect(names).toContain('RateLimit');
    if (status === '401') expect(names).toContain('WWW-Authenticate');
    if (status === '429' || status === '503') expect(names).toContain('Retry-After');
    if (spec.cached && Number(status) < 400)
      expect(names).toEqual(expect.arrayContaining(['ETag', 'X-Catalog-Version']));
  }
});

const item = { name: 'Cup', type: 'simple', price: 1 };
const variant = { price: 1, attributes: { size: 'S' } };
const adjustment = (more: object) => ({ items: [{ sku: 'A', ...more }] });
const coupon = { code: 'SUMMER-10', kind: 'percent', value: 10 };

/** Bodies that are fine, and some that are not, with the schema that has to know. */
const FINE: readonly (readonly [schema: string, body: unknown])[] = [
  ['SettingsChange', { payments: 'sandbox', secrets: { stripe_secret_key: null } }],
  ['SettingsChange', { tax: { mode: 'exclusive', rate_percent: 1, rates_by_country: { DE: 19 } } }],
  ['SettingsChange', { shipping: { flat: { EUR: 1 }, free_over: null, by_country: { CH: 9.9 } } }],
  ['SettingsChange', { checkout: { allowed_hosts: ['shop.example.com:8443', 'localhost'] } }],
  ['CategoryCreate', { name: 'Cups', seo: null, slug: 'tee-und-kaffee', parent_id: null, image_url: null }],
  ['CategoryPatch', { seo: { title: '' } }],
  ['ProductCreate', { ...item, seo: null, slug: 'çay-1', prices: { USD: 1 }, description: '' }],
  ['ProductCreate', { ...item, sku: '🫖'.repeat(64) }],
  ['ProductCreate', { ...item, type: 'configurable', variants: [{ ...variant, sku: 'A' }] }],
  [
    'ProductPatch',
    {
      variants: [
        { ...variant, id: 1 },
        { ...variant, sku: 'A' },
      ],
    },
  ],
  ['CouponCreate', { ...coupon, code: 'ÇAY_1' }],
  ['CouponPatch', {}],
  ['AdjustmentsCreate', adjustment({ delta: -1 })],
  ['AdjustmentsCreate', adjustment({ stock: 1 })],
  ['PostalAddressInput', { country: 'DE' }],
  ['CustomerPatch', { name: 'Ada', phone: null }],
  ['CustomerPatch', { email: 'ada@example.com' }],
  ['CustomerPatch', { email: 'ada@example.com', current_password: 'the old one' }],
  ['PaymentReport', { status: 'refunded', reference: 'pay-1' }],
  ['PaymentReport', { status: 'refunded', reference: 'pay-1', amount: 4.5, refund_reference: 're-1' }],
  ['BulkRequest', { ids: [1, 2], change: { status: 'inactive' } }],
];
const WRONG: readonly (readonly [schema: string, body: unknown])[] = [
  ['SettingsChange', { surprise: 1 }],
  ['SettingsChange', { shipping: { flat: { QQQ: 1 } } }],
  ['SettingsChange', { tax: { mode: 'exclusive', rate_percent: 1, rates_by_country: { ZZ: 19 } } }],
  ['SettingsChange', { checkout: { allowed_hosts: ['shop.example.com:99999'] } }],
  ['SettingsChange', { checkout: { allowed_hosts: ['*.example.com'] } }],
  ['CategoryCreate', { name: 'Cups', slug: 'Cups' }],
  ['CategoryCreate', { name: '   ' }],
  ['CategoryCreate', { name: 'a\0b' }],
  ['CategoryCreate', { name: 'a\nb' }],
  ['ProductCreate', { ...item, sku: '🫖'.repeat(65) }],
  ['ProductCreate', { ...item, prices: { QQQ: 1 } }],
  ['ProductCreate', { ...item, type: 'configurable', variants: [variant] }],
  ['ProductCreate', { ...item, type: 'configurable', variants: [{ ...variant, sku: 'A', attributes: {} }] }],
  ['ProductPatch', { variants: [variant] }],
  ['CouponCreate', { ...coupon, code: 'SUMMER 10' }],
  ['AdjustmentsCreate', adjustment({})],
  ['AdjustmentsCreate', adjustment({ delta: 1, stock: 1 })],
  ['PostalAddressInput', { country: 'ZZ' }],
  ['CustomerPatch', { password: 'a new password' }],
  ['PaymentReport', { status: 'refunded', reference: 'pay-1', amount: 4.5 }],
  ['PaymentReport', { status: 'refunded', reference: 'pay-1', refund_reference: 're-1' }],
  ['BulkRequest', { ids: [1, 1], change: { status: 'inactive' } }],
  ['OrderBulkRequest', { ids: ['ord_1', 'ord_1'], change: { archived: true } }],
  ['TenantMoveRequest', { shard: 'shard_2' }],
  ['ApplicationCreate', { name: 'App', kind: 'mobile', allowed_origins: ['https://*.example.com'] }],
];

it.each(FINE)('%s takes %j', (name, body) => expect(faultsOf(refTo(name), body)).toEqual([]));
it.each(WRONG)('%s refuses %j', (name, body) => expect(faultsOf(refTo(name), body)).not.toEqual([]));

it.each([
  ['get', '/v1/exports/products', 'after', 0, -1],
  ['get', '/v1/imports/{id}/errors', 'after', 999_999_999, 1_000_000_000],
  ['post', '/v1/products', 'Idempotency-Key', 'k', ''],
  ['get', '/admin/v1/tenants/{slug}/moves/{id}', 'id', 'mov_8Kc2', 'ord_8Kc2'],
  ['put', '/admin/v1/tenants/{slug}/import/media/{hash}', 'hash', '0'.repeat(64), '0'.repeat(63)],
] as const)('%s %s describes what %s takes', (method, path, name, taken, refused) => {
  const schema =
    contract.paths[path]?.[method]?.parameters?.find((parameter) => parameter.name === name)?.schema ?? {};
  expect(faultsOf(schema, taken)).toEqual([]);
  expect(faultsOf(schema, refused)).not.toEqual([]);
});
