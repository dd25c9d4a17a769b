import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { failStatements } from '../support/faults/database.ts';
import { send, world } from '../support/world.ts';

/** What holds for every response of the service. */

describe('X-Request-Id', () => {
  it.each([
    '/healthz',
    '/v1/openapi.json',
    '/v1/products',
    '/v1/nothing',
    '/admin/v1/tenants',
    '/nothing',
    '/docs/',
  ])('is on every response, different each time: %s', async (path) => {
    const [a, b] = [await send('GET', path), await send('GET', path)];
    expect(a.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(b.headers.get('x-request-id')).not.toBe(a.headers.get('x-request-id'));
  });

  it('is not taken from the request', async () => {
    const answer = await send('GET', '/healthz', { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers.get('x-request-id')).not.toBe('mine');
  });
});

describe('HEAD', () => {
  it('returns what GET returns without a body, and counts towards the limit', async () => {
    const shop = await world({ application: { rate_limit_per_minute: 3 } });
    const { token } = shop;
    const get = await shop.get('/theme/options');
    const head = await send('HEAD', '/v1/theme/options', { token });
    expect([head.status, head.body]).toEqual([200, null]);
    for (const name of ['etag', 'content-type', 'x-catalog-version', 'cache-control']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect((await send('HEAD', '/v1/products/999999', { token })).status).toBe(404);
    expect((await send('HEAD', '/v1/products', { token })).status).toBe(429);
    expect((await send('HEAD', '/v1/products')).status).toBe(401);
    expect((await send('HEAD', '/v1/nothing')).status).toBe(404);
    expect((await send('HEAD', '/v1/inventory/adjustments')).status).toBe(405);
  });
});

describe('an error', () => {
  it('of the database is a 503 without details', async () => {
    const shop = await world();
    await shop.get('/theme/options');
    const restore = failStatements(/select/i);
    const answer = await shop.get('/products');
    restore();
    expectProblem(answer, 503, 'unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message', 'request_id']);
    expect(answer.body.message).not.toMatch(/D1|select|sql/i);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1200');
  });

  it('of the token, the session or a login has the challenge that a 401 needs (RFC 9110, 15.5.2)', async () => {
    const shop = await world();
    const login = { email: 'nobody@example.com', password: 'not the password' };
    const answers = [
      [await send('GET', '/v1/products'), 'unauthorized'],
      [await shop.get('/customers/me'), 'invalid_customer_token'],
      [await shop.post('/customers/login', login), 'invalid_credentials'],
    ] as const;
    for (const [answer, code] of answers) {
      expectProblem(answer, 401, code);
      expect(answer.headers.get('www-authenticate'), code).toBe('Bearer');
    }
  });

  it('of the input names every invalid field', async () => {
    const shop = await world();
    const answer = await shop.post('/products', { name: '', type: 'toy', price: -1, color: 'red' });
    expectProblem(answer, 422, 'validation_error');
    expect(Object.keys(answer.body.errors).sort()).toEqual(['color', 'name', 'price', 'type']);
  });

  it('of a value of the wrong type names only the right type', async () => {
    const shop = await world();
    const tags = 'more characters than a list may have items, which is a limit of the list alone'.repeat(9);
    const answer = await shop.post('/products', { name: [], type: 'simple', price: 1, tags });
    expectProblem(answer, 422, 'validation_error');
    expect(answer.body.errors).toEqual({ name: ['must be a string'], tags: ['must be a list'] });
  });
});

describe('a body', () => {
  const json = { 'content-type': 'application/json' };

  it('may be omitted if every field is optional, whatever the Content-Type', async () => {
    const shop = await world();
    for (const headers of [{}, json, { 'content-type': 'text/plain' }]) {
      expect((await shop.patch('/theme/options', undefined, { headers })).status).toBe(200);
      expect((await shop.patch('/theme/options', undefined, { headers, raw: '' })).status).toBe(200);
    }
    const missing = await shop.post('/products');
    expectProblem(missing, 422, 'validation_error');
    expect(Object.keys(missing.body.errors)).toContain('name');
  });

  it('may be chunked; an empty one needs no Content-Type, a long one is cut off', async () => {
    const shop = await world();
    const pieces = (...texts: string[]) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const text of texts) controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
    expect(
      (
        await shop.patch('/theme/options', undefined, {
          raw: pieces('{"font_', 'family": "Inter"}'),
          headers: json,
        })
      ).body.font_family,
    ).toBe('Inter');
    expect((await shop.patch('/theme/options', undefined, { raw: pieces() })).status).toBe(200);
    expectProblem(
      await shop.patch('/theme/options', undefined, { raw: pieces('{}') }),
      415,
      'unsupported_media_type',
    );
    const long = pieces(...Array.from({ length: 70 }, () => ' '.repeat(1024)));
    expectProblem(
      await shop.patch('/theme/options', undefined, { raw: long, headers: json }),
      413,
      'payload_too_large',
    );
  });

  it('is JSON in UTF-8, with or without a charset or byte order mark', async () => {
    const shop = await world();
    const raw = '{"homepage_sections": ["Çay 🫖"]}';
    for (const [text, type] of [
      [raw, 'application/json; charset=utf-8'],
      [`\ufeff${raw}`, 'Application/JSON'],
    ] as const) {
      const answer = await shop.patch('/theme/options', undefined, {
        raw: text,
        headers: { 'content-type': type },
      });
      expect(answer.body.homepage_sections).toEqual(['Çay 🫖']);
    }
    const latin1 = new Uint8Array(
      [...'{"homepage_sections":["'].map((c) => c.charCodeAt(0)).concat(0xc7, 0x22, 0x5d, 0x7d),
    );
    expectProblem(
      await shop.patch('/theme/options', undefined, { raw: latin1, headers: json }),
      400,
      'invalid_json',
    );
  });

  it('may nest deeply', async () => {
    const shop = await world();
    const raw = `{"colors": ${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expectProblem(
      await shop.patch('/theme/options', undefined, { raw, headers: json }),
      422,
      'validation_error',
    );
  });
});

describe('the order of checks', () => {
  it('is path, token, limit, permission, body, resource', async () => {
    const shop = await world({
      application: { rate_limit_per_minute: 4, scopes: ['catalog:read', 'catalog:write'] },
    });
    const text = { raw: 'x', headers: { 'content-type': 'text/plain' } };
    const json = { headers: { 'content-type': 'application/json' } };
    const codes = [];
    codes.push((await send('PATCH', '/v1/nothing/7', text)).body.code);
    codes.push((await send('PATCH', '/v1/products/7', text)).body.code);
    codes.push((await shop.patch('/theme/options', undefined, text)).body.code);
    codes.push((await shop.patch('/products/7', undefined, text)).body.code);
    codes.push((await shop.patch('/products/7', undefined, { ...json, raw: '{"surprise":1}' })).body.code);
    codes.push((await shop.patch('/products/7', undefined, { ...json, raw: '{}' })).body.code);
    codes.push((await shop.patch('/theme/options', undefined, text)).body.code);
    expect(codes).toEqual([
      'not_found',
      'unauthorized',
      'insufficient_scope',
      'unsupported_media_type',
      'validation_error',
      'product_not_found',
      'rate_limited',
    ]);
  });
});
