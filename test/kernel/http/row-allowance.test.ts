/** Lists that may read many rows share an allowance of their tenant: others wait for the same database. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeEach, expect, it, vi } from 'vitest';
import { serve } from '../../../src/app.ts';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith, interceptBindings, MAIN_DATABASES } from '../../support/faults/bindings.ts';
import { buildIndex } from '../../support/fixtures/catalog/list-index.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { type World, world } from '../../support/world.ts';

// The allowance grows while a slow machine makes the calls.
beforeEach(stopClock);

/** The real databases, whose batches report this number of rows for their first statement. */
const reporting = (read: number): Env =>
  interceptBindings(MAIN_DATABASES, (name, call) => {
    if (!name.endsWith('.batch')) return call();
    return (async () => {
      const [first, ...others] = (await call()) as D1Result[]; // what a batch returns
      return first ? [{ ...first, meta: { ...first.meta, rows_read: read } }, ...others] : others;
    })();
  });

/** Reads a list while the databases report this number of rows; returns the status and `Retry-After`. */
async function readWhile(read: number, { token }: World, path: string): Promise<[number, number]> {
  const response = await fetchWith(reporting(read), 'GET', `/v1${path}`, token);
  return [response.status, Number(response.headers.get('retry-after'))];
}

it.each(['/orders', '/customers', '/marketplace/products?updated_since=2026-01-01T00:00:00Z', '/insights'])(
  'refuses %s while its tenant has read too many rows, and nothing else',
  async (path) => {
    const [shop, other] = [await world(), await world()];
    expect(await readWhile(19_000_000, shop, '/orders')).toEqual([200, 0]);
    expect(await readWhile(16_000_000, shop, path)).toEqual([200, 0]);
    const [status, seconds] = await readWhile(10, shop, `${path}${path.includes('?') ? '&' : '?'}`);
    expect([status, seconds]).toEqual([429, expect.toSatisfy((n: number) => n > 10 && n <= 16)]);
    expect((await shop.get('/products')).status).toBe(200);
    expect(await readWhile(10, other, path)).toEqual([200, 0]);
    moveClock(seconds * 1_000);
    expect(await readWhile(10, shop, path)).toEqual([200, 0]);
  },
);

it('refuses what is read for a product feed, as other lists of many rows', async () => {
  const shop = await world();
  const { id } = (await shop.post('/feeds', { format: 'xml' })).body;
  const reads = ['problems', 'preview'].map((name) => `/feeds/${id}/${name}`);
  expect(await readWhile(30_000_000, shop, '/orders')).toEqual([200, 0]);
  for (const path of reads) expect((await shop.get(path)).status).toBe(429);
  moveClock(MINUTE);
  for (const path of reads) expect((await shop.get(path)).status).toBe(200);
});

it('counts a list whose client has disconnected', async () => {
  const shop = await world();
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = interceptBindings(MAIN_DATABASES, (name, call) => {
    if (!name.endsWith('.batch')) return call();
    asked.resolve();
    return answered.promise.then(call);
  });
  const ctx = createExecutionContext();
  // What the runtime lets run to its end when it cancels the request.
  const kept = vi.spyOn(ctx, 'waitUntil');
  const headers = { authorization: `Bearer ${shop.token}` };
  const response = serve(new Request('https://api.example.com/v1/orders', { headers }), slow, ctx);
  await asked.promise;
  const read = Promise.all(kept.mock.calls.map(([work]) => work)).then(() => 'read');
  const early = await Promise.race([read, scheduler.wait(50).then(() => 'waits for the database')]);
  answered.resolve();
  expect([early, (await response).status]).toEqual(['waits for the database', 200]);
  await waitOnExecutionContext(ctx);
});

it.each(['/orders', '/products?price_min=1'])(
  'counts what %s took until the database ended it',
  async (path) => {
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(console, 'warn').mockReturnValue();
    const shop = await world();
    const ending = interceptBindings(MAIN_DATABASES, (name, call) => {
      if (!name.endsWith('.batch')) return call();
      return Promise.reject(new Error('D1_ERROR: D1 DB exceeded its CPU time limit and was reset.'));
    });
    expect((await fetchWith(ending, 'GET', `/v1${path}`, shop.token)).status).toBe(503);
    expect(await readWhile(10, shop, path)).toEqual([429, expect.toSatisfy((n: number) => n > 5 && n <= 10)]);
  },
);

it('makes a tenant wait for a minute at most', async () => {
  const shop = await world();
  expect(await readWhile(1_000_000_000, shop, '/orders')).toEqual([200, 0]);
  expect(await readWhile(10, shop, '/orders')).toEqual([429, 60]);
  moveClock(MINUTE);
  expect(await readWhile(10, shop, '/orders')).toEqual([200, 0]);
});

it.each(['/products?price_min=1', '/products?q=mug', '/products?facets=vendor', '/search?q=mug&price_min=1'])(
  'refuses %s while no index serves it and its tenant has read too many rows, and no plain list',
  async (path) => {
    const [shop, other] = [await world(), await world()];
    expect(await readWhile(19_000_000, shop, '/products?price_min=2')).toEqual([200, 0]);
    expect(await readWhile(16_000_000, shop, path)).toEqual([200, 0]);
    const [status, seconds] = await readWhile(10, shop, `${path}&limit=3`);
    expect([status, seconds]).toEqual([429, expect.toSatisfy((n: number) => n > 10 && n <= 16)]);
    expect(await readWhile(10, shop, '/products?limit=3')).toEqual([200, 0]);
    expect(await readWhile(10, other, path)).toEqual([200, 0]);
    moveClock(seconds * 1_000);
    expect(await readWhile(10, shop, `${path}&limit=3`)).toEqual([200, 0]);
  },
);

it('refuses a list that is read from the tree while its category moves, and its tenant has read too many rows', async () => {
  const shop = await world();
  const { id } = (await shop.post('/categories', { name: 'Cups' })).body;
  await storeOf(shop)
    .prepare('INSERT INTO relistings (tenant_id, category_id, shelves, updated_at) VALUES (?, ?, ?, ?)')
    .bind(shop.tenantId, id, JSON.stringify([id]), Date.now())
    .run();
  expect(await readWhile(16_000_000, shop, `/products?category_id=${id}`)).toEqual([200, 0]);
  expect(await readWhile(16_000_000, shop, `/products?category_id=${id}&limit=2`)).toEqual([200, 0]);
  const [status, seconds] = await readWhile(10, shop, `/products?category_id=${id}&limit=3`);
  expect([status, seconds]).toEqual([429, expect.toSatisfy((n: number) => n > 10 && n <= 16)]);
  expect(await readWhile(10, shop, '/products?limit=3')).toEqual([200, 0]);
});

it('does not refuse a filtered list that the index serves', async () => {
  const shop = await world();
  await buildIndex(shop);
  expect(await readWhile(90_000_000, shop, '/orders')).toEqual([200, 0]);
  expect(await readWhile(10, shop, '/orders')).toEqual([429, 60]);
  expect(await readWhile(10, shop, '/products?price_min=1')).toEqual([200, 0]);
});
