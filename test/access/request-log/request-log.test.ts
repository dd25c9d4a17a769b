import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { callById, callsOf } from '../../../src/access/index.ts';
import {
  BUSY_CALLS,
  FLUSH_INTERVAL_MS,
  flushEvery,
  recordCall,
} from '../../../src/access/request-log/recorder.ts';
import { RequestLog } from '../../../src/index.ts';
import { moveClock, now } from '../../../src/kernel/core/clock.ts';
import { TEST_FLUSH_INTERVAL_MS } from '../../support/runtime/request-log.ts';
import { admin, send, type World, world } from '../../support/world.ts';

/** What an application's request log holds, and what it must never hold. */

afterEach(() => vi.restoreAllMocks());

const nameOf = ({ tenantId, applicationId }: World) => ({ tenantId, applicationId });

/** The calls in the log, once it has this many. */
const logged = (shop: World, total: number, filter = {}) =>
  vi.waitFor(
    async () => {
      const found = await callsOf(env, nameOf(shop), { filter, page: 1, limit: 100 });
      expect(found?.total).toBe(total);
      return found?.calls ?? [];
    },
    { timeout: 30_000, interval: 50 },
  );

/** Spies on what the logs are sent; `own` returns how many of these calls are for a shop's application. */
function watchAppends(shop: World) {
  const append = vi.spyOn(RequestLog.prototype, 'append');
  const isOwn = ([{ tenantId, applicationId }]: Parameters<RequestLog['append']>) =>
    tenantId === shop.tenantId && applicationId === shop.applicationId;
  return { append, own: () => append.mock.calls.filter(isOwn).length };
}

/** Gathers calls for so long (ms) until the test ends. */
function flushInTestEvery(ms: number): void {
  flushEvery(ms);
  onTestFinished(() => flushEvery(TEST_FLUSH_INTERVAL_MS));
}

const call = (at: number, more: object = {}) => ({
  at,
  method: 'GET',
  route: '/v1/products',
  status: 200,
  ms: 3,
  id: crypto.randomUUID(),
  ...more,
});

it('logs what was called with its outcome, and neither query, parameters nor body', async () => {
  const shop = await world();
  const made = await shop.post('/products', { name: 'A private name', type: 'simple', price: 5 });
  const read = await shop.get(`/products/${made.body.id}?currency=EUR`);
  const missing = await shop.get('/products/999999999');
  const wrong = await shop.get('/products?limit=none');
  const calls = await logged(shop, 4);
  const shown = calls.map(({ method, route, status, id }) => [method, route, status, id]);
  expect(shown).toHaveLength(4);
  for (const expected of [
    ['POST', '/v1/products', 201, made.headers.get('x-request-id')],
    ['GET', '/v1/products/{id}', 200, read.headers.get('x-request-id')],
    ['GET', '/v1/products/{id}', 404, missing.body.request_id],
    ['GET', '/v1/products', 422, wrong.body.request_id],
  ]) {
    expect(shown).toContainEqual(expected);
  }
  for (const { at, ms } of calls) {
    expect(Math.abs(now() - at)).toBeLessThan(60_000);
    expect(ms).toBeGreaterThanOrEqual(0);
  }
  const stored = await runInDurableObject(
    env.REQUEST_LOG.getByName(`${shop.tenantId}:${shop.applicationId}`),
    (_, { storage }) => JSON.stringify(storage.sql.exec('SELECT calls FROM batches').toArray()),
  );
  for (const word of ['private', 'currency', '999999999', shop.token]) expect(stored).not.toContain(word);
});

it('logs reads that an isolate serves from memory', async () => {
  const shop = await world();
  await shop.get('/theme/options');
  const { id } = (await shop.post('/products', { name: 'Mug', type: 'simple', price: 5 })).body;
  moveClock(2_000);
  const answers = [];
  for (let n = 0; n < 5; n++) answers.push(await shop.get(`/products/${id}`));
  const calls = await logged(shop, 5, { route: '/v1/products/{id}' });
  expect(calls.map((one) => one.id).sort()).toEqual(
    answers.map(({ headers }) => headers.get('x-request-id')).sort(),
  );
});

it('logs refusals of a known application, and no unknown one', async () => {
  const shop = await world();
  const few = await shop.register({ scopes: ['cart:read'], rate_limit_per_minute: 1 });
  const own = { ...shop, applicationId: few.id };
  const scope = await send('GET', '/v1/products', { token: few.token });
  const limit = await send('GET', '/v1/products', { token: few.token });
  expect([scope.status, limit.status]).toEqual([403, 429]);
  const forged = few.token.slice(0, -1) + (few.token.endsWith('a') ? 'b' : 'a');
  expect((await send('GET', '/v1/products', { token: forged })).status).toBe(401);
  expect((await logged(own, 2)).map(({ status }) => status).sort()).toEqual([403, 429]);
});

