import { afterEach, describe, expect, it, vi } from 'vitest';
import { RateLimiter } from '../../../src/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith, recordedBindings } from '../../support/faults/bindings.ts';
import { versionOf } from '../../support/fixtures/catalog/products.ts';
import { type Answer, admin, type World, world } from '../../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const applicationOf = (shop: World) => `/tenants/${shop.slug}/applications/${shop.applicationId}`;

const product = (shop: World, more: object = {}) =>
  shop.post('/products', { name: 'Shirt', type: 'simple', price: 10, ...more });

/** Lets the lease in hand run out, so that the next request has to ask the limiter. */
const nextLease = () => moveClock(2_000);

describe('a read that runs beside the call to the limiter', () => {
  /** An isolate that knows the token and the answer, but whose lease has run out. */
  async function stale(path: string, options: Parameters<typeof world>[0] = {}) {
    const shop = await world(options);
    await product(shop);
    nextLease();
    expect((await shop.get(path)).status).toBe(200);
    return shop;
  }

  const expectBare = ({ headers }: Answer) => {
    for (const name of ['etag', 'x-catalog-version']) expect(headers.get(name), name).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  };

  it('starts before the limiter responds, and ends after it', async () => {
    const shop = await stale('/products?limit=3');
    nextLease();
    const lease = RateLimiter.prototype.lease;
    const bindings = recordedBindings();
    let tripsBefore = -1;
    vi.spyOn(RateLimiter.prototype, 'lease').mockImplementation(async function (this: RateLimiter, request) {
      await scheduler.wait(100);
      tripsBefore = bindings.databaseTrips();
      return lease.call(this, request);
    });
    expect((await fetchWith(bindings.env, 'GET', '/v1/products?limit=4', shop.token)).status).toBe(200);
    expect(tripsBefore).toBe(1);
  });

  it('is refused with the token, without showing what was read', async () => {
    const shop = await stale('/products');
    await admin('PATCH', applicationOf(shop), { status: 'passive' });
    nextLease();
    const refused = await shop.get('/products');
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
    expectBare(refused);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is refused when the limit is used up, also with invalid input', async () => {
    const shop = await stale('/products', { application: { rate_limit_per_minute: 3 } });
    expect((await shop.get('/products')).status).toBe(200);
    nextLease();
    const refused = await shop.get('/products');
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expectBare(refused);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    nextLease();
    expect((await shop.get('/products?limit=0')).status).toBe(429);
  });

  it('is refused with the scope, the origin and the tenant', async () => {
    const shop = await stale('/products');
    const headers = { origin: 'https://b.example' };
    const codes = [];
    for (const [path, patch] of [
      [applicationOf(shop), { scopes: ['theme:read'] }],
      [applicationOf(shop), { scopes: ['catalog:read'], allowed_origins: ['https://a.example'] }],
      [`/tenants/${shop.slug}`, { status: 'suspended' }],
    ] as const) {
      await admin('PATCH', path, patch);
      nextLease();
      const refused = await shop.get('/products', { headers });
      expectBare(refused);
      expect(refused.headers.get('access-control-allow-origin')).toBe(
        patch && 'allowed_origins' in patch ? null : refused.headers.get('access-control-allow-origin'),
      );
      codes.push(refused.body.code);
      await admin('PATCH', applicationOf(shop), {
        scopes: ['catalog:read', 'catalog:write'],
        allowed_origins: [],
      });
      nextLease();
      if (codes.length < 3) expect((await shop.get('/products', { headers })).status).toBe(200);
    }
    expect(codes).toEqual(['insufficient_scope', 'origin_not_allowed', 'tenant_suspended']);
  });

  it('is repeated if the token may see less or the catalogue has changed', async () => {
    const shop = await world();
    await product(shop, { status: 'inactive' });
    nextLease();
    expect((await shop.get('/products?status=inactive')).body.meta.total).toBe(1);
    await admin('PATCH', applicationOf(shop), { scopes: ['catalog:read'] });
    nextLease();
    const refused = await shop.get('/products?status=inactive');
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expectBare(refused);
    expect((await shop.get('/products')).body.meta.total).toBe(0);
    // Read before the change: on a slow machine the lease may end right after it.
    const before = versionOf(await shop.get('/products'));
    await admin('PATCH', `/tenants/${shop.slug}`, { name: 'Moved' });
    nextLease();
    expect(versionOf(await shop.get('/products'))).toBeGreaterThan(before);
  });
});
