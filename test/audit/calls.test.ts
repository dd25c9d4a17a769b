import { afterEach, describe, expect, it, vi } from 'vitest';
import { RateLimiter, Tenant } from '../../src/index.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { failStatements } from '../support/faults/database.ts';
import { asDeveloper, fill } from '../support/fixtures/browser.ts';
import { admin, send, type World, world } from '../support/world.ts';

/** What calls with a token leave in the audit log, and how the API shows it. */

afterEach(() => vi.restoreAllMocks());

const entries = async (shop: World, query = '') => (await shop.get(`/audit${query}`)).body.data;
const HOOK = { url: 'https://hooks.example.com/a', events: ['order.paid'], status: 'paused' };

it('records who changed a setting from what to what, and nothing that stayed', async () => {
  const shop = await world();
  const { tax } = (await shop.get('/settings')).body;
  const headers = { 'x-request-id': crypto.randomUUID() };
  const changed = await shop.patch('/settings', { tax: { ...tax, rate_percent: 19 } }, { headers });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const [entry] = await entries(shop, '?subject=settings');
  expect(entry).toMatchObject({
    action: 'updateSettings',
    subject: { kind: 'settings', id: null, name: null },
    actor: { kind: 'application', id: shop.applicationId, name: expect.stringMatching(/./) },
  });
  expect(entry.changes).toEqual([{ field: 'tax.rate_percent', old: String(tax.rate_percent), new: '19' }]);
  expect(entry.request_id).toBe(changed.headers.get('x-request-id'));
});

it('names what a call creates and deletes, once for a repeated call', async () => {
  const shop = await world();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const made = await shop.post('/webhooks', HOOK, { headers });
  await shop.post('/webhooks', HOOK, { headers });
  await shop.delete(`/webhooks/${made.body.id}`);
  const found = await entries(shop, '?subject=webhooks');
  expect(found.map(({ action, subject }: { action: string; subject: object }) => [action, subject])).toEqual([
    ['deleteWebhook', { kind: 'webhooks', id: String(made.body.id), name: 'hooks.example.com' }],
    ['createWebhook', { kind: 'webhooks', id: String(made.body.id), name: 'hooks.example.com' }],
  ]);
  expect(JSON.stringify(found)).not.toContain('whsec_');
});

it('finds a change by its subject, however the call spelled its path', async () => {
  const shop = await world();
  const { id } = (await shop.post('/webhooks', HOOK)).body;
  expect((await shop.patch('/%73ettings', { low_stock_threshold: 7 })).status).toBe(200);
  expect((await shop.delete(`/%77ebhooks/%30${id}`)).status).toBe(204);
  expect(await entries(shop, '?subject=settings')).toMatchObject([
    { action: 'updateSettings', changes: [{ field: 'low_stock_threshold', old: 'null', new: '7' }] },
  ]);
  expect(await entries(shop, '?subject=webhooks')).toMatchObject([
    { action: 'deleteWebhook', subject: { kind: 'webhooks', id: String(id) } },
    { action: 'createWebhook' },
  ]);
});

it("records the platform's changes in the log of the tenant", async () => {
  const shop = await world();
  const { id } = await shop.register();
  await admin('PATCH', `/tenants/${shop.slug}/applications/${id}`, { name: 'Till', status: 'passive' });
  const [entry] = await entries(shop);
  expect(entry).toMatchObject({
    action: 'updateTenantApplication',
    actor: { kind: 'platform', id: null, name: 'Platform API' },
    subject: { kind: 'applications', id: String(id) },
    changes: expect.arrayContaining([{ field: 'status', old: 'active', new: 'passive' }]),
  });
  const [, , created] = (await entries(shop, '?actor=platform')).toReversed();
  expect(created.action).toBe('createTenantApplication');
});

it('records no call for catalogue, orders or customers, and none that was refused', async () => {
  const shop = await world();
  await shop.post('/products', { name: 'Mug', type: 'simple', price: 12 });
  await shop.patch('/settings', { tax: { rate_percent: 'much' } });
  await shop.delete('/webhooks/999999999');
  expect(await entries(shop, `?actor=application:${shop.applicationId}`)).toEqual([]);
});

it('writes the entry and the change together: both or neither', async () => {
  const shop = await world();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const restore = failStatements(/insert into "audit_log"/i);
  expect((await shop.post('/webhooks', HOOK)).status).toBeGreaterThanOrEqual(500);
  restore();
  expect((await shop.get('/webhooks')).body.data).toEqual([]);
  expect(await entries(shop, '?subject=webhooks')).toEqual([]);
});

