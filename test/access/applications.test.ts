import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { SCOPES } from '../../src/kernel/core/scopes.ts';
import { failStatements, loseResponse, STORES_RESPONSE } from '../support/faults/database.ts';
import { lazy } from '../support/lazy.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { admin, send, type World, world } from '../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

afterEach(() => {
  vi.restoreAllMocks();
});

const of = (shop: World) => `/tenants/${shop.slug}/applications`;
const own = (shop: World) => `${of(shop)}/${shop.applicationId}`;
const reads = async (token: string) => (await send('GET', '/v1/theme/options', { token })).status;

/** A call of the platform API with an Idempotency-Key. */
const once = (path: string, key: string, body?: object) =>
  send('POST', `/admin/v1${path}`, {
    token: env.SUPER_ADMIN_TOKEN,
    headers: { 'idempotency-key': key },
    ...(body ? { body } : {}),
  });

describe('an application', () => {
  it('is registered with the scopes of its kind, and shows its token once', async () => {
    const shop = await world();
    const made = await admin('POST', of(shop), { name: 'Phone', kind: 'mobile' });
    expect(made.status).toBe(201);
    const { token, ...shown } = made.body;
    expect(token).toMatch(
      new RegExp(`^sfe_live_${shop.tenantId}-${shown.id}_[0-9A-Za-z]{32}_1[0-9A-Za-z]{12}$`),
    );
    expect(shown).toMatchObject({
      name: 'Phone',
      kind: 'mobile',
      status: 'active',
      allowed_origins: [],
      rate_limit_per_minute: null,
      expires_at: null,
      last_used_at: null,
    });
    expect(shown.scopes).toEqual(
      expect.arrayContaining([
        'catalog:read',
        'cart:read',
        'cart:write',
        'customers:write',
        'checkout:write',
        'theme:read',
      ]),
    );
    expect(shown.scopes).toHaveLength(6);
    const all = (await admin('GET', `${of(shop)}?limit=1&page=2`)).body;
    expect(all.meta).toEqual({ page: 2, limit: 1, total: 2, total_pages: 2, next_cursor: null });
    expect(all.data).toEqual([shown]);
    expect((await admin('GET', `${of(shop)}?page=9`)).body.data).toEqual([]);
    expect((await admin('GET', of(shop))).body.data[0].scopes).toEqual([...SCOPES]);
  });

  it.each([
    [{ kind: 'robot' }, 'kind'],
    [{ scopes: ['everything'] }, 'scopes.0'],
    [{ allowed_origins: ['https://shop.example.com/'] }, 'allowed_origins.0'],
    [{ allowed_origins: ['https://SHOP.example.com'] }, 'allowed_origins.0'],
    [{ allowed_origins: ['shop.example.com'] }, 'allowed_origins.0'],
    [{ allowed_origins: ['*'] }, 'allowed_origins.0'],
    [{ allowed_origins: ['null'] }, 'allowed_origins.0'],
    [{ rate_limit_per_minute: 0 }, 'rate_limit_per_minute'],
    [{ rate_limit_per_minute: 6_001 }, 'rate_limit_per_minute'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ expires_at: '9999-12-31T23:59:59-05:00' }, 'expires_at'],
    [{ token: 'sfe_live_mine' }, 'token'],
  ])('is rejected with %j, and the error names the field', async (more, field) => {
    const shop = await untouched();
    const body = { name: 'App', kind: 'storefront', ...more };
    const made = await admin('POST', of(shop), body);
    expect([made.status, Object.keys(made.body.errors)]).toEqual([422, [field]]);
  });

  it('has origins of international domains as browsers send them', async () => {
    const shop = await world();
    const withOrigin = (origin: string) =>
      admin('POST', of(shop), { name: 'App', kind: 'storefront', allowed_origins: [origin] });
    const refused = await withOrigin('https://bücher.example');
    expect(refused.body.errors['allowed_origins.0']).toEqual([expect.stringContaining('xn--')]);
    expect((await withOrigin('https://xn--bcher-kva.example')).status).toBe(201);
  });

  it('changes only in the fields that a PATCH contains', async () => {
    const shop = await world();
    const before = (await admin('PATCH', own(shop), {})).body;
    const after = (await admin('PATCH', own(shop), { name: 'Shop', expires_at: '2030-01-01T02:00:00+02:00' }))
      .body;
    expect(after).toEqual({
      ...before,
      name: 'Shop',
      expires_at: '2030-01-01T00:00:00.000Z',
      last_used_at: after.last_used_at,
    });
    expect((await admin('PATCH', own(shop), { expires_at: null })).body.expires_at).toBeNull();
    expect((await admin('PATCH', `${of(shop)}/999999`, { name: 'x' })).body.code).toBe(
      'application_not_found',
    );
  });

  it('shows when it was last used', async () => {
    const shop = await world();
    await shop.get('/theme/options');
    // Noted after the response.
    await vi.waitFor(async () => {
      const [application] = (await admin('GET', of(shop))).body.data;
      expect(Date.parse(application.last_used_at)).toBeGreaterThan(Date.parse(application.created_at) - 1);
    }, 30_000);
  });

  it('is listed, page by page, with those of its tenant alone', async () => {
    const shop = await world();
    const second = await shop.register();
    await (await world()).register();
    const list = (more: string) => admin('GET', `${of(shop)}?limit=1${more}`);
    const first = (await list('')).body;
    const { data, meta } = (await list(`&cursor=${first.meta.next_cursor}`)).body;
    expect([...first.data, ...data].map(({ id }) => id)).toEqual([shop.applicationId, second.id]);
    expect(meta.next_cursor).toBeNull();
  });

  it('is admitted until it expires', async () => {
    const shop = await world();
    const day = 24 * 3600_000;
    const { token } = await shop.register({ expires_at: new Date(Date.now() + 300 * day).toISOString() });
    expect(await reads(token)).toBe(200);
    moveClock(300 * day + 1_000);
    expect(await reads(token)).toBe(401);
    moveClock(-300 * day);
  });
});

