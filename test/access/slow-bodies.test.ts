import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { inTurn, learnSize } from '../../src/kernel/async/memory-turns.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { recordedBindings } from '../support/faults/bindings.ts';
import { holdBody, holdJsonBody } from '../support/faults/slow-request.ts';
import { PASSWORD, registerCustomer } from '../support/fixtures/selling/customers.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { admin, send, type World, world } from '../support/world.ts';

/** What was decided from a request's headers is decided again when its body was slow to arrive. */

afterEach(() => void vi.useRealTimers());

const shirt = { name: 'Shirt', type: 'simple', price: 10 };
/** Longer than any decision is trusted (ms). */
const SLOW = 3_000;

const application = (shop: World, patch: object) =>
  admin('PATCH', `/tenants/${shop.slug}/applications/${shop.applicationId}`, patch);

it.each([
  ['went passive', { status: 'passive' }, 401, 'unauthorized'],
  ['expired', { expires_at: '2020-01-01T00:00:00Z' }, 401, 'unauthorized'],
  ['lost the scope', { scopes: ['catalog:read'] }, 403, 'insufficient_scope'],
  [
    'may not be used from there any more',
    { allowed_origins: ['https://x.example.com'] },
    403,
    'origin_not_allowed',
  ],
] as const)('refuses a write whose token %s while its body arrived', async (_, patch, status, code) => {
  const shop = await world();
  const made = await shop.post('/products', shirt);
  const origin = { origin: 'https://shop.example.com' };
  const finish = await holdJsonBody(
    'PATCH',
    `/v1/products/${made.body.id}`,
    shop.token,
    { price: 1 },
    origin,
  );
  expect((await application(shop, patch)).status).toBe(200);
  moveClock(SLOW);
  expectProblem(await finish(), status, code);
  const reader = (await shop.register({ kind: 'integration' })).token;
  expect((await send('GET', `/v1/products/${made.body.id}`, { token: reader })).body.price).toBe(10);
});

it('refuses a write whose token went passive while others took the memory that it waits for', async () => {
  const shop = await world();
  const made = await shop.post('/products', shirt);
  const others = { tenantId: shop.tenantId, name: 'others' };
  learnSize(others, 8 * 1024 * 1024);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const running = inTurn(others, () => ended);
  const waiting = shop.patch(`/products/${made.body.id}`, { price: 1 });
  await scheduler.wait(200);
  expect((await application(shop, { status: 'passive' })).status).toBe(200);
  moveClock(SLOW);
  end();
  expectProblem(await waiting, 401, 'unauthorized');
  await running;
});

it('refuses a write of a tenant that is suspended while the body arrives', async () => {
  const shop = await world();
  const finish = await holdJsonBody('POST', '/v1/products', shop.token, shirt);
  await admin('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
  moveClock(SLOW);
  expectProblem(await finish(), 403, 'tenant_suspended');
});

it('refuses a change with a session that ended meanwhile', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const session = { 'x-customer-token': ada.token };
  const finish = await holdJsonBody('PATCH', '/v1/customers/me', shop.token, { name: 'Eve' }, session);
  const reset = await shop.post('/customers/password-resets', { email: ada.email });
  const fresh = await shop.post(`/customers/password-resets/${reset.body.token}`, {
    password: `${PASSWORD}!`,
  });
  expect(fresh.status).toBe(200);
  moveClock(SLOW);
  expectProblem(await finish(), 401, 'invalid_customer_token');
  const now = await shop.get('/customers/me', { headers: { 'x-customer-token': fresh.body.token } });
  expect(now.body.name).not.toBe('Eve');
});

it('starts no import if the application becomes passive while the file arrives', async () => {
  const shop = await world();
  const held = holdBody('POST', '/v1/imports/products', 'Handle,Title,Variant Price\ncup,Cup,10\n', {
    authorization: `Bearer ${shop.token}`,
    'content-type': 'text/csv',
  });
  await held.reached;
  await application(shop, { status: 'passive' });
  moveClock(SLOW);
  const response = await held.finish();
  expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([401, 'unauthorized']);
  const reader = (await shop.register({ kind: 'integration' })).token;
  expect((await send('GET', '/v1/imports', { token: reader })).body.meta.total).toBe(0);
});