it('gathers the calls of a second into one call of the log', async () => {
  const shop = await world();
  await logged(shop, 0);
  flushInTestEvery(FLUSH_INTERVAL_MS);
  const { own } = watchAppends(shop);
  const begun = Date.now();
  await Promise.all(Array.from({ length: 30 }, () => shop.get('/theme/options')));
  await logged(shop, 30);
  const seconds = Math.ceil((Date.now() - begun) / FLUSH_INTERVAL_MS);
  expect(own()).toBeLessThanOrEqual(1 + seconds);
});

it('gathers the calls of a busy application for longer', async () => {
  const shop = await world();
  const runtime = { env, ctx: createExecutionContext() };
  const record = () => recordCall(runtime, nameOf(shop), call(now()));
  flushInTestEvery(100);
  const { own } = watchAppends(shop);
  // Nothing can come between these calls, and timers fire in the order in which they are due.
  for (let n = 0; n < BUSY_CALLS; n++) record();
  await scheduler.wait(200);
  record();
  await logged(shop, BUSY_CALLS + 1);
  expect(own()).toBe(1);
});

it('serves calls while the log fails', async () => {
  const shop = await world();
  const { append, own } = watchAppends(shop);
  append.mockRejectedValue(new Error('down'));
  expect((await shop.get('/theme/options')).status).toBe(200);
  await vi.waitFor(() => expect(own()).toBeGreaterThan(0), 30_000);
  vi.restoreAllMocks();
  expect((await shop.get('/theme/options')).status).toBe(200);
  await logged(shop, 1);
});

it('finds a call by its request id among the applications of a tenant', async () => {
  const shop = await world();
  const other = await shop.register();
  const { body } = await shop.get('/products/999999999');
  await logged(shop, 1);
  const names = [{ tenantId: shop.tenantId, applicationId: other.id }, nameOf(shop)];
  expect(await callById(env, names, body.request_id)).toMatchObject({
    applicationId: shop.applicationId,
    call: { status: 404, route: '/v1/products/{id}' },
  });
  expect(await callById(env, names, crypto.randomUUID())).toBeNull();
});

it('logs calls of a suspended tenant', async () => {
  const shop = await world();
  await admin('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
  expect((await shop.get('/products')).status).toBe(403);
  expect((await logged(shop, 1))[0]).toMatchObject({ status: 403 });
});

it('shows an application its own calls, by filter, page and request id', async () => {
  const shop = await world();
  const missing = await shop.get('/products/999999999');
  await shop.get('/products');
  await logged(shop, 2);
  const all = (await shop.get('/requests?limit=1')).body;
  expect(all).toMatchObject({
    data: [{ method: 'GET', route: '/v1/products', status: 200 }],
    meta: { page: 1, limit: 1, total: 2, total_pages: 2, next_cursor: expect.any(String) },
  });
  const refused = (await shop.get('/requests?status=4xx&route=/v1/products/{id}')).body.data;
  const id = missing.headers.get('x-request-id');
  expect(refused).toMatchObject([{ request_id: id, status: 404, duration_ms: expect.any(Number) }]);
  expect((await shop.get(`/requests/${id}`)).body).toEqual(refused[0]);
  expect((await shop.get('/requests?page=99')).body.data).toEqual([]);
  const { token } = await shop.register({ kind: 'integration' });
  const other = await send('GET', `/v1/requests/${id}`, { token });
  expect([other.status, other.body.code]).toEqual([404, 'not_found']);
  const storefront = await shop.register({ kind: 'storefront' });
  expect((await send('GET', '/v1/requests', { token: storefront.token })).status).toBe(403);
});

it('is walked by cursor, each call once, while others are logged', async () => {
  const shop = await world();
  for (let n = 0; n < 5; n++) await shop.get('/theme/options');
  const ids = (await logged(shop, 5)).map(({ id }) => id);
  const walked: string[] = [];
  let cursor: string | null = null;
  let earlier = '';
  for (let page = 1; page <= 3; page++) {
    earlier = cursor ?? '';
    const answer = await shop.get(
      `/requests?limit=2&route=/v1/theme/options${cursor ? `&cursor=${cursor}` : ''}`,
    );
    expect(answer.body.meta).toMatchObject({ page });
    walked.push(...answer.body.data.map((one: { request_id: string }) => one.request_id));
    cursor = answer.body.meta.next_cursor;
    expect(cursor === null).toBe(page === 3);
    // The next page by number would show a call again.
    await shop.get('/theme/options');
    await logged(shop, 5 + page, { route: '/v1/theme/options' });
  }
  expect(walked).toEqual(ids);
  const both = await shop.get(`/requests?page=2&cursor=${earlier}`);
  expect([both.status, Object.keys(both.body.errors)]).toEqual([422, ['cursor']]);
});

it('lists HEAD requests by their method, as it names them', async () => {
  const shop = await world();
  const head = await send('HEAD', '/v1/products', { token: shop.token });
  expect(head.status).toBe(200);
  await logged(shop, 1, { method: 'HEAD' });
  const listed = await shop.get('/requests?method=HEAD');
  expect([listed.status, listed.body.data?.[0]?.method]).toEqual([200, 'HEAD']);
});
