import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { EVENT_TYPES } from '../../src/events/index.ts';
import {
  bodyOf,
  call,
  endpointsUnderTest,
  expectProblem,
  named,
  paramsOf,
  pathOf,
  sampleOf,
  tokenFor,
} from '../support/contract/endpoint-calls.ts';
import { lazy } from '../support/lazy.ts';
import { send, type World, world } from '../support/world.ts';

/** What text, bodies and queries have to be at every endpoint, made from the list of endpoints and a sample of each. */

const specs = endpointsUnderTest;

let shop: World;
beforeAll(async () => {
  shop = await world({ plan: 'enterprise' });
});

const json = { 'content-type': 'application/json' };
const NOT_TEXT = 'must be well-formed Unicode without NUL';

/** Text that no body may have: what it is, members of an object that have it, and the field and message of the error. */
const MALFORMED: readonly [what: string, members: string, field: string, message: string][] = [
  ['a lone high surrogate', '"high":"a\\ud800"', 'high', NOT_TEXT],
  ['a lone low surrogate', '"low":"\\udc00b"', 'low', NOT_TEXT],
  ['surrogates in the wrong order', '"turned":"\\udc00\\ud800"', 'turned', NOT_TEXT],
  ['NUL', '"nul":"a\\u0000b"', 'nul', NOT_TEXT],
  ['one deep inside', '"words":{"list":[1,["ok","\\ud800"]]}', 'words.list.1.1', NOT_TEXT],
  ['one in a key', '"wo\\u0000rds":1', 'wo\u0000rds', NOT_TEXT],
  ['one in a key deep inside', '"keys":[{"\\ud800":1}]', 'keys.0.\ufffd', NOT_TEXT],
  [
    'two keys that are the same text',
    '"twice":{"\\u00e9":1,"e\\u0301":2}',
    'twice.é',
    'must not occur twice',
  ],
];

describe.each(named(specs.filter((spec) => spec.body)))('the body of %s', (_, spec) => {
  const headers = lazy(async () => ({
    ...(await sampleOf(spec).headers?.(shop, await paramsOf(spec, shop))),
    ...json,
  }));
  const sendRaw = async (raw: string) =>
    send(spec.method.toUpperCase(), pathOf(spec, await paramsOf(spec, shop)), {
      token: tokenFor(spec, shop),
      raw,
      headers: await headers(),
    });

  it('is rejected with malformed text, and each error names its field', async () => {
    const { body = {} } = await bodyOf(spec, shop, await paramsOf(spec, shop));
    const rest = JSON.stringify(body).slice(1);
    const members = MALFORMED.map(([, one]) => one).join();
    const answer = await sendRaw(`{${members}${rest === '}' ? '' : ','}${rest}`);
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual(
      Object.fromEntries(MALFORMED.map(([, , field, message]) => [field, [message]])),
    );
  });

  it('may nest to any depth', async () => {
    const answer = await sendRaw(`{"words":${'["é",'.repeat(7_000)}"\\u00e9"${']'.repeat(7_000)}}`);
    expectProblem(answer, 422, 'validation_error');
  });
});

it.each(MALFORMED)('a body is rejected with nothing malformed but %s', async (_, members, field, message) => {
  const raw = `{"name":"Cup","type":"simple","price":1,${members}}`;
  const answer = await send('POST', '/v1/products', { token: shop.token, raw, headers: json });
  expectProblem(answer, 422, 'validation_error');
  expect(answer.body.errors).toEqual({ [field]: [message] });
});

describe.each(named(specs.filter((spec) => spec.method === 'post' && !spec.body && !spec.stream)))(
  '%s, which takes no body',
  (_, spec) => {
    const sendBody = async (raw: string, headers: Record<string, string> = json) =>
      call(spec, shop, await paramsOf(spec, shop), { raw, headers });

    it('rejects fields, which it would ignore', async () => {
      const answer = await sendBody('{"refund":false}');
      expectProblem(answer, 422, 'validation_error');
      expect(answer.body.errors).toEqual({ refund: ['is not a known field'] });
    });

    it('rejects what is not JSON', async () => {
      expectProblem(await sendBody('refund=false'), 400, 'invalid_json');
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expectProblem(await sendBody('refund=false', form), 415, 'unsupported_media_type');
    });
  },
);

it.each([
  ['/products', '"metadata":{"__proto__":"x"}', 'metadata.__proto__'],
  ['/products', '"attributes":{"a":"b","__proto__":"x"}', 'attributes.__proto__'],
  ['/products', '"prices":{"__proto__":1}', 'prices.__proto__'],
  ['/products', '"metadata":{"\\u005f_proto__":"x"}', 'metadata.__proto__'],
  ['/categories', '"metadata":{"__proto__":"x"}', 'metadata.__proto__'],
  ['/products', '"__proto__":"x"', '__proto__'],
])('a body of POST %s with %s is not taken without it', async (path, member, field) => {
  const raw = `{"name":"Cup","type":"simple","price":1,${member}}`;
  const answer = await send('POST', `/v1${path}`, { token: shop.token, raw, headers: json });
  expectProblem(answer, 422, 'validation_error');
  expect(answer.body.errors).toEqual({ [field]: ['is not allowed as a name'] });
});

