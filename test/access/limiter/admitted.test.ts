/** A test's set-up waits for a busy machine, but hides no failure. */
import { afterEach, expect, it, vi } from 'vitest';
import { RateLimiter, Tenant } from '../../../src/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { failStatements } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { admitted } from '../../support/statuses.ts';
import { world } from '../../support/world.ts';

afterEach(() => vi.restoreAllMocks());

it('repeats a call that the limiter refuses for lack of time', async () => {
  const shop = await world();
  const lease = vi.spyOn(RateLimiter.prototype, 'lease');
  // The limiter is called twice for a request.
  for (const _ of [1, 2]) lease.mockResolvedValueOnce({ ok: false, reason: 'unavailable' });
  expect((await createProduct(shop)).status).toBe(201);
  expect(lease.mock.calls.length).toBeGreaterThan(2);
});

it('repeats every call that the limiter is too late for', async () => {
  const shop = await world();
  await shop.get('/theme/options');
  moveClock(2_000);
  const current = Tenant.prototype.current;
  let late = 2;
  const spy = vi.spyOn(Tenant.prototype, 'current').mockImplementation(async function (
    this: Tenant,
    ...asked
  ) {
    if (late-- > 0) await scheduler.wait(3_000);
    return current.apply(this, asked);
  });
  expect((await shop.patch('/theme/options', { font_family: 'Inter' })).status).toBe(200);
  expect(spy.mock.calls.length).toBeGreaterThan(1);
});

it('repeats no call whose failure is logged', async () => {
  const shop = await world();
  await shop.get('/theme/options');
  moveClock(2_000);
  failStatements(/insert into "?products/i);
  let calls = 0;
  const answer = await admitted(() => {
    calls += 1;
    return shop.post('/products', { name: 'Cup', type: 'simple', price: 1 });
  });
  expect([answer.status, answer.headers.has('retry-after'), calls]).toEqual([503, true, 1]);
});
