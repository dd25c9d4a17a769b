import { afterEach, describe, expect, it, vi } from 'vitest';
import { RateLimiter } from '../../../src/index.ts';
import { RESPONSE_HEADERS } from '../../../src/kernel/openapi/response-headers.ts';
import { failStatements } from '../../support/faults/database.ts';
import { type Answer, send, world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const SHOP = 'https://shop.example.com';
const EVIL = 'https://evil.example.com';

/** What a script of the shop's page may read of an answer. */
function expectShared({ headers }: Answer, origin = SHOP): void {
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  expect(headers.get('vary')).toBe('Origin');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  const exposed = headers.get('access-control-expose-headers')?.split(', ');
  // Every header of the document; scripts may always read `Cache-Control` (Fetch standard, 2.2.2).
  const documented = Object.keys(RESPONSE_HEADERS).filter((name) => name !== 'Cache-Control');
  expect(exposed).toEqual(expect.arrayContaining(documented));
}

describe('a preflight', () => {
  const preflight = (path: string, origin: string) =>
    send('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
    });

  it.each(['/v1/products', '/v1/products/7', '/v1/cart/items', '/v1/nothing'])(
    'to %s needs no token and echoes the origin',
    async (path) => {
      const answer = await preflight(path, SHOP);
      expect(answer.status).toBe(204);
      expectShared(answer);
      const methods = answer.headers.get('access-control-allow-methods')?.split(', ');
      expect(methods).toEqual(expect.arrayContaining(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']));
      const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'idempotency-key',
          'if-match',
          'if-none-match',
          'x-catalog-version',
          'x-customer-token',
        ]),
      );
      expect(answer.headers.get('ratelimit')).toBeNull();
    },
  );

  it('without its two headers is treated like any other method', async () => {
    expect((await send('OPTIONS', '/v1/products')).status).toBe(405);
    expect((await send('OPTIONS', '/v1/products', { headers: { origin: SHOP } })).status).toBe(405);
  });

  it('is not supported by the platform API', async () => {
    expect(
      (await preflight('/admin/v1/tenants', SHOP)).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });
});

describe('a response', () => {
  const headers = { origin: SHOP };

  it("of any status allows the request's origin if the application lists no origins", async () => {
    const shop = await world({ application: { rate_limit_per_minute: 7 } });
    const body = { headers: { ...headers, 'content-type': 'application/json' }, raw: '{' };
    const answers = [
      await shop.get('/theme/options', { headers }),
      await shop.get('/products/999999', { headers }),
      await shop.get('/products?limit=0', { headers }),
      await shop.post('/products', undefined, body),
      await shop.get('/nothing', { headers }),
      await send('PUT', '/v1/products', { headers }),
      await send('GET', '/v1/products', { headers }),
    ];
    const etag = answers[0]?.headers.get('etag') ?? '';
    answers.push(await shop.get('/theme/options', { headers: { ...headers, 'if-none-match': etag } }));
    const restore = failStatements(/select/i);
    answers.push(await shop.get('/products?limit=3', { headers }));
    restore();
    answers.push(await shop.get('/products', { headers }), await shop.get('/products', { headers }));
    expect(answers.map(({ status }) => status)).toEqual([
      200, 404, 422, 400, 404, 405, 401, 304, 503, 200, 429,
    ]);
    for (const answer of answers) expectShared(answer);
  });

  it('lets scripts read the name of a CSV file and the timings that they asked for', async () => {
    const shop = await world();
    const answer = await shop.get('/orders', {
      headers: { ...headers, accept: 'text/csv', 'x-server-timing': '1' },
    });
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
    for (const name of ['content-disposition', 'server-timing']) {
      expect(answer.headers.get(name), name).not.toBeNull();
      expect(exposed).toContain(name);
    }
  });

  it('has no CORS headers for an unlisted origin, whatever its status', async () => {
    const shop = await world({ application: { allowed_origins: [SHOP], rate_limit_per_minute: 4 } });
    expectShared(await shop.get('/theme/options', { headers }));
    expectShared(await shop.get('/theme/options', { headers }));
    const refused = [
      await shop.get('/theme/options', { headers: { origin: EVIL } }),
      await shop.get('/theme/options', { headers: { origin: 'https://shop.example.com.evil.example' } }),
      await shop.get('/theme/options', { headers: { origin: EVIL } }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual([
      'origin_not_allowed',
      'origin_not_allowed',
      'rate_limited',
    ]);
    for (const { headers: theirs } of refused) {
      expect([...theirs.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(theirs.get('vary')).toBe('Origin');
    }
  });

  it('succeeds without an Origin, with Vary: Origin', async () => {
    const shop = await world({ application: { allowed_origins: [SHOP] } });
    const answer = await shop.get('/theme/options');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('varies by the origin as a CSV file too', async () => {
    const shop = await world();
    for (const path of ['/orders', '/customers', '/promotions', '/exports/products']) {
      const { headers: theirs } = await shop.get(path, { headers: { origin: SHOP, accept: 'text/csv' } });
      expect([theirs.get('access-control-allow-origin'), theirs.get('vary')]).toEqual([
        SHOP,
        'Origin, Accept',
      ]);
    }
  });

  it('echoes "null" and unusual origins exactly, never more than one', async () => {
    const shop = await world();
    for (const origin of ['null', 'https://xn--bcher-kva.example:8443', 'capacitor://localhost']) {
      expectShared(await shop.get('/theme/options', { headers: { origin } }), origin);
    }
  });

  it('has CORS headers when the limiter is unreachable', async () => {
    const shop = await world();
    vi.spyOn(RateLimiter.prototype, 'lease').mockResolvedValue({ ok: false, reason: 'unavailable' });
    const answer = await shop.get('/theme/options', { headers });
    expect(answer.status).toBe(503);
    expectShared(answer);
  });
});
