import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { beforeRun } from '../../support/faults/database.ts';
import {
  advanceAndRunAlarm,
  deliveries,
  emitEvent,
  objectOf,
  Receiver,
  respondWith,
  until,
  untilNewestIs,
  withResolver,
} from '../../support/fixtures/webhooks.ts';
import { admin, type World } from '../../support/world.ts';
import { shopWithWebhook } from './shop-with-webhook.ts';

/** Has the webhook's object look its host up; returns what waits for the look-up, and what answers it. */
async function slowResolver(shop: World, webhookId: number) {
  let [isAsked, isOpen] = [false, false];
  await withResolver(shop, webhookId, async () => {
    isAsked = true;
    while (!isOpen) await scheduler.wait(20);
    return Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] });
  });
  return {
    asked: () => until(() => expect(isAsked).toBe(true)),
    answer: () => {
      isOpen = true;
    },
  };
}

const changePlan = async ({ slug }: World, plan: string) =>
  expect((await admin('PATCH', `/tenants/${slug}`, { plan })).status).toBe(200);

describe('pausing a webhook', () => {
  it('sends nothing after the response, though an attempt has begun before', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const resolver = await slowResolver(shop, webhook.id);
    const eventId = await emitEvent(shop);
    await resolver.asked();
    expect((await shop.patch(`/webhooks/${webhook.id}`, { status: 'paused' })).status).toBe(200);
    resolver.answer();
    await until(async () => expect(await deliveries(shop, webhook.id)).toMatchObject([{ attempts: 0 }]));
    expect(receiver.received).toEqual([]);
    expect((await shop.patch(`/webhooks/${webhook.id}`, { status: 'active' })).status).toBe(200);
    await until(() => expect(receiver.ids).toEqual([eventId]));
  });

  it('sends nothing to the former URL of a webhook, though an attempt has begun before', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const [resolver, next] = [await slowResolver(shop, webhook.id), new Receiver()];
    const eventId = await emitEvent(shop);
    await resolver.asked();
    expect((await shop.patch(`/webhooks/${webhook.id}`, { url: next.url })).status).toBe(200);
    resolver.answer();
    await until(() => expect(next.ids).toEqual([eventId]));
    expect(receiver.received).toEqual([]);
  });

  it('sends no events meanwhile; activation does not send them, a replay does', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const before = await emitEvent(shop);
    const first = await untilNewestIs(shop, webhook.id, 'delivered');
    const paused = await shop.patch(`/webhooks/${webhook.id}`, { status: 'paused' });
    expect(paused.body).toMatchObject({ status: 'paused', paused_reason: 'requested' });
    const held = await emitEvent(shop);
    expect(await untilNewestIs(shop, webhook.id, 'held')).toMatchObject({
      attempts: 0,
      next_attempt_at: null,
    });
    const range = { from: first.occurred_at, to: new Date(Date.now() + 30 * DAY).toISOString() };
    await shop.patch(`/webhooks/${webhook.id}`, { status: 'active' });
    await runDurableObjectAlarm(objectOf(shop, webhook.id));
    expect(receiver.ids).toEqual([before]);
    const replayed = await shop.post(`/webhooks/${webhook.id}/replay`, range);
    expect(replayed.body).toEqual({ replayed: 2 });
    await until(() => expect(receiver.received).toHaveLength(3));
    expect(receiver.ids.slice(1).sort()).toEqual([before, held].sort());
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(2);
  });

  it('lasts for as long as the plan has no webhooks: a replay sends what happened meanwhile', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const before = await emitEvent(shop);
    const first = await untilNewestIs(shop, webhook.id, 'delivered');
    await changePlan(shop, 'starter');
    // The time after which the webhook's object reads its registration again.
    moveClock(MINUTE);
    const held = await emitEvent(shop);
    await until(async () => {
      const [found] = (await objectOf(shop, webhook.id).list({ limit: 1, offset: 0 })).rows;
      expect(found).toMatchObject({ eventId: held, status: 'held' });
    });
    await changePlan(shop, 'growth');
    moveClock(MINUTE);
    const after = await emitEvent(shop);
    await until(() => expect(receiver.ids).toEqual([before, after]));
    const range = { from: first.occurred_at, to: new Date(Date.now() + 30 * DAY).toISOString() };
    expect((await shop.post(`/webhooks/${webhook.id}/replay`, range)).body).toEqual({ replayed: 3 });
    await until(() => expect(receiver.ids).toContain(held));
  });

  it('postpones pending retries until it is active again', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    const eventId = await emitEvent(shop);
    const failed = await untilNewestIs(shop, webhook.id, 'failed');
    expect(failed.next_attempt_at).not.toBeNull();
    await shop.patch(`/webhooks/${webhook.id}`, { status: 'paused' });
    for (const path of ['deliveries?status=failed', `deliveries/${failed.id}`]) {
      const { body } = await shop.get(`/webhooks/${webhook.id}/${path}`);
      expect(body.data?.[0] ?? body).toMatchObject({ id: failed.id, next_attempt_at: null });
    }
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    expect(receiver.received).toHaveLength(1);
    receiver.respond = respondWith(204);
    await shop.patch(`/webhooks/${webhook.id}`, { status: 'active' });
    await until(() => expect(receiver.ids).toEqual([eventId, eventId]));
  });

  it('ends with the pause by the plan for what was to be retried, also without another event', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    const eventId = await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'failed');
    await changePlan(shop, 'starter');
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    expect(receiver.received).toHaveLength(1);
    await changePlan(shop, 'growth');
    receiver.respond = respondWith(204);
    const soon = await runInDurableObject(objectOf(shop, webhook.id), (_, { storage }) => storage.getAlarm());
    expect((soon ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(HOUR);
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    await until(() => expect(receiver.ids).toEqual([eventId, eventId]));
  });

  it('does not follow one by the plan at the first failure: its days are none of failures', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'failed');
    await changePlan(shop, 'starter');
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    moveClock(6 * DAY);
    await changePlan(shop, 'growth');
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    await until(() => expect(receiver.received).toHaveLength(2));
    expect((await shop.get('/webhooks')).body.data).toMatchObject([{ status: 'active' }]);
  });

  it('happens immediately after 410, and is reported', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    receiver.respond = respondWith(410);
    await emitEvent(shop);
    await until(async () => {
      const list = await shop.get('/webhooks');
      expect(list.body.data).toMatchObject([{ status: 'paused', paused_reason: 'gone' }]);
    });
    const logged = { event: 'webhook_paused', tenant: shop.tenantId, webhook: webhook.id, reason: 'gone' };
    await until(() => expect(warn).toHaveBeenCalledWith(JSON.stringify(logged)));
    warn.mockRestore();
    await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'held');
    await advanceAndRunAlarm(shop, webhook.id, DAY);
    expect(receiver.received).toHaveLength(1);
    expect((await shop.patch(`/webhooks/${webhook.id}`, { status: 'active' })).body.paused_reason).toBeNull();
  });

  it('happens after five days of failures without a success', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'failed');
    await advanceAndRunAlarm(shop, webhook.id, 4 * DAY);
    receiver.respond = respondWith(204);
    await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'delivered');
    receiver.respond = respondWith(500);
    await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'failed');
    await advanceAndRunAlarm(shop, webhook.id, 5 * DAY - HOUR);
    expect((await shop.get('/webhooks')).body.data).toMatchObject([{ status: 'active' }]);
    await advanceAndRunAlarm(shop, webhook.id, 2 * HOUR);
    expect((await shop.get('/webhooks')).body.data).toMatchObject([
      { status: 'paused', paused_reason: 'failing' },
    ]);
  });
  it('is not caused by what the former URL responds after the change', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    let isOpen = false;
    receiver.respond = async () => {
      while (!isOpen) await scheduler.wait(20);
      return new Response(null, { status: 410 });
    };
    await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    const next = new Receiver();
    expect((await shop.patch(`/webhooks/${webhook.id}`, { url: next.url })).status).toBe(200);
    isOpen = true;
    await untilNewestIs(shop, webhook.id, 'failed');
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    expect((await shop.get('/webhooks')).body.data).toMatchObject([{ status: 'active' }]);
    await until(() => expect(next.received).toHaveLength(1));
  });

  it('is not caused by what the former URL responded just before the change', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const next = new Receiver();
    receiver.respond = respondWith(410);
    const changed = beforeRun(/^update "webhooks" set "status"/, async () => {
      expect((await shop.patch(`/webhooks/${webhook.id}`, { url: next.url })).status).toBe(200);
    });
    await emitEvent(shop);
    await changed;
    const held = await emitEvent(shop);
    await until(() => expect(next.ids).toContain(held));
    expect((await shop.get('/webhooks')).body.data).toMatchObject([{ status: 'active', url: next.url }]);
  });
});