it('keeps the entry of a change whose response says that it may take a while to hold everywhere', async () => {
  const shop = await world();
  const { tax } = (await shop.get('/settings')).body;
  const down = vi.spyOn(Tenant.prototype, 'reload').mockRejectedValue(new Error('down'));
  const changed = await shop.patch('/settings', { tax: { ...tax, rate_percent: 19 } });
  down.mockRestore();
  expect(changed.status).toBe(503);
  expect((await shop.get('/settings')).body.tax.rate_percent).toBe(19);
  const [entry] = await entries(shop, '?subject=settings');
  expect(entry?.changes).toEqual([{ field: 'tax.rate_percent', old: String(tax.rate_percent), new: '19' }]);
});

it("keeps a person's entry of a token that was rotated, whatever the response says", async () => {
  const shop = await world();
  const owner = await asDeveloper(shop.slug);
  const { id } = await shop.register();
  const page = `/developer/applications/${id}`;
  await owner.get(page);
  const down = vi.spyOn(RateLimiter.prototype, 'reload').mockRejectedValue(new Error('down'));
  expect((await owner.post(`${page}/rotate`, {})).status).toBe(503);
  down.mockRestore();
  const rotated = await entries(shop, '?action=rotateApplicationToken');
  expect(rotated).toMatchObject([{ actor: { kind: 'panel' }, subject: { id: String(id) } }]);
});

describe('GET /v1/audit', () => {
  it('shows a person’s changes, with filters and pages, of one tenant alone', async () => {
    const [shop, other] = await Promise.all([world(), world()]);
    const owner = await asDeveloper(shop.slug);
    for (const colour of ['#aa0033', '#0033aa']) {
      await fill(owner, '/developer/theme', '/developer/theme', { 'colors.primary': colour });
    }
    const [newest, older] = await entries(shop, '?subject=theme');
    expect(newest.actor).toMatchObject({ kind: 'panel', name: 'Ada' });
    const person = `?actor=panel:${newest.actor.id}&action=updateThemeOptions`;
    const first = (await shop.get(`/audit${person}&limit=1`)).body;
    expect([first.data, first.meta.total]).toEqual([[newest], 2]);
    const second = (await shop.get(`/audit${person}&limit=1&cursor=${first.meta.next_cursor}`)).body;
    expect([second.data, second.meta.next_cursor]).toEqual([[older], null]);
    expect(await entries(shop, `${person}&from=${newest.at}`)).toContainEqual(newest);
    expect(await entries(shop, `${person}&to=2020-01-01T00:00:00Z`)).toEqual([]);
    expect(await entries(other, '?subject=theme')).toEqual([]);
  });

  it('finds the changes of one application, and those from an instant on or before it', async () => {
    const shop = await world();
    const till = await shop.register({ kind: 'integration' });
    await shop.patch('/settings', { low_stock_threshold: 7 });
    moveClock(1_000);
    await send('PATCH', '/v1/settings', { token: till.token, body: { low_stock_threshold: 8 } });
    const [newest, oldest] = await entries(shop, '?subject=settings');
    const found = (query: string) => entries(shop, `?subject=settings&${query}`);
    expect(await found(`actor=application:${till.id}`)).toEqual([newest]);
    expect(await found(`from=${newest.at}`)).toEqual([newest]);
    expect(await found(`to=${newest.at}`)).toEqual([oldest]);
  });

  it.each(['actor=ada', 'actor=panel', 'action=%27', 'from=yesterday', 'cursor=x'])(
    'refuses %s by name',
    async (query) => {
      const { status, body } = await (await world()).get(`/audit?${query}`);
      expect([status, Object.keys(body.errors)]).toEqual([422, [query.split('=')[0]]]);
    },
  );

  it('takes times of any time zone', async () => {
    const shop = await world();
    expect((await shop.patch('/settings', { low_stock_threshold: 7 })).status).toBe(200);
    const east = encodeURIComponent((await entries(shop, ''))[0].at.replace('Z', '+02:00'));
    // The same clock time in a zone east of Greenwich is an earlier instant.
    const found = async (query: string) => (await shop.get(`/audit?${query}`)).body.meta?.total;
    expect(await found(`from=${east}`)).toBe((await entries(shop, '')).length);
    expect(await found(`to=${east}`)).toBe(0);
  });

  it('is for tokens with settings:read', async () => {
    const shop = await world();
    const { token } = await shop.register({ scopes: ['settings:write'] });
    expect((await send('GET', '/v1/audit', { token })).status).toBe(403);
  });
});
