import { describe, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import {
  deliveries,
  emitEvent,
  objectOf,
  Receiver,
  respondWith,
  subscribe,
  until,
  untilNewestIs,
  verify,
} from '../../support/fixtures/webhooks.ts';
import { storeOf } from '../../support/runtime.ts';
import { send, world } from '../../support/world.ts';

const EVENTS = ['order.created', 'order.paid', 'order.cancelled', 'product.updated', 'stock.changed'];

describe('registering a webhook', () => {
  it('returns the secret once, and only its last four characters afterwards', async () => {
    const shop = await world();
    const made = await shop.post('/webhooks', { url: 'https://shop.example.org/hook', events: EVENTS });
    expect(made.status).toBe(201);
    const { secret, ...webhook } = made.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/);
    expect(webhook).toMatchObject({
      url: 'https://shop.example.org/hook',
      events: EVENTS,
      status: 'active',
      secret_preview: `whsec_****${secret.slice(-4)}`,
      paused_reason: null,
    });
    const list = await shop.get('/webhooks');
    expect(list.body).toEqual({ data: [webhook] });
    const patched = await shop.patch(`/webhooks/${webhook.id}`, {});
    expect([list, patched].map(({ body }) => JSON.stringify(body)).join()).not.toContain(secret);
    const stored = await storeOf(shop)
      .prepare('SELECT * FROM webhooks WHERE id = ?')
      .bind(webhook.id)
      .first();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
  });

  it('keeps a description, and removes it with null', async () => {
    const shop = await world();
    const body = { url: 'https://shop.example.org/hook', events: ['stock.changed'] };
    const made = await shop.post('/webhooks', { ...body, description: 'For the warehouse' });
    expect(made.body.description).toBe('For the warehouse');
    const path = `/webhooks/${made.body.id}`;
    expect((await shop.patch(path, { ordered: true })).body.description).toBe('For the warehouse');
    expect((await shop.patch(path, { description: null })).body.description).toBeNull();
    const refused = await shop.patch(path, { description: 'x'.repeat(256) });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['description']]);
  });

  it('happens once for an Idempotency-Key, with the same secret', async () => {
    const shop = await world();
    const body = { url: 'https://shop.example.org/hook', events: ['stock.changed'] };
    const headers = { 'idempotency-key': 'once' };
    const first = await shop.post('/webhooks', body, { headers });
    const again = await shop.post('/webhooks', body, { headers });
    expect(again.body).toEqual(first.body);
    expect((await shop.get('/webhooks')).body.data).toHaveLength(1);
  });

  it.each([
    [{}, ['url', 'events']],
    [{ url: 'https://shop.example.org', events: [] }, ['events']],
    [{ url: 'https://shop.example.org', events: ['order.shipped'] }, ['events.0']],
    [{ url: 'https://shop.example.org', events: ['order.paid'], secret: 'whsec_x' }, ['secret']],
    [{ url: 'https://shop.example.org', events: ['order.paid'], status: 'off' }, ['status']],
    [{ url: 'https://127.0.0.1/', events: ['order.paid'] }, ['url']],
    [{ url: 'https://api.example.com/v1/cart', events: ['order.paid'] }, ['url']],
    [{ url: 'http://shop.example.org', events: ['order.paid'] }, ['url']],
  ])('rejects %j', async (body, fields) => {
    const refused = await (await world()).post('/webhooks', body);
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_error' } });
    expect(Object.keys(refused.body.errors)).toEqual(fields);
  });

  it('requires the read scope of the events', async () => {
    const shop = await world();
    const { token } = await shop.register({
      kind: 'integration',
      scopes: ['webhooks:write', 'catalog:read'],
    });
    const url = 'https://shop.example.org/hook';
    const attempt = (events: string[]) => send('POST', '/v1/webhooks', { token, body: { url, events } });
    expect(await attempt(['order.paid'])).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', details: { required_scope: 'orders:read' } },
    });
    const { status: made, body } = await attempt(['stock.changed', 'product.updated', 'stock.changed']);
    expect(made).toBe(201);
    expect(body.events).toEqual(['stock.changed', 'product.updated']);
    const patch = (id: number, change: object) =>
      send('PATCH', `/v1/webhooks/${id}`, { token, body: change });
    expect((await patch(body.id, { events: EVENTS })).status).toBe(403);
    expect((await patch(body.id, { url: `${url}/2` })).status).toBe(200);
    // Whoever can't read orders can't have them sent to another place either.
    const { id } = await subscribe(shop, url, ['order.paid']);
    expect(await patch(id, { url: 'https://elsewhere.example.org/' })).toMatchObject({
      status: 403,
      body: { details: { required_scope: 'orders:read' } },
    });
  });

  it('requires the plan and its own scopes', async () => {
    const small = await world({ plan: 'starter' });
    expect(await small.get('/webhooks')).toMatchObject({ status: 403, body: { code: 'plan_not_allowed' } });
    const shop = await world();
    const { token } = await shop.register({ kind: 'integration', scopes: ['webhooks:read'] });
    expect((await send('GET', '/v1/webhooks', { token })).status).toBe(200);
    expect((await send('DELETE', '/v1/webhooks/1', { token })).body.code).toBe('insufficient_scope');
  });
});

