import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashOf } from '../../../src/access/token.ts';
import { RateLimiter } from '../../../src/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { evict } from '../../support/faults/injector.ts';
import { countStorageCalls } from '../../support/storage/storage-calls.ts';
import { admin, send, type World, world } from '../../support/world.ts';
import { count } from './limited-reads.ts';

/** Long enough for everything to leave the sliding window. */
const WINDOW = 64_000;

afterEach(() => {
  vi.restoreAllMocks();
});

const limited = (limit: number) => world({ application: { rate_limit_per_minute: limit } });

const limiterOf = (shop: World) => env.RATE_LIMITER.getByName(`${shop.tenantId}:${shop.applicationId}`);

const tenantOf = (shop: World) => env.TENANT.getByName(String(shop.tenantId));

const read = (shop: World, token = shop.token) => send('GET', '/v1/theme/options', { token });

describe("an application's limit", () => {
  it('admits that many requests in 60 seconds, shows the remaining number, then Retry-After', async () => {
    const shop = await limited(10);
    for (let left = 9; left >= 0; left--) {
      const { status, headers } = await read(shop);
      expect(status).toBe(200);
      expect(headers.get('ratelimit-policy')).toBe('"default";q=10;w=60');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`));
      expect(headers.get('x-ratelimit-limit')).toBe('10');
      expect(headers.get('x-ratelimit-remaining')).toBe(String(left));
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1_700_000_000);
    }
    const refused = await read(shop);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${wait}`);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    // Seconds are counted whole: at most three more than a window.
    moveClock((wait + 3) * 1000);
    expect((await read(shop)).status).toBe(200);
  });

  it('does not count requests that get 429', async () => {
    const shop = await limited(5);
    expect(await count(5, () => read(shop))).toEqual({ 200: 5 });
    for (let step = 0; step < 6; step++) {
      moveClock(5_000);
      expect(await count(3, () => read(shop))).toEqual({ 429: 3 });
    }
    moveClock(WINDOW - 30_000);
    expect(await count(5, () => read(shop))).toEqual({ 200: 5 });
  });

  it('keeps requests from reading while it decides whether one is free again', async () => {
    const shop = await limited(5);
    expect(await count(6, () => read(shop))).toEqual({ 200: 5, 429: 1 });
    // Longer than a refusal is remembered, so that the limiter is asked again.
    moveClock(1_000);
    const { env: counted, calls } = countStorageCalls();
    const lists = Array.from({ length: 10 }, (_, n) => `/v1/products?limit=${n + 1}`);
    const answers = await Promise.all(lists.map((path) => fetchWith(counted, 'GET', path, shop.token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    expect(calls).toMatchObject({ database: 0, cache: 0 });
  });

  it('counts every other response', async () => {
    const shop = await limited(8);
    const blind = await shop.register({ scopes: ['theme:read'], rate_limit_per_minute: 3 });
    expect((await shop.get('/products/999999')).status).toBe(404);
    expect((await shop.get('/products?limit=0')).status).toBe(422);
    expect(
      (await shop.post('/products', undefined, { raw: '{', headers: { 'content-type': 'application/json' } }))
        .status,
    ).toBe(400);
    expect(
      (await shop.post('/products', undefined, { raw: '{}', headers: { 'content-type': 'text/plain' } }))
        .status,
    ).toBe(415);
    expect(
      (
        await shop.post('/products', undefined, {
          raw: `"${'x'.repeat(1_100_000)}"`,
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(413);
    const etag = (await read(shop)).headers.get('etag') ?? '';
    expect((await shop.get('/theme/options', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await send('HEAD', '/v1/theme/options', { token: shop.token })).status).toBe(200);
    expect((await read(shop)).status).toBe(429);
    expect(await count(4, () => send('GET', '/v1/products', { token: blind.token }))).toEqual({
      403: 3,
      429: 1,
    });
  });

  it('does not count requests that need no token: unknown paths, methods, preflights', async () => {
    const shop = await limited(2);
    const { token } = shop;
    expect(await count(3, () => send('GET', '/v1/nothing', { token }))).toEqual({ 404: 3 });
    expect(await count(3, () => send('PUT', '/v1/products', { token }))).toEqual({ 405: 3 });
    const headers = { origin: 'https://shop.example.com', 'access-control-request-method': 'GET' };
    expect(await count(3, () => send('OPTIONS', '/v1/products', { headers }))).toEqual({ 204: 3 });
    expect(await count(3, () => read(shop))).toEqual({ 200: 2, 429: 1 });
  });

  it('is exact for concurrent requests', async () => {
    const shop = await limited(25);
    const answers = await Promise.all(Array.from({ length: 80 }, () => read(shop)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(55);
  });

  it("applies to a sliding window: requests of a minute's last second count towards the next minute", async () => {
    const shop = await limited(20);
    expect(await count(10, () => read(shop))).toEqual({ 200: 10 });
    moveClock(40_000);
    expect(await count(10, () => read(shop))).toEqual({ 200: 10 });
    moveClock(WINDOW - 40_000);
    expect(await count(12, () => read(shop))).toEqual({ 200: 10, 429: 2 });
  });

  it('is shared by the two tokens of a rotation', async () => {
    const shop = await limited(30);
    const path = `/tenants/${shop.slug}/applications/${shop.applicationId}/rotate`;
    const { token } = (await admin('POST', path)).body;
    expect(await count(10, () => read(shop))).toEqual({ 200: 10 });
    expect(await count(10, () => read(shop, token))).toEqual({ 200: 10 });
    // One token's lease may hold back a few from the other, but none is lost and none is given twice.
    let turn = 0;
    const rest = await count(40, () => {
      moveClock(100);
      turn += 1;
      return read(shop, turn % 3 === 0 ? token : shop.token);
    });
    expect(rest).toEqual({ 200: 10, 429: 30 });
  });

  it("takes effect when changed, and never exceeds the plan's limit", async () => {
    const shop = await limited(10);
    const path = `/tenants/${shop.slug}/applications/${shop.applicationId}`;
    expect(await count(8, () => read(shop))).toEqual({ 200: 8 });
    await admin('PATCH', path, { rate_limit_per_minute: 5 });
    moveClock(2_000);
    const refused = await read(shop);
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '5']);
    await admin('PATCH', path, { rate_limit_per_minute: 12 });
    moveClock(2_000);
    expect(await count(6, () => read(shop))).toEqual({ 200: 4, 429: 2 });
    await admin('PATCH', path, { rate_limit_per_minute: 6_000 });
    moveClock(2_000);
    expect((await read(shop)).headers.get('x-ratelimit-limit')).toBe('1200');
    await admin('PATCH', `/tenants/${shop.slug}`, { plan: 'starter' });
    moveClock(2_000);
    expect((await read(shop)).headers.get('x-ratelimit-limit')).toBe('600');
    await admin('PATCH', path, { rate_limit_per_minute: null });
    moveClock(2_000);
    expect((await read(shop)).headers.get('x-ratelimit-limit')).toBe('600');
  });
});

describe('evicting the limiter', () => {
  it('between any two requests changes no count', async () => {
    const shop = await limited(12);
    for (let n = 0; n < 12; n++) {
      expect((await read(shop)).status).toBe(200);
      await evict(limiterOf(shop));
      if (n % 3 === 0) await evict(tenantOf(shop));
      moveClock(700);
    }
    expect((await read(shop)).status).toBe(429);
    await evict(limiterOf(shop));
    moveClock(600);
    expect((await read(shop)).status).toBe(429);
    moveClock(WINDOW);
    expect(await count(13, () => read(shop))).toEqual({ 200: 12, 429: 1 });
  });

  it('loses no granted lease: an unreported one counts as used until its window ends', async () => {
    const shop = await limited(10);
    await read(shop);
    const { tenantId, applicationId } = shop;
    const secret = shop.token.split('_')[3] ?? '';
    const ask = { tenantId, applicationId, hash: hashOf(secret), ahead: 0, reports: [], unleased: [] };
    const lost = await limiterOf(shop).lease({ ...ask, waiting: 6 });
    expect(lost).toMatchObject({ ok: true, grant: { permits: 6 } });
    await evict(limiterOf(shop));
    moveClock(1_500);
    expect(await count(5, () => read(shop))).toEqual({ 200: 3, 429: 2 });
    moveClock(55_000);
    await evict(limiterOf(shop));
    expect(await limiterOf(shop).usage()).toEqual({ used: 10 });
    moveClock(WINDOW - 55_000);
    expect(await limiterOf(shop).usage()).toEqual({ used: 0 });
  });
});

it('does not let an aborted request block later ones', async () => {
  const shop = await limited(50);
  const lease = RateLimiter.prototype.lease;
  const never = () => new Promise<never>(() => undefined);
  const spy = vi
    .spyOn(RateLimiter.prototype, 'lease')
    .mockImplementationOnce(never)
    .mockImplementationOnce(never);
  const hung = fetchWith(env, 'GET', '/v1/theme/options', shop.token);
  expect((await hung).status).toBe(503);
  spy.mockImplementation(lease);
  moveClock(600);
  expect((await read(shop)).status).toBe(200);
});
