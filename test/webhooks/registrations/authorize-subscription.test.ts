import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { app } from '../../../src/app.ts';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import type { Scope } from '../../../src/kernel/core/scopes.ts';
import { CachedRegistration } from '../../../src/webhooks/object/cached-registration.ts';
import { beforeBatch, failStatements, STORES_RESPONSE } from '../../support/faults/database.ts';
import { asDeveloper, fieldsOf } from '../../support/fixtures/browser.ts';
import {
  deliveries,
  emitEvent,
  objectOf,
  Receiver,
  subscribe,
  until,
  untilNewestIs,
} from '../../support/fixtures/webhooks.ts';
import { listen } from '../../support/runtime/internet.ts';
import { type Options, send, type World, world } from '../../support/world.ts';

const EVER = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
const needs = (scope: Scope) => ({
  status: 403,
  body: { code: 'insufficient_scope', details: { required_scope: scope } },
});

/** Calls of an application that may write webhooks and read only what these scopes say. */
async function reading(shop: World, ...scopes: Scope[]) {
  const { token } = await shop.register({ kind: 'integration', scopes: ['webhooks:write', ...scopes] });
  return (method: string, path: string, body?: object, options: Options = {}) =>
    send(method, `/v1/webhooks${path && `/${path}`}`, { token, ...(body ? { body } : {}), ...options });
}