describe('a registration', () => {
  it('is 404 for another tenant in every operation', async () => {
    const [shop, other] = [await world(), await world()];
    const { id } = await subscribe(shop, 'https://shop.example.org/hook');
    const range = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
    const answers = await Promise.all([
      other.patch(`/webhooks/${id}`, { status: 'paused' }),
      other.delete(`/webhooks/${id}`),
      other.post(`/webhooks/${id}/rotate-secret`),
      other.post(`/webhooks/${id}/ping`),
      other.get(`/webhooks/${id}/deliveries`),
      other.post(`/webhooks/${id}/deliveries/1/replay`),
      other.post(`/webhooks/${id}/replay`, range),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
    }
    expect((await other.get('/webhooks')).body).toEqual({ data: [] });
    expect((await shop.get('/webhooks')).body.data).toMatchObject([{ id, status: 'active' }]);
  });

  it('uses its new URL and events immediately', async () => {
    const [shop, before, after] = [await world(), new Receiver(), new Receiver()];
    const { id } = await subscribe(shop, before.url);
    await emitEvent(shop);
    await untilNewestIs(shop, id, 'delivered');
    const patched = await shop.patch(`/webhooks/${id}`, { url: after.url, events: ['product.updated'] });
    expect(patched.body).toMatchObject({ id, url: after.url, events: ['product.updated'], status: 'active' });
    await emitEvent(shop, 'stock.changed');
    const eventId = await emitEvent(shop, 'product.updated');
    await until(() => expect(after.ids).toEqual([eventId]));
    expect(before.received).toHaveLength(1);
  });

  it('rejects a hostile URL in a change, and keeps the old one', async () => {
    const shop = await world();
    const { id } = await subscribe(shop, 'https://shop.example.org/hook');
    const refused = await shop.patch(`/webhooks/${id}`, { url: 'https://[::1]/', status: 'paused' });
    expect(refused).toMatchObject({ status: 422, body: { errors: { url: [expect.any(String)] } } });
    expect((await shop.get('/webhooks')).body.data).toMatchObject([
      { url: 'https://shop.example.org/hook', status: 'active' },
    ]);
  });

  it('is deleted with its deliveries, also while one is being sent', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url);
    const hanging = Promise.withResolvers<Response>();
    receiver.respond = () => hanging.promise;
    await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    expect((await shop.delete(`/webhooks/${id}`)).status).toBe(204);
    expect((await shop.delete(`/webhooks/${id}`)).status).toBe(404);
    expect((await shop.get(`/webhooks/${id}/deliveries`)).status).toBe(404);
    hanging.resolve(new Response(null, { status: 500 }));
    const name = { tenantId: shop.tenantId, webhookId: id };
    const late = { eventId: 'evt_late', type: 'ping', occurredAt: 0, body: '{}' } as const;
    const object = objectOf(shop, id);
    expect(await object.accept(name, [late])).toEqual({ ok: false, reason: 'gone' });
    // Calls that began before the deletion find nothing, and nothing breaks.
    expect(await object.list({ limit: 20, offset: 0 })).toEqual({ rows: [], total: 0 });
    expect(await object.find('evt_late')).toEqual({ ok: false, reason: 'not_found' });
    expect(await object.replay(name, 1, [])).toEqual({ ok: false, reason: 'not_found' });
    expect(await object.replayRange(name, { from: 0, to: Date.now() }, [])).toEqual({
      ok: true,
      replayed: 0,
    });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('rotating a secret', () => {
  it('signs with both for 24 hours, then only with the new one', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id, secret: old } = await subscribe(shop, receiver.url);
    const rotated = await shop.post(`/webhooks/${id}/rotate-secret`);
    expect(rotated).toMatchObject({ status: 200, body: { id, status: 'active' } });
    const { secret: fresh, secret_preview } = rotated.body;
    expect(fresh).not.toBe(old);
    expect(secret_preview).toBe(`whsec_****${fresh.slice(-4)}`);
    await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    for (const request of receiver.received.splice(0)) for (const s of [old, fresh]) verify(s, request);
    moveClock(24 * 3_600_000 + 1_000);
    await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    for (const request of receiver.received) {
      verify(fresh, request);
      expect(() => verify(old, request)).toThrow(/signature/);
    }
  });

  it('happens once for an Idempotency-Key', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id, secret: old } = await subscribe(shop, receiver.url);
    const headers = { 'idempotency-key': 'rotate' };
    const first = await shop.post(`/webhooks/${id}/rotate-secret`, undefined, { headers });
    const again = await shop.post(`/webhooks/${id}/rotate-secret`, undefined, { headers });
    expect(again.body).toEqual(first.body);
    await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    for (const request of receiver.received) for (const s of [old, first.body.secret]) verify(s, request);
  });
});

