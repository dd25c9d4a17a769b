import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NEW_FOR_MS } from '../../../src/kernel/cache/new-versions.ts';
import { CACHE_FORMAT } from '../../../src/kernel/cache/versioned-cache.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { shardNames } from '../../../src/kernel/shards/shard-names.ts';
import { fetchWith, recordedBindings } from '../../support/faults/bindings.ts';
import { beforeBatch, failStatements } from '../../support/faults/database.ts';
import { versionOf } from '../../support/fixtures/catalog/products.ts';
import { type Answer, type World, world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const product = (shop: World) => shop.post('/products', { name: 'Shirt', type: 'simple', price: 10 });

/** Lets the lease in hand run out, so that the next request has to ask the limiter. */
const nextLease = () => moveClock(2_000);

/** What must be the same however an answer came about: all but ids of requests and counts. */
function lasting({ status, headers, body }: Answer) {
  const changing = ['x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  const kept = [...headers].filter(([name]) => !changing.includes(name)).sort();
  const names = [...headers.keys()].sort();
  return { status, body, kept, names };
}

describe('the second response for a URL', () => {
  it.each([
    ['without an origin', {}],
    ['to an origin', { origin: 'https://shop.example.com' }],
    ['that asks for a version', { 'x-catalog-version': '1' }],
  ])('equals the first in body and headers, %s', async (_, headers) => {
    const shop = await world();
    const { id } = (await product(shop)).body;
    await shop.post('/products', { name: 'Hat', type: 'simple', price: 2 });
    for (const path of [
      `/products/${id}`,
      '/products?limit=20&sort=price_asc',
      '/categories',
      '/theme/options',
      '/marketplace/products',
    ]) {
      nextLease();
      const first = await shop.get(path, { headers });
      const hot = [
        await shop.get(path, { headers }),
        await shop.get(path, { headers }),
        await shop.get(path, { headers }),
      ];
      for (const answer of hot) expect(lasting(answer), path).toEqual(lasting(first));
    }
  });

  it('is 304 if the client has it, from cache or not', async () => {
    const shop = await world();
    nextLease();
    const etag = (await shop.get('/theme/options')).headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    nextLease();
    // The limiter is asked again here, so this one goes the long way, and those after it don't.
    const first = await shop.get('/theme/options', { headers });
    expect([first.status, first.body, first.headers.get('etag')]).toEqual([304, null, etag]);
    await shop.get('/theme/options');
    for (let n = 0; n < 3; n++)
      expect(lasting(await shop.get('/theme/options', { headers }))).toEqual(lasting(first));
    for (const tag of ['*', `W/${etag}`, `"x", ${etag} , "y"`]) {
      expect((await shop.get('/theme/options', { headers: { 'if-none-match': tag } })).status, tag).toBe(304);
    }
    for (const tag of ['"x"', etag.slice(1, -1), '']) {
      expect((await shop.get('/theme/options', { headers: { 'if-none-match': tag } })).status, tag).toBe(200);
    }
  });

  it('belongs to its tenant', async () => {
    const [a, b] = [await world(), await world()];
    for (const shop of [a, b, a, b]) expect((await shop.get('/theme/options')).body.tenant).toBe(shop.slug);
  });

  it("is not another tenant's whose catalogue is at the same version", async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const [a, b] = [await world(), await world()];
    clock.mockRestore();
    const first = await a.get('/theme/options');
    const inKv = () => env.CACHE.list({ prefix: `catalog:${CACHE_FORMAT}:${a.tenantId}:` });
    await expect.poll(async () => (await inKv()).keys.length).toBeGreaterThan(0);
    const second = await b.get('/theme/options');
    expect([second.body.tenant, versionOf(second)]).toEqual([b.slug, versionOf(first)]);
    for (const shop of [a, b, a, b]) expect((await shop.get('/theme/options')).body.tenant).toBe(shop.slug);
    for (const { expiration } of (await inKv()).keys) expect(expiration).toBeGreaterThan(0);
  });

  it('is not of an older version once a read of another URL has learnt of a newer one', async () => {
    const shop = await world();
    const { id } = (await product(shop)).body;
    nextLease();
    for (let n = 0; n < 2; n++) expect((await shop.get(`/products/${id}`)).body.price).toBe(10);
    await shop.patch(`/products/${id}`, { price: 12 });
    nextLease();
    await shop.get('/categories');
    expect((await shop.get(`/products/${id}`)).body.price).toBe(12);
  });

  it('has the metadata for an editor, and not for a storefront', async () => {
    const shop = await world();
    const metadata = { supplier: 'Acme' };
    const { id } = (await shop.post('/products', { name: 'Mug', type: 'simple', price: 5, metadata })).body;
    const { token } = await shop.register({ kind: 'storefront' });
    nextLease();
    for (let n = 0; n < 3; n++) {
      expect((await shop.get(`/products/${id}`)).body.metadata).toEqual(metadata);
      expect((await shop.get(`/products/${id}`, { token })).body).not.toHaveProperty('metadata');
    }
  });

  it('is refused without the scope, the plan or the origin', async () => {
    const shop = await world();
    const narrow = await shop.register({ scopes: ['catalog:read'], allowed_origins: ['https://a.example'] });
    const read = (token: string, path: string, origin: string) =>
      fetchWith(recordedBindings().env, 'GET', path, token, { headers: { origin } });
    for (let n = 0; n < 3; n++) {
      expect((await shop.get('/theme/options')).status).toBe(200);
      expect((await shop.get('/products')).status).toBe(200);
      expect((await read(narrow.token, '/v1/products', 'https://a.example')).status).toBe(200);
      expect((await read(narrow.token, '/v1/theme/options', 'https://a.example')).status).toBe(403);
      expect((await read(narrow.token, '/v1/products', 'https://b.example')).status).toBe(403);
    }
  });
});

describe('a requested version', () => {
  it('that a write returned is served although the lease is older', async () => {
    const shop = await world();
    const { id } = (await product(shop)).body;
    await shop.get(`/products/${id}`);
    const written = await shop.patch(`/products/${id}`, { price: 12 });
    const headers = { 'x-catalog-version': String(versionOf(written)) };
    const seen = await shop.get(`/products/${id}`, { headers });
    expect([seen.body.price, versionOf(seen)]).toEqual([12, versionOf(written)]);
    nextLease();
    expect((await shop.get(`/products/${id}`)).body.price).toBe(12);
  });

  it.each([
    ['two minutes', 120_000],
    ['a year', 366 * 86_400_000],
  ])('that cannot exist before %s have passed is read once, from the primary', async (_, lead) => {
    const shop = await world();
    const { id } = (await product(shop)).body;
    const headers = { 'x-catalog-version': String(Date.now() + lead) };
    const recorded = recordedBindings();
    const answer = await fetchWith(recorded.env, 'GET', `/v1/products/${id}`, shop.token, { headers });
    // With several shards, the directory is asked first where the tenant is now.
    expect([answer.status, recorded.databaseTrips()]).toEqual([200, shardNames(env).length > 1 ? 2 : 1]);
    expect(recorded.calls.filter((call) => call.startsWith('CACHE.get'))).toEqual([]);
  });

  it('that is older than the lease brings no older copy', async () => {
    const shop = await world();
    const { id } = (await product(shop)).body;
    nextLease();
    const older = await shop.get(`/products/${id}`);
    await shop.patch(`/products/${id}`, { price: 12 });
    nextLease();
    const headers = { 'x-catalog-version': String(versionOf(older)) };
    expect((await shop.get(`/products/${id}`, { headers })).body.price).toBe(12);
  });

  it('that does not exist pins nothing and is no error', async () => {
    const shop = await world();
    const { id } = (await product(shop)).body;
    for (const made of [
      '999999',
      '9007199254740991',
      '99999999999999999999',
      '-1',
      '1.5',
      'abc',
      '',
      'Infinity',
      '0x10',
    ]) {
      const answer = await shop.get(`/products/${id}`, { headers: { 'x-catalog-version': made } });
      expect([answer.status, answer.body.price], made).toEqual([200, 10]);
    }
    const written = await shop.patch(`/products/${id}`, { price: 12 });
    nextLease();
    for (const asked of ['999999', String(versionOf(written))]) {
      const answer = await shop.get(`/products/${id}`, { headers: { 'x-catalog-version': asked } });
      expect([answer.body.price, versionOf(answer)], asked).toEqual([12, versionOf(written)]);
    }
  });
});

describe('concurrent cache misses', () => {
  it('read the database once', async () => {
    const shop = await world();
    await product(shop);
    // The version is not new any more, so that KV is asked.
    moveClock(NEW_FOR_MS);
    await shop.get('/theme/options');
    const bindings = recordedBindings();
    const read = () => fetchWith(bindings.env, 'GET', '/v1/products?limit=7', shop.token);
    const answers = await Promise.all(Array.from({ length: 25 }, read));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(bindings.databaseTrips()).toBe(1);
    expect(bindings.calls.filter((call) => call === 'CACHE.get')).toHaveLength(1);
  });

  it('fail together, and only once', async () => {
    const shop = await world();
    await shop.get('/theme/options');
    const restore = failStatements(/select/i);
    const read = () => shop.get('/products?limit=9');
    expect((await Promise.all([read(), read()])).map(({ status }) => status)).toEqual([503, 503]);
    restore();
    expect((await read()).status).toBe(200);
  });

  it('do not wait forever for a read that never ends', async () => {
    const shop = await world();
    await shop.get('/theme/options');
    let [begun, released] = [false, false];
    beforeBatch(/product_listings/i, async () => {
      begun = true;
      // A promise of one request can't be resolved by another here, so this one looks again and again.
      while (!released) await scheduler.wait(5);
    });
    const hung = shop.get('/products?limit=11');
    await expect.poll(() => begun).toBe(true);
    moveClock(6_000);
    expect((await shop.get('/products?limit=11')).status).toBe(200);
    released = true;
    expect((await hung).status).toBe(200);
  });
});