/** A tenant whose webhook has delivered an order, and a call by who can't read orders. */
async function shopWithOrder() {
  const [shop, receiver, thief] = [await world(), new Receiver(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url, ['order.paid']);
  await emitEvent(shop, 'order.paid', { email: 'ada@example.com' });
  const delivery = await untilNewestIs(shop, id, 'delivered');
  return { shop, receiver, thief, id, delivery, call: await reading(shop, 'catalog:read') };
}

describe('an application that cannot read orders', () => {
  it('gets no stored order through a new URL with other events and a replay', async () => {
    const { shop, id, thief, call } = await shopWithOrder();
    const moved = await call('PATCH', `${id}`, { url: thief.url, events: ['product.updated'] });
    const replayed = await call('POST', `${id}/replay`, EVER);
    expect([moved, replayed]).toMatchObject([needs('orders:read'), needs('orders:read')]);
    expect((await shop.get('/webhooks')).body.data).toMatchObject([{ events: ['order.paid'] }]);
    expect(thief.received).toEqual([]);
  });

  it('gets none by removing the events first, while deliveries are stored', async () => {
    const { id, thief, call, delivery } = await shopWithOrder();
    expect((await call('PATCH', `${id}`, { events: ['product.updated'] })).status).toBe(200);
    const attempts = () =>
      Promise.all([
        call('PATCH', `${id}`, { url: thief.url }),
        call('PATCH', `${id}`, { url: thief.url, events: ['stock.changed'] }),
        call('POST', `${id}/rotate-secret`),
        call('POST', `${id}/replay`, EVER),
        call('POST', `${id}/deliveries/${delivery.id}/replay`),
      ]);
    for (const refused of await attempts()) expect(refused).toMatchObject(needs('orders:read'));
    moveClock(29 * DAY);
    for (const refused of await attempts()) expect(refused).toMatchObject(needs('orders:read'));
    moveClock(3 * DAY);
    expect((await call('PATCH', `${id}`, { url: thief.url })).status).toBe(200);
    expect((await call('POST', `${id}/rotate-secret`)).status).toBe(200);
    expect(thief.received).toEqual([]);
  });

  it('sees no order in what a receiver echoed', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    receiver.respond = ({ body }) => new Response(body);
    const { id } = await subscribe(shop, receiver.url, ['order.paid', 'product.updated']);
    await emitEvent(shop, 'order.paid', { email: 'ada@example.com' });
    await untilNewestIs(shop, id, 'delivered');
    await emitEvent(shop, 'product.updated', { name: 'Mug' });
    await until(async () =>
      expect(await deliveries(shop, id)).toMatchObject(Array(2).fill({ status: 'delivered' })),
    );
    const call = await reading(shop, 'webhooks:read', 'catalog:read');
    const { data } = (await call('GET', `${id}/deliveries`)).body;
    expect(data.map(({ log }: { log: object[] }) => log)).toMatchObject([
      [{ response_status: 200, response_body: expect.stringContaining('Mug') }],
      [{ response_status: 200, response_body: null }],
    ]);
    expect(JSON.stringify(await deliveries(shop, id))).toContain('ada@example.com');
  });

  it('may replay a range without orders, and other deliveries', async () => {
    const { shop, id, receiver, call, delivery } = await shopWithOrder();
    await shop.patch(`/webhooks/${id}`, { events: ['order.paid', 'stock.changed'] });
    moveClock(60_000);
    const stock = await emitEvent(shop);
    await until(async () => expect(await deliveries(shop, id, '?status=delivered')).toHaveLength(2));
    const [{ id: other, occurred_at: at }] = await deliveries(shop, id);
    expect(await call('POST', `${id}/replay`, { from: at, to: at })).toMatchObject({ body: { replayed: 1 } });
    await until(() => expect(receiver.received).toHaveLength(3));
    expect((await call('POST', `${id}/deliveries/${other}/replay`)).status).toBe(200);
    await until(() => expect(receiver.ids.slice(1)).toEqual([stock, stock, stock]));
    expect(await call('POST', `${id}/deliveries/${delivery.id}/replay`)).toMatchObject(needs('orders:read'));
    expect((await call('POST', `${id}/ping`)).status).toBe(200);
  });

  it('replays no order that comes while the range is looked at', async () => {
    const shop = await world();
    const { id } = await subscribe(shop, new Receiver().url, ['order.paid']);
    const name = { tenantId: shop.tenantId, webhookId: id };
    const order = { eventId: 'evt_late', type: 'order.paid', occurredAt: 0, body: '{}' } as const;
    const refused = await runInDurableObject(objectOf(shop, id), async (object) => {
      vi.spyOn(CachedRegistration.prototype, 'current').mockImplementationOnce(async () => {
        await object.accept(name, [order]);
        return null;
      });
      return object.replayRange(name, { from: 0, to: Date.now() }, ['stock.changed']);
    });
    expect(refused).toEqual({ ok: false, reason: 'forbidden', type: 'order.paid' });
  });

  it('is checked against the events at the moment the URL is written', async () => {
    const shop = await world();
    const { id } = await subscribe(shop, 'https://shop.example.org/hook', ['stock.changed']);
    const { token } = await shop.register({
      kind: 'integration',
      scopes: ['webhooks:write', 'catalog:read'],
    });
    // While its host is looked up, somebody else subscribes the webhook to orders.
    listen('resolver.example.net', async () => {
      await shop.patch(`/webhooks/${id}`, { events: ['order.paid'] });
      return Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.215.14' }] });
    });
    const ctx = createExecutionContext();
    const request = new Request(`https://api.example.com/v1/webhooks/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://thief.example.org/' }),
    });
    const bindings = { ...env, DOH_URL: 'https://resolver.example.net/dns-query' };
    const answer = await app.fetch(request, bindings, ctx);
    await waitOnExecutionContext(ctx);
    expect({ status: answer.status, body: await answer.json() }).toMatchObject(needs('orders:read'));
    const [webhook] = (await shop.get('/webhooks')).body.data;
    expect(webhook).toMatchObject({ url: 'https://shop.example.org/hook', events: ['order.paid'] });
  });

  it('gets no secret of a webhook that it made and that sends orders by the time of a retry', async () => {
    const shop = await world();
    const call = await reading(shop, 'catalog:read');
    const body = { url: 'https://shop.example.org/hook', events: ['stock.changed'] };
    const headers = { 'idempotency-key': 'create' };
    const restore = failStatements(STORES_RESPONSE);
    const made = await call('POST', '', body, { headers });
    restore();
    await shop.patch(`/webhooks/${made.body.id}`, { events: ['order.paid'] });
    moveClock(31_000);
    expect(await call('POST', '', body, { headers })).toMatchObject(needs('orders:read'));
  });

  it('gets no secret that signs orders, also by a retry', async () => {
    const shop = await world();
    const { id } = await subscribe(shop, 'https://shop.example.org/hook', ['stock.changed']);
    const call = await reading(shop, 'catalog:read');
    const [{ secret_preview: before }] = (await shop.get('/webhooks')).body.data;
    beforeBatch(/previous_secret/, async () => {
      await shop.patch(`/webhooks/${id}`, { events: ['order.paid'] });
    });
    expect(await call('POST', `${id}/rotate-secret`)).toMatchObject(needs('orders:read'));
    expect((await shop.get('/webhooks')).body.data[0].secret_preview).toBe(before);
    // A repeat of a rotation whose answer got lost reads the secret, which signs orders by then.
    await shop.patch(`/webhooks/${id}`, { events: ['stock.changed'] });
    moveClock(32 * DAY);
    const headers = { 'idempotency-key': 'rotate' };
    const restore = failStatements(STORES_RESPONSE);
    expect((await call('POST', `${id}/rotate-secret`, undefined, { headers })).status).toBe(200);
    restore();
    await shop.patch(`/webhooks/${id}`, { events: ['order.paid'] });
    moveClock(31_000);
    expect(await call('POST', `${id}/rotate-secret`, undefined, { headers })).toMatchObject(
      needs('orders:read'),
    );
  });
});

it('applies to the catalogue as to orders', async () => {
  const shop = await world();
  const { id } = await subscribe(shop, 'https://shop.example.org/hook', ['product.updated']);
  const call = await reading(shop, 'orders:read');
  for (const refused of [
    await call('PATCH', `${id}`, { url: 'https://shop.example.org/2', events: ['order.paid'] }),
    await call('POST', `${id}/rotate-secret`),
  ]) {
    expect(refused).toMatchObject(needs('catalog:read'));
  }
});

it('lets a developer change URL and events and replay in the panel', async () => {
  const { shop, id, receiver } = await shopWithOrder();
  const other = new Receiver();
  const developer = await asDeveloper(shop.slug);
  const [edit, replay] = [`/developer/webhooks/${id}/edit`, `/developer/webhooks/${id}/replay`];
  const { html } = await developer.get(edit);
  const changes = { url: other.url, events: ['stock.changed'] };
  const saved = await developer.submit(edit, { ...fieldsOf(html, edit), ...changes });
  expect(saved.html).toContain('Saved.');
  const range = { from: '2020-01-01T00:00', to: '2100-01-01T00:00' };
  const { html: question } = await developer.get(replay);
  await developer.submit(replay, { ...fieldsOf(question, replay), ...range });
  await until(() => expect(other.ids).toEqual(receiver.ids));
});
