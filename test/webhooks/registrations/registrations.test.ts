import { describe, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith, interceptBindings } from '../../support/faults/bindings.ts';
import { afterBatch } from '../../support/faults/database.ts';
import { connectionLost } from '../../support/faults/injector.ts';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import {
  emitEvent,
  objectOf,
  Receiver,
  subscribe,
  until,
  untilNewestIs,
  verify,
} from '../../support/fixtures/webhooks.ts';
import { lazy } from '../../support/lazy.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { send, world } from '../../support/world.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

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
    const one = await shop.get(`/webhooks/${webhook.id}`);
    expect([one.status, one.body]).toEqual([200, webhook]);
    const patched = await shop.patch(`/webhooks/${webhook.id}`, {});
    expect([list, one, patched].map(({ body }) => JSON.stringify(body)).join()).not.toContain(secret);
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
    const refused = await (await untouched()).post('/webhooks', body);
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
      other.get(`/webhooks/${id}`),
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

  it('is deleted with its deliveries, though the call of its object fails at first', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url);
    await emitEvent(shop);
    await untilNewestIs(shop, id, 'delivered');
    let calls = 0;
    const breaking = interceptBindings(['WEBHOOK_ENDPOINT'], (name, call) => {
      if (name.endsWith('.purge') && ++calls === 1) throw connectionLost();
      return call();
    });
    expect((await fetchWith(breaking, 'DELETE', `/v1/webhooks/${id}`, shop.token)).status).toBe(204);
    expect(await objectOf(shop, id).list({ limit: 20, offset: 0 })).toEqual({ rows: [], total: 0 });
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

  it('again within 24 hours ends the signature of the first secret at once', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id, secret: first } = await subscribe(shop, receiver.url);
    const rotate = async () => (await shop.post(`/webhooks/${id}/rotate-secret`)).body.secret;
    const [second, third] = [await rotate(), await rotate()];
    await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    for (const request of receiver.received) {
      for (const secret of [second, third]) verify(secret, request);
      expect(() => verify(first, request)).toThrow(/signature/);
    }
    const { html } = await (await asDeveloper(shop.slug)).get(`/developer/webhooks/${id}/rotate-secret`);
    expect(html).toContain('Rotating again within these 24 hours ends the older signature at once');
  });

  it('returns to each of two callers the secret that they made', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url);
    const rotate = async () => (await shop.post(`/webhooks/${id}/rotate-secret`)).body.secret;
    let second = '';
    afterBatch(/previous_secret/, async () => {
      second = await rotate();
    });
    const first = await rotate();
    await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    for (const request of receiver.received) for (const secret of [first, second]) verify(secret, request);
    expect(first).not.toBe(second);
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
