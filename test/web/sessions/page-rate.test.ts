import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { serve } from '../../../src/app.ts';
import { now } from '../../../src/kernel/core/clock.ts';
import { recordedBindings } from '../../support/faults/bindings.ts';
import { asDeveloper, type Browser } from '../../support/fixtures/browser.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { ended } from './session-steps.ts';

/** The requests that a session may send at once. */
const BURST = 2_000;

/** Opens a page many times; returns the statuses that it got. */
async function openOften(browser: Browser, times: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let n = 0; n < times; n += 100) {
    const got = await Promise.all(Array.from({ length: 100 }, () => browser.get('/developer/people')));
    for (const { status } of got) statuses.add(status);
  }
  return statuses;
}

it('refuses the pages of a session that asks for too many, without a read of storage', async () => {
  const { browser, shop } = await ended();
  const colleague = await asDeveloper(shop.slug, undefined, 'colleague@example.com');
  stopClockAt(Date.now());
  expect(await openOften(browser, BURST)).toEqual(new Set([303]));
  const { env, calls } = recordedBindings();
  const refused = await browser
    .through(async (request) => {
      const ctx = createExecutionContext();
      const response = await serve(request, env, ctx);
      await waitOnExecutionContext(ctx);
      return response;
    })
    .get('/developer/people');
  expect([refused.status, refused.headers.get('retry-after'), calls]).toEqual([429, '1', []]);
  expect(refused.html).toContain('Too many requests');
  expect((await browser.post('/developer/people', {})).status).toBe(429);
  expect((await colleague.get('/developer/people')).status).toBe(200);
  stopClockAt(now() + 1_000);
  expect((await browser.get('/developer/people')).status).toBe(303);
});