it.each([
  ['a long name', `{"${'k'.repeat(60_000)}":[${'"\\u0000",'.repeat(200)}0]}`],
  ['many levels', `${'['.repeat(30_000)}${'"\\u0000",'.repeat(200)}0${']'.repeat(30_000)}`],
])('the errors of a body with %s are no larger than the body', async (_, raw) => {
  const answer = await send('POST', '/v1/cart/items', { token: shop.token, raw, headers: json });
  expectProblem(answer, 422, 'validation_error');
  expect(JSON.stringify(answer.body).length).toBeLessThan(raw.length);
});

it('the errors of a body name at most a thousand fields', async () => {
  const many = Array.from({ length: 6_000 }, (_, n) => [`k${n}`, 1]);
  const { status, body } = await shop.patch('/theme/options', { colors: Object.fromEntries(many) });
  expect([status, body.errors['colors.k0']]).toEqual([422, ['is not a known field']]);
  expect(Object.keys(body.errors)).toHaveLength(1_000);
});

it.each(['POST /v1/webhooks', 'PATCH /v1/webhooks/7'])(
  '%s refuses a list of 30,000 events as one',
  async (to) => {
    const [method = '', path = ''] = to.split(' ');
    const raw = `{"url":"https://hooks.example.com/a","events":[${'0,'.repeat(30_000)}0]}`;
    const answer = await send(method, path, { token: shop.token, raw, headers: json });
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual({ events: [`must have at most ${EVENT_TYPES.length} items`] });
  },
);

/** Parameters that no endpoint has, as they stand in a query. */
const UNKNOWN = ['surprise=1', 'bare', 'constructor=1', '__proto__=1', 'Page=1', 'page%20=1'];
/** Values of a parameter that are no text. */
const NO_TEXT = ['%ED%A0%80', '%FF', '%C3', '%', '%zz', '%00'];
const messageOf = (value: string) => (value === '%00' ? NOT_TEXT : 'must be percent-encoded UTF-8');

describe.each(named(specs))('the query of %s', (_, spec) => {
  const request = lazy(async () => {
    const params = await paramsOf(spec, shop);
    const own = (await sampleOf(spec).headers?.(shop, params)) ?? {};
    const type = spec.stream ? { 'content-type': spec.stream.mediaTypes[0] ?? '' } : {};
    const options = { token: tokenFor(spec, shop), ...(await bodyOf(spec, shop, params)) };
    return { path: pathOf(spec, params), options: { ...options, headers: { ...own, ...type } } };
  });
  const known = Object.keys((spec.query as z.ZodObject | undefined)?.shape ?? {});

  /** Returns the errors of a query that is rejected. */
  async function errorsOf(query: string): Promise<Record<string, string[]>> {
    const { path, options } = await request();
    const answer = await send(spec.method.toUpperCase(), `${path}?${query}`, options);
    expectProblem(answer, 422, 'validation_error');
    return answer.body.errors;
  }

  it('rejects unknown parameters', async () => {
    const errors = Object.entries(await errorsOf(UNKNOWN.join('&')));
    for (const query of UNKNOWN) {
      const name = decodeURIComponent(query.split('=')[0] ?? '');
      expect(errors).toContainEqual([name, ['is not a known parameter']]);
    }
  });

  if (known.length > 0)
    it('rejects parameters that are given twice', async () => {
      // A page and a cursor have an error of their own.
      for (const names of [
        known.filter((name) => name !== 'page'),
        known.filter((name) => name === 'page'),
      ]) {
        if (names.length === 0) continue;
        const errors = await errorsOf(names.map((name) => `${name}=1&${name}=2`).join('&'));
        for (const name of names) expect(errors[name], name).toEqual(['must be given once']);
      }
    });

  it.each(NO_TEXT)('rejects what is not UTF-8: %s', async (value) => {
    const names = known.length > 0 ? known : ['surprise'];
    const errors = await errorsOf(names.map((name) => `${name}=${value}`).join('&'));
    for (const name of names) expect(errors[name], name).toEqual([messageOf(value)]);
  });
});

it.each(UNKNOWN)('a query with nothing unknown but %s is rejected', async (query) => {
  const answer = await shop.get(`/products?page=1&${query}`);
  expectProblem(answer, 422, 'validation_error');
  expect(Object.keys(answer.body.errors)).toEqual([decodeURIComponent(query.split('=')[0] ?? '')]);
});

it.each(NO_TEXT)('a query with no other fault than a value of %s is rejected', async (value) => {
  const answer = await shop.get(`/products?page=1&q=${value}`);
  expectProblem(answer, 422, 'validation_error');
  expect(answer.body.errors).toEqual({ q: [messageOf(value)] });
});

it.each(named(specs.filter((spec) => spec.path.includes('{'))))(
  'the path of %s must be UTF-8',
  async (_, spec) => {
    for (const value of ['%ED%A0%80', '%00', '%FF']) {
      const path = spec.path.replace(/\{[^}]+\}/g, value);
      const headers = spec.stream ? { 'content-type': spec.stream.mediaTypes[0] ?? '' } : {};
      const answer = await send(spec.method.toUpperCase(), path, { token: tokenFor(spec, shop), headers });
      if (spec.customer === 'required') continue;
      expectProblem(answer, 422, 'validation_error');
    }
  },
);

