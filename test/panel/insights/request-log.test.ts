import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { batchOf } from '../../../src/access/request-log/call-record.ts';
import { RequestLog } from '../../../src/index.ts';
import { hourOf } from '../../../src/insights/index.ts';
import { now } from '../../../src/kernel/core/clock.ts';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import { type World, world } from '../../support/world.ts';

/** The request log as a developer sees it. */

const HERE = '/developer/request-log';

/** Puts calls into the log of the shop's application, the last one newest. */
async function fillLog(shop: World, calls: readonly object[]) {
  const at = now() - 1_000;
  const record = { method: 'GET', route: '/v1/products', status: 200, ms: 3 };
  const { tenantId, applicationId } = shop;
  await env.REQUEST_LOG.getByName(`${tenantId}:${applicationId}`).append(
    { tenantId, applicationId },
    batchOf(
      calls.map((call, n) => ({ ...record, id: crypto.randomUUID(), at: at + n, ...call })),
      { start: hourOf(at), calls: calls.length, clientErrors: 0, serverErrors: 0 },
    ),
  );
}

it('shows requests, filters them, and keeps the filter from page to page', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  await fillLog(shop, [
    { method: 'POST', route: '/v1/cart/{cart_token}/items', status: 409, ms: 41 },
    ...Array.from({ length: 20 }, () => ({ status: 404, route: '/v1/products/{id}' })),
    { status: 503 },
  ]);
  const all = (await developer.get(HERE)).html;
  expect(all).toContain('Page 1 of 2 (22 in total)');
  expect(all).toContain('<option value="/v1/cart/{cart_token}/items">');
  const one = (await developer.get(`${HERE}?status=4xx&method=POST`)).html;
  expect(one).toContain('POST /v1/cart/{cart_token}/items</code>');
  expect(one).toContain('41 ms');
  expect(one).toContain('1 in total');
  const missing = (await developer.get(`${HERE}?status=4xx&route=/v1/products/{id}`)).html;
  const next = /rel="next" href="([^"]+)"/.exec(missing)?.[1]?.replaceAll('&amp;', '&') ?? 'none';
  const second = (await developer.get(next)).html;
  expect(second).toContain('Page 2 of 2 (20 in total)');
  expect(second).toContain('<option value="4xx" selected="">');
  const none = (await developer.get(`${HERE}?status=3xx`)).html;
  expect(none).toContain('No request of the last 1,000 matches.');
});

it("finds a request by the id that an error names, whichever application's it is", async () => {
  const shop = await world();
  await shop.register();
  const developer = await asDeveloper(shop.slug);
  const { body } = await shop.get('/products/999999999');
  const found = await vi.waitFor(async () => {
    const { html } = await developer.get(`${HERE}?request=${body.request_id}`);
    expect(html).toContain('404</span>');
    return html;
  }, 30_000);
  expect(found).toContain('GET /v1/products/{id}</code>');
  const gone = (await developer.get(`${HERE}?request=${crypto.randomUUID()}`)).html;
  expect(gone).toContain('No request with this id');
});

it('shows only the own tenant, and says so when there is nothing', async () => {
  const [shop, other] = [await world(), await world()];
  const developer = await asDeveloper(shop.slug);
  await fillLog(other, [{ id: 'of-another-tenant' }]);
  expect((await developer.get(`${HERE}?application=${other.applicationId}`)).status).toBe(404);
  expect((await developer.get(`${HERE}?request=of-another-tenant`)).html).toContain(
    'No request with this id',
  );
  expect((await developer.get(HERE)).html).toContain('No requests in the last 30 days.');
});

it('is a 503 page while the log cannot be reached', async () => {
  const shop = await world();
  const developer = await asDeveloper(shop.slug);
  const down = vi.spyOn(RequestLog.prototype, 'find').mockRejectedValue(new Error('down'));
  const { status, html } = await developer.get(HERE);
  down.mockRestore();
  expect([status, html.includes('The request log cannot be reached.')]).toEqual([503, true]);
});