it('counts a slow request once', async () => {
  const shop = await world({ application: { rate_limit_per_minute: 3 } });
  const finish = await holdJsonBody('PATCH', '/v1/theme/options', shop.token, { font_family: 'Inter' });
  moveClock(SLOW);
  expect((await finish()).status).toBe(200);
  expect((await shop.get('/theme/options')).status).toBe(200);
  expect((await shop.get('/theme/options')).status).toBe(200);
  expect((await shop.get('/theme/options')).status).toBe(429);
});

it('admits a slow write of a client at its limit: it was counted when it began', async () => {
  const shop = await world({ application: { rate_limit_per_minute: 2 } });
  const finish = await holdJsonBody('PATCH', '/v1/theme/options', shop.token, { font_family: 'Inter' });
  expect((await shop.get('/theme/options')).status).toBe(200);
  expect((await shop.get('/theme/options')).status).toBe(429);
  moveClock(SLOW);
  expect((await finish()).status).toBe(200);
});

it('answers 503 to a slow write that cannot be authorized again', async () => {
  const shop = await world();
  let away = false;
  const limiter = new Proxy(env.RATE_LIMITER, {
    get: (target, name) => {
      if (away && name === 'getByName') throw new Error('overloaded');
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const finish = await holdJsonBody(
    'PATCH',
    '/v1/theme/options',
    shop.token,
    { font_family: 'Inter' },
    {},
    {
      ...env,
      RATE_LIMITER: limiter,
    },
  );
  away = true;
  moveClock(SLOW);
  expectProblem(await finish(), 503, 'unavailable');
});

it('makes no further call for a fast body, and one to the limiter for a slow body', async () => {
  const shop = await world();
  stopClock();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${shop.token}` };
  for (const [delay, asked] of [
    [0, []],
    // The token was verified less than a second ago.
    [700, []],
    [SLOW, ['RATE_LIMITER.getByName', 'RATE_LIMITER.verify']],
  ] as const) {
    const bindings = recordedBindings();
    // A theme that has no such font: nothing is written, so all that is asked is who may do it.
    const held = holdBody('PATCH', '/v1/theme/options', '{"font_family":"<>"}', headers, bindings.env);
    await held.reached;
    const before = bindings.calls.length;
    moveClock(delay);
    expect((await held.finish()).status).toBe(422);
    expect(bindings.calls.slice(before)).toEqual(asked);
  }
});

it('waits at most 30 seconds for a stalled body', async () => {
  const shop = await world();
  await shop.get('/theme/options');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${shop.token}` };
  const held = holdBody('PATCH', '/v1/theme/options', '{"font_family":"Inter"}', headers);
  await held.reached;
  await vi.advanceTimersByTimeAsync(29_000);
  const early = await Promise.race([held.response(), Promise.resolve('waiting')]);
  expect(early).toBe('waiting');
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  const response = await held.response();
  expect([response.status, response.headers.get('cache-control')]).toEqual([408, 'no-store']);
});

it('aborts a body after 30 seconds, and an import after ten minutes', async () => {
  const shop = await world();
  const json = await holdJsonBody('PATCH', '/v1/theme/options', shop.token, { font_family: 'Inter' });
  moveClock(29_000);
  expect((await json()).status).toBe(200);
  const late = await holdJsonBody('PATCH', '/v1/theme/options', shop.token, { font_family: 'Late' });
  moveClock(31_000);
  expectProblem(await late(), 408, 'request_timeout');
  expect((await shop.get('/theme/options')).body.font_family).toBe('Inter');
  const csv = { authorization: `Bearer ${shop.token}`, 'content-type': 'text/csv' };
  for (const [minutes, status] of [
    [9, 202],
    [11, 408],
  ] as const) {
    const held = holdBody('POST', '/v1/imports/products', 'Handle,Title,Variant Price\ncup,Cup,10\n', csv);
    await held.reached;
    moveClock(minutes * 60_000);
    expect((await held.finish()).status).toBe(status);
  }
  expect((await shop.get('/imports')).body.meta.total).toBe(1);
});
