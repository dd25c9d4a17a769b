import { afterEach, describe, expect, it, vi } from 'vitest';
import { RateLimiter, Tenant } from '../../src/index.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { admin, send, type World, world } from '../support/world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const applicationOf = (shop: World) => `/tenants/${shop.slug}/applications/${shop.applicationId}`;

/** Changes, how the platform makes them, and the error that follows. */
const CHANGES: readonly [string, (shop: World) => [path: string, patch: object], number, string][] = [
  ['passive', (shop) => [applicationOf(shop), { status: 'passive' }], 401, 'unauthorized'],
  ['expired', (shop) => [applicationOf(shop), { expires_at: '2020-01-01T00:00:00Z' }], 401, 'unauthorized'],
  ['other scopes', (shop) => [applicationOf(shop), { scopes: ['theme:read'] }], 403, 'insufficient_scope'],
  [
    'other origins',
    (shop) => [applicationOf(shop), { allowed_origins: ['https://b.example'] }],
    403,
    'origin_not_allowed',
  ],
  ['suspended', (shop) => [`/tenants/${shop.slug}`, { status: 'suspended' }], 403, 'tenant_suspended'],
  ['another plan', (shop) => [`/tenants/${shop.slug}`, { plan: 'starter' }], 403, 'plan_not_allowed'],
];

/** Reads the feed with concurrent clients until stopped; records when the last request was admitted. */
function load(shop: World) {
  let running = true;
  let lastAdmitted = 0;
  let refused: { status: number; code: string } | null = null;
  const client = async () => {
    while (running) {
      // Timers only run where something waits for them.
      await scheduler.wait(20);
      const sent = Date.now();
      const answer = await shop.get('/marketplace/products', { headers: { origin: 'https://a.example' } });
      if (answer.status === 200) lastAdmitted = Math.max(lastAdmitted, sent);
      else if (answer.status !== 429) refused = { status: answer.status, code: answer.body.code };
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  return {
    seen: () => ({ lastAdmitted, refused }),
    stop: async () => {
      running = false;
      await clients;
      return { lastAdmitted, refused };
    },
  };
}

describe('a change', () => {
  // The real clock: an answer to a request that was sent later than 2 s after the change must not be 200.
  it.concurrent.each(CHANGES)(
    'takes effect within 2 seconds of its response, under load: %s',
    async (_, change, status, code) => {
      const shop = await world({ plan: 'enterprise', application: { rate_limit_per_minute: 6_000 } });
      const traffic = load(shop);
      await vi.waitFor(() => expect(traffic.seen().lastAdmitted).toBeGreaterThan(0), 30_000);
      const [path, patch] = change(shop);
      expect((await admin('PATCH', path, patch)).status).toBe(200);
      const answered = Date.now();
      await scheduler.wait(2_400);
      await vi.waitFor(() => expect(traffic.seen().refused).toEqual({ status, code }), 30_000);
      const { lastAdmitted, refused } = await traffic.stop();
      expect(lastAdmitted - answered).toBeLessThanOrEqual(2_000);
      expect(refused).toEqual({ status, code });
    },
  );

  it('of a token takes effect: the new token works immediately, the old one for a day', async () => {
    const shop = await world();
    await shop.get('/theme/options');
    const { token } = (await admin('POST', `${applicationOf(shop)}/rotate`)).body;
    expect(token).not.toBe(shop.token);
    expect((await send('GET', '/v1/theme/options', { token })).status).toBe(200);
    expect((await shop.get('/theme/options')).status).toBe(200);
    await admin('POST', `${applicationOf(shop)}/rotate`);
    await scheduler.wait(1_100);
    expect((await shop.get('/theme/options')).status).toBe(200);
    expect((await send('GET', '/v1/theme/options', { token })).status).toBe(200);
  });
});

describe('a change whose notification fails', () => {
  it.each([
    ['an application', (shop: World) => [applicationOf(shop), { status: 'passive' }] as const, RateLimiter],
    ['a tenant', (shop: World) => [`/tenants/${shop.slug}`, { status: 'suspended' }] as const, Tenant],
  ])('is not reported as successful: %s', async (_, change, object) => {
    const shop = await world();
    const [path, patch] = change(shop);
    const down = vi.spyOn(object.prototype, 'reload').mockRejectedValue(new Error('down'));
    const answer = await admin('PATCH', path, patch);
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(down).toHaveBeenCalledTimes(3);
    down.mockRestore();
    expect((await admin('PATCH', path, patch)).status).toBe(200);
  });

  it('of an application takes effect within half a minute nevertheless', async () => {
    const shop = await world();
    expect((await shop.get('/theme/options')).status).toBe(200);
    vi.spyOn(RateLimiter.prototype, 'reload').mockRejectedValue(new Error('down'));
    expect((await admin('PATCH', applicationOf(shop), { status: 'passive' })).status).toBe(503);
    moveClock(31_000);
    expect((await shop.get('/theme/options')).body.code).toBe('unauthorized');
  });

  it('is notified again after a lost attempt', async () => {
    const shop = await world();
    const down = vi.spyOn(RateLimiter.prototype, 'reload').mockRejectedValueOnce(new Error('down'));
    expect((await admin('PATCH', applicationOf(shop), { status: 'passive' })).status).toBe(200);
    down.mockRestore();
    expect((await shop.get('/theme/options')).status).toBe(401);
  });

  it('rotates once: the retry with the same key returns the token of the first attempt', async () => {
    const shop = await world();
    const down = vi.spyOn(RateLimiter.prototype, 'reload').mockRejectedValue(new Error('down'));
    const rotate = () =>
      send('POST', `/admin/v1${applicationOf(shop)}/rotate`, {
        token: 'test-super-admin-token-000000000000',
        headers: { 'idempotency-key': 'rotate-1' },
      });
    expect((await rotate()).status).toBe(503);
    down.mockRestore();
    const second = await rotate();
    expect(second.status).toBe(200);
    expect((await rotate()).body).toEqual(second.body);
    expect((await send('GET', '/v1/theme/options', { token: second.body.token })).status).toBe(200);
    expect((await shop.get('/theme/options')).status).toBe(200);
  });
});
