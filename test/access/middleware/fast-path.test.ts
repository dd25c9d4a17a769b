import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith, recordedBindings } from '../../support/faults/bindings.ts';
import { BINDINGS } from '../../support/faults/injector.ts';
import { world } from '../../support/world.ts';

/** How often a request may touch storage: what a made-up token, a cold and a hot read cost. */

const tail = 'b'.repeat(12);
const secret = 'a'.repeat(32);

it('refuses forged tokens without accessing storage', async () => {
  const shop = await world();
  const bindings = recordedBindings(BINDINGS);
  const own = shop.token;
  const flipped = own.slice(0, -1) + (own.endsWith('a') ? 'b' : 'a');
  const tokens = [
    `sfe_live_1-1_${secret}_1${tail}`,
    `sfe_live_${shop.tenantId}-${shop.applicationId}_${secret}_1${tail}`,
    flipped,
    own.replace(`_${shop.tenantId}-`, `_${shop.tenantId + 1}-`),
    own.replace(/_1(\w{12})$/, '_2$1'),
    own.toUpperCase(),
    `${own}x`,
    'x'.repeat(100_000),
  ];
  for (const token of tokens) {
    for (const [method, path] of [
      ['GET', '/v1/products'],
      ['POST', '/v1/products'],
      ['GET', '/v1/theme/options'],
      ['GET', '/v1/search?q=cup'],
      ['POST', '/v1/cart'],
      ['POST', '/v1/imports/products'],
      ['POST', '/v1/media'],
    ] as const) {
      expect((await fetchWith(bindings.env, method, path, token)).status, `${method} ${path}`).toBe(401);
    }
  }
  expect((await fetchWith(bindings.env, 'GET', '/v1/nothing', own)).status).toBe(404);
  expect(bindings.calls).toEqual([]);
  expect((await fetchWith(bindings.env, 'GET', '/v1/theme/options', own)).status).toBe(200);
  expect(bindings.calls).not.toEqual([]);
});

it('serves a cold read with one database round trip, and a cached one without storage', async () => {
  const shop = await world();
  const { id } = (await shop.post('/products', { name: 'Shirt', type: 'simple', price: 5 })).body;
  // The lease that made the product doesn't know of it; the next one does.
  moveClock(2_000);
  const bindings = recordedBindings();
  for (const path of [`/v1/products/${id}`, '/v1/products?limit=20', '/v1/theme/options']) {
    bindings.calls.length = 0;
    expect((await fetchWith(bindings.env, 'GET', path, shop.token)).status).toBe(200);
    expect(bindings.databaseTrips(), path).toBe(1);
  }
  // A lease that fits the demand; the next few requests of this second are under it.
  await Promise.all(
    Array.from({ length: 30 }, () => fetchWith(bindings.env, 'GET', '/v1/theme/options', shop.token)),
  );
  for (const path of [`/v1/products/${id}`, '/v1/products?limit=20', '/v1/theme/options']) {
    bindings.calls.length = 0;
    expect((await fetchWith(bindings.env, 'GET', path, shop.token)).status).toBe(200);
    expect(
      bindings.calls.filter((call) => !call.startsWith('RATE_LIMITER')),
      path,
    ).toEqual([]);
  }
});

it('reads again what a caller knows to be newer than the copy in memory', async () => {
  const shop = await world();
  const read = async (headers = {}) => {
    const bindings = recordedBindings();
    await fetchWith(bindings.env, 'GET', '/v1/theme/options', shop.token, { headers });
    return bindings.databaseTrips();
  };
  await Promise.all(Array.from({ length: 30 }, () => read()));
  const version = (await shop.get('/theme/options')).headers.get('x-catalog-version');
  expect(await read({ 'x-catalog-version': version })).toBe(0);
  expect(await read({ 'x-catalog-version': String(Number(version) + 1) })).toBeGreaterThan(0);
});

it('calls the limiter for few of many requests', async () => {
  const shop = await world({ plan: 'enterprise' });
  const bindings = recordedBindings();
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 20 }, () => fetchWith(bindings.env, 'GET', '/v1/theme/options', shop.token)),
    );
  }
  expect(bindings.calls.filter((call) => call === 'RATE_LIMITER.lease').length).toBeLessThanOrEqual(20);
  const stub = env.RATE_LIMITER.getByName(`${shop.tenantId}:${shop.applicationId}`);
  expect((await stub.usage()).used).toBeGreaterThanOrEqual(400);
});
