import { afterEach, describe, expect, it, vi } from 'vitest';
import { RateLimiter, Tenant } from '../../../src/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { watchLog } from '../../support/runtime/log-scan.ts';
import { send, type World, world } from '../../support/world.ts';
import { count } from './limited-reads.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const limited = (limit: number) => world({ application: { rate_limit_per_minute: limit } });

const read = (shop: World, token = shop.token) => send('GET', '/v1/theme/options', { token });

const write = (shop: World) => shop.patch('/theme/options', { font_family: 'Inter' });

describe('while the limiter is unreachable', () => {
  /** Lets the lease in hand run out, and what was last refused be forgotten. */
  const nextLease = () => moveClock(1_100);

  it.each([
    ['the limiter', () => vi.spyOn(RateLimiter.prototype, 'lease').mockRejectedValue(new Error('down'))],
    ['the tenant', () => vi.spyOn(Tenant.prototype, 'current').mockRejectedValue(new Error('down'))],
  ])(
    '(%s is down) reads continue under a tenth of the limit and are logged; writes fail',
    async (_, fail) => {
      const shop = await limited(50);
      expect((await read(shop)).status).toBe(200);
      nextLease();
      const lines = watchLog('warn');
      const down = fail();
      const written = await write(shop);
      expect([written.status, written.body.code]).toEqual([503, 'unavailable']);
      expect(written.headers.get('retry-after')).toBe('1');
      expect(await count(8, () => read(shop))).toEqual({ 200: 5, 503: 3 });
      expect(lines()).toEqual(
        Array.from({ length: 5 }, () => ({
          event: 'limiter_unreachable',
          tenant: shop.tenantId,
          application: shop.applicationId,
        })),
      );
      down.mockRestore();
      nextLease();
      expect((await read(shop)).headers.get('x-ratelimit-remaining')).toBe('43');
      expect((await write(shop)).status).toBe(200);
    },
  );

  it('a token that was not verified in the last 60 seconds is refused', async () => {
    const shop = await limited(50);
    expect((await read(shop)).status).toBe(200);
    const stranger = await shop.register({ scopes: ['theme:read'] });
    watchLog('warn');
    vi.spyOn(RateLimiter.prototype, 'lease').mockRejectedValue(new Error('down'));
    const first = await read(shop, stranger.token);
    expect([first.status, first.body.code]).toEqual([503, 'unavailable']);
    nextLease();
    expect((await read(shop)).status).toBe(200);
    moveClock(60_000);
    expect((await read(shop)).status).toBe(503);
  });

  it('missing scopes and unlisted origins are still refused', async () => {
    const shop = await world({
      application: { scopes: ['theme:read'], allowed_origins: ['https://a.example'] },
    });
    await read(shop);
    nextLease();
    watchLog('warn');
    vi.spyOn(RateLimiter.prototype, 'lease').mockRejectedValue(new Error('down'));
    expect((await shop.get('/products')).body.code).toBe('insufficient_scope');
    const headers = { origin: 'https://b.example' };
    expect((await shop.get('/theme/options', { headers })).body.code).toBe('origin_not_allowed');
    expect((await read(shop)).status).toBe(200);
  });

  /** Delays the next calls of the limiter by these ms each, and later ones not at all. */
  const delayLeases = (delays: number[]) => {
    const lease = RateLimiter.prototype.lease;
    vi.spyOn(RateLimiter.prototype, 'lease').mockImplementation(async function (this: RateLimiter, request) {
      await scheduler.wait(delays.shift() ?? 0);
      return lease.call(this, request);
    });
  };

  it('a write calls again, once, if a call failed or came too late', async () => {
    const shop = await limited(50);
    await read(shop);
    nextLease();
    const failing = vi.spyOn(RateLimiter.prototype, 'lease').mockRejectedValueOnce(new Error('restarted'));
    expect((await write(shop)).status).toBe(200);
    failing.mockRestore();
    nextLease();
    delayLeases([3_000]);
    const writes = [write(shop)];
    // What arrives after the first call was given up waits for the second one too.
    await scheduler.wait(1_600);
    writes.push(write(shop));
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('a slow response is awaited up to the timeout', async () => {
    const shop = await limited(50);
    await read(shop);
    nextLease();
    const lines = watchLog('warn');
    // Far enough from the timeout for a busy machine.
    delayLeases([800, 3_000, 3_000]);
    expect((await write(shop)).status).toBe(200);
    expect(lines()).toEqual([]);
    nextLease();
    expect((await write(shop)).status).toBe(503);
    expect((await read(shop)).status).toBe(200);
    expect(lines()).toHaveLength(1);
  });
});
