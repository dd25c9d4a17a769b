import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { serve } from '../../../src/app.ts';
import { now } from '../../../src/kernel/core/clock.ts';
import { secondsToNextPage } from '../../../src/web/sessions/page-rate.ts';
import { recordedBindings } from '../../support/faults/bindings.ts';
import { asDeveloper, type Browser } from '../../support/fixtures/browser.ts';
import { stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { ended } from './session-steps.ts';

/** How many requests a session may send at once. */
const BURST = 2_000;

/** Counts as many requests of the browser's session as it may send; returns how many that are. */
function useUp(browser: Browser): number {
  const [id = ''] = browser.cookies.get('__Host-sfe-developer')?.split('.') ?? [];
  let sent = 0;
  while (sent <= BURST && secondsToNextPage({ id, note: '' }) === 0) sent += 1;
  return sent;
}

it('refuses the pages of a session that asks for too many, without a read of storage', async () => {
  const { browser, shop } = await ended();
  const colleague = await asDeveloper(shop.slug, undefined, 'colleague@example.com');
  stopClockAt(Date.now());
  expect((await browser.get('/developer/people')).status).toBe(303);
  expect(useUp(browser)).toBeGreaterThan(BURST - 10);
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