describe('a token', () => {
  it('is stored only as a hash', async () => {
    const shop = await world();
    const rows = await storeOf(shop)
      .prepare('SELECT * FROM applications WHERE tenant_id = ?')
      .bind(shop.tenantId)
      .all();
    const secret = shop.token.split('_')[3] ?? '';
    expect(JSON.stringify(rows.results)).not.toContain(secret);
  });

  it('stays valid for 24 hours after its rotation', async () => {
    const shop = await world();
    const { token } = (await admin('POST', `${own(shop)}/rotate`)).body;
    moveClock(23.9 * 3600_000);
    expect([await reads(shop.token), await reads(token)]).toEqual([200, 200]);
    moveClock(0.2 * 3600_000);
    expect([await reads(shop.token), await reads(token)]).toEqual([401, 200]);
  });

  it('works immediately after a rotation, also after two concurrent rotations', async () => {
    const shop = await world();
    const [a, b] = await Promise.all([
      admin('POST', `${own(shop)}/rotate`),
      admin('POST', `${own(shop)}/rotate`),
    ]);
    expect([await reads(a.body.token), await reads(b.body.token)]).toEqual([200, 200]);
  });
});

describe('a retry', () => {
  const app = { name: 'App', kind: 'integration' };

  it('of a registration whose response was lost returns the same application and token', async () => {
    const shop = await world();
    const restore = failStatements(STORES_RESPONSE);
    const first = await once(of(shop), 'a', app);
    restore();
    moveClock(31_000);
    const second = await once(of(shop), 'a', app);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await reads(second.body.token)).toBe(200);
    expect((await admin('GET', of(shop))).body.meta.total).toBe(2);
  });

  it('of a registration returns its token also after a rotation', async () => {
    const shop = await world();
    const restore = failStatements(STORES_RESPONSE);
    const first = await once(of(shop), 'd', app);
    restore();
    await admin('POST', `${of(shop)}/${first.body.id}/rotate`);
    moveClock(31_000);
    const second = await once(of(shop), 'd', app);
    expect([second.status, second.body.token]).toEqual([201, first.body.token]);
    expect(await reads(second.body.token)).toBe(200);
  });

  it('of a registration that seemed to fail creates no second application', async () => {
    const shop = await world();
    loseResponse(/insert into "applications"/i);
    expect((await once(of(shop), 'b', app)).status).toBe(503);
    const second = await once(of(shop), 'b', app);
    expect(second.status).toBe(201);
    expect(await reads(second.body.token)).toBe(200);
    expect((await admin('GET', of(shop))).body.meta.total).toBe(2);
  });

  it('of a rotation rotates once: the old token stays valid, the new one is the same', async () => {
    const shop = await world();
    const restore = failStatements(STORES_RESPONSE);
    const first = await once(`${own(shop)}/rotate`, 'c');
    restore();
    moveClock(31_000);
    const second = await once(`${own(shop)}/rotate`, 'c');
    expect([second.status, second.body.token]).toEqual([200, first.body.token]);
    expect([await reads(shop.token), await reads(second.body.token)]).toEqual([200, 200]);
  });

  it('of a committed tenant creation creates no second tenant and is no conflict', async () => {
    const body = { slug: `t${crypto.randomUUID().slice(0, 12)}`, name: 'Acme', currency: 'EUR' };
    loseResponse(/insert into "tenants"/i);
    expect((await once('/tenants', body.slug, body)).status).toBe(503);
    const second = await once('/tenants', body.slug, body);
    expect([second.status, second.body.slug]).toEqual([201, body.slug]);
  });
});