/** Every string schema below a schema. */
function* strings(schema: z.core.$ZodType, seen = new Set<unknown>()): Generator<z.core.$ZodString> {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { def } = schema._zod;
  if (def.type === 'string') yield schema as z.core.$ZodString;
  for (const part of Object.values(def).flatMap((value) =>
    value !== null && typeof value === 'object' && !('_zod' in value) ? Object.values(value) : [value],
  )) {
    if (part !== null && typeof part === 'object' && '_zod' in part)
      yield* strings(part as z.core.$ZodType, seen);
  }
}

it.each(named(specs))('%s measures text in characters, not UTF-16 units', (_, { body, query, params }) => {
  for (const schema of [body, query, params]) {
    for (const { _zod } of schema ? strings(schema) : []) {
      const checks = (_zod.def.checks ?? []).map((check) => check._zod.def.check);
      const formatted = checks.includes('string_format') || 'format' in _zod.def;
      expect(formatted ? [] : checks.filter((check) => /_length$|length_/.test(check))).toEqual([]);
    }
  }
});

describe('text', () => {
  const item = <More extends object>(more: More) => ({ name: 'Cup', type: 'simple', price: 1, ...more });

  it('is stored in NFC, so that equal text compares equal', async () => {
    const own = await world();
    const first = await own.post(
      '/products',
      item({ name: 'Cafe\u0301', sku: 'CAFE\u0301-1', tags: ['te\u0301'] }),
    );
    expect([first.body.name, first.body.sku, first.body.tags]).toEqual(['Café', 'CAFÉ-1', ['té']]);
    const same = await own.post('/products', item({ sku: 'CAF\u00c9-1' }));
    expectProblem(same, 409, 'sku_taken');
    const stock = await own.post('/inventory/adjustments', { items: [{ sku: 'CAFE\u0301-1', delta: 3 }] });
    expect(stock.body.data[0].sku).toBe('CAFÉ-1');
    const added = await own.post('/cart/items', {
      product_id: first.body.id,
      quantity: 1,
      options: { 'gru\u0308n': 'u\u0308' },
    });
    expect(added.body.items[0].options).toEqual({ grün: 'ü' });
  });

  it('has no line breaks or other control characters where it is on one line', async () => {
    const own = await world();
    const odd = 'Cup\u2028\u0007';
    for (const [path, body, field] of [
      ['/products', item({ name: 'Cup\nof tea' }), 'name'],
      ['/products', item({ sku: 'CUP\t1' }), 'sku'],
      ['/products', item({ vendor: odd }), 'vendor'],
      ['/products', item({ barcode: odd }), 'barcode'],
      ['/products', item({ tags: ['tea', odd] }), 'tags.1'],
      ['/products', item({ attributes: { material: odd } }), 'attributes.material'],
      ['/categories', { name: odd }, 'name'],
      ['/promotions', { name: odd, trigger: 'automatic', effect: { kind: 'free_shipping' } }, 'name'],
    ] as const) {
      const refused = await own.post(path, body);
      expect([refused.status, refused.body.errors], field).toEqual([
        422,
        { [field]: ['must not contain control characters'] },
      ]);
    }
    const texts = item({ name: 'Cup\n', description: 'For tea\n\tand coffee', metadata: { care: 'a\nb' } });
    const made = await own.post('/products', texts);
    expect(made.body).toMatchObject({
      name: 'Cup',
      description: texts.description,
      metadata: texts.metadata,
    });
  });

  it('is measured in characters', async () => {
    const own = await world();
    const cups = (count: number) => '🫖'.repeat(count);
    const longest = item({
      name: cups(255),
      sku: cups(64),
      barcode: cups(50),
      vendor: cups(255),
      tags: [cups(100)],
    });
    const most = await own.post('/products', longest);
    expect(most.status, JSON.stringify(most.body)).toBe(201);
    expect(most.body.sku).toBe(cups(64));
    for (const [field, count] of [
      ['name', 256],
      ['sku', 65],
      ['barcode', 51],
      ['vendor', 256],
    ] as const) {
      const answer = await own.post('/products', item({ [field]: cups(count) }));
      expectProblem(answer, 422, 'validation_error');
      expect(answer.body.errors).toEqual({ [field]: [`must have at most ${count - 1} characters`] });
    }
    const stock = await own.post('/inventory/adjustments', { items: [{ sku: cups(64), delta: 1 }] });
    expect(stock.status).toBe(200);
  });

  it('is never cut in the middle of a character', async () => {
    const own = await world();
    const name = `a${'𠀀'.repeat(100)}`;
    for (let n = 0; n < 2; n++) {
      const { body } = await own.post('/products', item({ name }));
      expect([body.sku, body.slug].map((text: string) => text.includes('\ufffd'))).toEqual([false, false]);
    }
    expect((await own.post('/categories', { name })).body.slug).not.toContain('\ufffd');
  });
});