describe('deliveries', () => {
  it('are pinged, listed, filtered and counted', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id, secret } = await subscribe(shop, receiver.url, ['stock.changed', 'product.updated']);
    const ping = await shop.post(`/webhooks/${id}/ping`);
    expect(ping).toMatchObject({ status: 200, body: { event: 'ping', status: expect.any(String) } });
    await untilNewestIs(shop, id, 'delivered');
    for (const request of receiver.received) {
      expect(verify(secret, request)).toMatchObject({ type: 'ping', data: { webhook_id: id } });
    }
    const stock = await emitEvent(shop, 'stock.changed');
    await until(async () => expect(await deliveries(shop, id, '?status=delivered')).toHaveLength(2));
    receiver.respond = respondWith(500);
    const product = await emitEvent(shop, 'product.updated');
    await untilNewestIs(shop, id, 'failed');
    const all = await shop.get(`/webhooks/${id}/deliveries?limit=2`);
    expect(all.body.meta).toMatchObject({ page: 1, limit: 2, total: 3, total_pages: 2 });
    expect(all.body.data.map((row: { event_id: string }) => row.event_id)).toEqual([product, stock]);
    const [second] = (await shop.get(`/webhooks/${id}/deliveries?limit=2&page=2`)).body.data;
    expect(second).toMatchObject({ event: 'ping', attempts: 1, response_status: 204 });
    expect(await deliveries(shop, id, '?status=failed')).toMatchObject([
      {
        event_id: product,
        log: [{ response_status: 500, error: 'status_not_2xx', response_body: 'answer 500' }],
      },
    ]);
    expect(await deliveries(shop, id, '?event=stock.changed')).toMatchObject([{ event_id: stock }]);
    expect(await deliveries(shop, id, '?event=stock.changed&status=failed')).toEqual([]);
    for (const query of ['status=lost', 'event=x', 'page=0', 'limit=101']) {
      expect((await shop.get(`/webhooks/${id}/deliveries?${query}`)).status, query).toBe(422);
    }
  });

  it('are replayed singly, with the same bytes under the same id', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id, secret } = await subscribe(shop, receiver.url);
    await emitEvent(shop);
    const delivered = await untilNewestIs(shop, id, 'delivered');
    const replayed = await shop.post(`/webhooks/${id}/deliveries/${delivered.id}/replay`);
    expect(replayed).toMatchObject({ status: 200, body: { id: delivered.id, event_id: delivered.event_id } });
    await until(() => expect(receiver.received).toHaveLength(2));
    for (const request of receiver.received) verify(secret, request);
    const [first, again] = receiver.received;
    expect(again?.body).toBe(first?.body);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(await untilNewestIs(shop, id, 'delivered')).toMatchObject({ attempts: 2 });
    const missing = await shop.post(`/webhooks/${id}/deliveries/999/replay`);
    expect(missing).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } });
  });

  it('are replayed by range', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await emitEvent(shop));
      moveClock(60_000);
    }
    await until(async () => expect(await deliveries(shop, id, '?status=delivered')).toHaveLength(3));
    const [, middle] = await deliveries(shop, id);
    const at = middle.occurred_at;
    expect((await shop.post(`/webhooks/${id}/replay`, { from: at, to: at })).body).toEqual({ replayed: 1 });
    await until(() => expect(receiver.ids).toEqual([...ids, middle.event_id]));
    for (const range of [{ from: at }, { from: at, to: '2020-01-01T00:00:00Z' }, { from: 'x', to: at }]) {
      expect((await shop.post(`/webhooks/${id}/replay`, range)).status).toBe(422);
    }
  });
});
