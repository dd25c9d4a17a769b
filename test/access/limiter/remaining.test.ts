import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LimitView } from '../../../src/access/limiter/limit-view.ts';
import { SlidingWindow } from '../../../src/access/limiter/sliding-window.ts';
import { TokenLimiter } from '../../../src/access/limiter/token-limiter.ts';
import { LeaseIds } from '../../../src/access/limiter/window-store.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { random } from '../../support/seeded-random.ts';
import { admin, send, type World, world } from '../../support/world.ts';
import { factsWith } from './limiter-model.ts';

/** The rate limit in responses: it falls over all tokens of an application, and no wait is longer than the window. */

const own = (shop: World) => `/tenants/${shop.slug}/applications/${shop.applicationId}`;
const reads = (token: string) => send('GET', '/v1/theme/options', { token });
const said = (headers: Headers) => {
  const [, r, t] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { r: Number(r), t: Number(t) };
};

it('decreases by one with each request, across both tokens of a rotation', async () => {
  const shop = await world();
  const tokens = [shop.token, (await admin('POST', `${own(shop)}/rotate`)).body.token];
  const left: number[] = [];
  for (let n = 0; n < 120; n++) {
    const { headers } = await reads(tokens[n % 7 < 3 ? 0 : 1]);
    left.push(said(headers).r);
    expect(said(headers).t).toBeLessThanOrEqual(60);
    if (n % 40 === 39) moveClock(1_200);
  }
  expect(left).toEqual(left.map((_, n) => (left[0] ?? 0) - n));
});

it('never gives a Retry-After longer than the window', async () => {
  const shop = await world({ application: { rate_limit_per_minute: 3 } });
  for (let n = 0; n < 6; n++) {
    const { status, headers } = await reads(shop.token);
    const { r, t } = said(headers);
    expect(t).toBeLessThanOrEqual(60);
    expect(t).toBeGreaterThan(0);
    if (status === 429) expect([r, headers.get('retry-after')]).toEqual([0, String(t)]);
  }
});

/** One application's limiter, and isolates that hold two of its tokens each; calls take no time. */
class Shop {
  at = 1_700_000_000_000;
  private readonly ledger = new SlidingWindow();
  private readonly ids = new LeaseIds();
  readonly isolates: TokenLimiter[][];

  constructor(
    private readonly limit: number,
    isolates: number,
  ) {
    const identity = { tenantId: 1, applicationId: 1, hash: '' };
    this.isolates = Array.from({ length: isolates }, () => {
      const view = new LimitView();
      return [new TokenLimiter(identity, view), new TokenLimiter(identity, view)];
    });
  }

  /** Returns the rate limit of a response: how many requests remain, and for how long that holds (ms). */
  request(holder: TokenLimiter): { r: number; until: number } {
    const { at, limit, ledger } = this;
    const arriving = holder.admitArriving(at);
    if (arriving) {
      if (holder.runsOut(at)) this.lease(holder, 0);
      return { r: arriving.remaining, until: at + arriving.resetIn * 1000 };
    }
    const answer = this.lease(holder, 1);
    const waited = answer ? holder.admitWaiting(at) : null;
    if (waited) return { r: waited.remaining, until: at + waited.resetIn * 1000 };
    const wait = ledger.freesIn(at, 1 - (limit - ledger.counted(at)));
    return { r: 0, until: at + Math.min(60_000, wait) };
  }

  private lease(holder: TokenLimiter, waiting: number): boolean {
    const { at, limit, ledger } = this;
    holder.waiting = waiting;
    const request = holder.request(at);
    ledger.settle(request.reports);
    const grant = ledger.grant({ waiting, ahead: request.ahead }, { limit, at, id: this.ids.next(at) });
    const free = limit - ledger.counted(at);
    const known = factsWith(limit);
    const answer = grant
      ? { ok: true as const, principal: known, grant, remaining: free, freesIn: ledger.freesIn(at, 1) }
      : {
          ok: false as const,
          reason: 'rate_limited' as const,
          principal: known,
          retryIn: Math.max(1, ledger.freesIn(at, 1 - free)),
        };
    holder.applyAnswer({ request, askedAt: at }, answer, at);
    return answer.ok;
  }
}

it('never increases within a window for a client of one isolate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 600 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer(),
      (limit, isolates, seed) => {
        const chance = random(seed);
        const shop = new Shop(limit, isolates);
        const last = shop.isolates.map(() => ({ r: Number.POSITIVE_INFINITY, until: 0 }));
        for (let n = 0; n < 600; n++) {
          shop.at += Math.floor(chance() * (chance() < 0.05 ? 5_000 : 40_000 / limit));
          const isolate = Math.floor(chance() * isolates);
          const holder = shop.isolates[isolate]?.[chance() < 0.5 ? 0 : 1];
          const before = last[isolate];
          if (!holder || !before) continue;
          const now = shop.request(holder);
          // The header has whole seconds: the last one of a window may be over before it ends.
          if (shop.at < before.until - 1_000) expect(now.r).toBeLessThanOrEqual(before.r);
          expect(now.until - shop.at).toBeLessThanOrEqual(60_000);
          last[isolate] = now;
        }
      },
    ),
    { numRuns: 100 },
  );
});
