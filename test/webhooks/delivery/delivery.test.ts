import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { CachedRegistration } from '../../../src/webhooks/object/cached-registration.ts';
import { runCron } from '../../support/cron.ts';
import { evict } from '../../support/faults/injector.ts';
import {
  advanceAndRunAlarm,
  commitEvent,
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
import { world } from '../../support/world.ts';

async function shopWithWebhook() {
  const [shop, receiver] = [await world(), new Receiver()];
  const webhook = await subscribe(shop, receiver.url);
  return { shop, receiver, webhook };
}

describe('a delivery', () => {
  it('sends the signed event to every subscribed webhook and no other', async () => {
    const shop = await world();
    const [stock, orders, paused] = [new Receiver(), new Receiver(), new Receiver()];
    const webhook = await subscribe(shop, stock.url);
    await subscribe(shop, orders.url, ['order.created']);
    await subscribe(shop, paused.url, ['stock.changed'], { status: 'paused' });
    const elsewhere = await shopWithWebhook();
    const id = await emitEvent(shop, 'stock.changed', { sku: 'A-1', new_stock: 4 });
    await until(() => expect(stock.received).toHaveLength(1));
    const [request] = stock.received;
    if (!request) throw new Error('unreachable');
    expect(verify(webhook.secret, request)).toEqual({
      id,
      type: 'stock.changed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {
        sku: 'A-1',
        new_stock: 4,
        sequence: expect.any(Number),
        occurred_at: expect.stringMatching(/Z$/),
      },
    });
    expect(request.headers.get('webhook-id')).toBe(id);
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(request.redirect).toBe('manual');
    await untilNewestIs(shop, webhook.id, 'delivered');
    expect([orders, paused, elsewhere.receiver].map(({ received }) => received.length)).toEqual([0, 0, 0]);
  });

  it('arrives once, however often its message is delivered', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const eventId = await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'delivered');
    const { WEBHOOK_QUEUE } = (await import('cloudflare:workers')).env;
    await WEBHOOK_QUEUE.send({ tenantId: shop.tenantId, eventId });
    const second = await emitEvent(shop);
    await until(() => expect(receiver.ids).toContain(second));
    expect(receiver.ids).toEqual([eventId, second]);
  });

  it('is attempted ten times over at least 75 hours, then is dead', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    const eventId = await emitEvent(shop);
    let delivery = await untilNewestIs(shop, webhook.id, 'failed');
    const started = Date.parse(delivery.log[0].started_at);
    for (let attempt = 2; attempt <= 10; attempt++) {
      const due = Date.parse(delivery.next_attempt_at);
      const last = Date.parse(delivery.log.at(-1).started_at);
      await advanceAndRunAlarm(shop, webhook.id, due - last - 1_000);
      expect(receiver.received).toHaveLength(attempt - 1);
      await advanceAndRunAlarm(shop, webhook.id, 3_000);
      expect(receiver.received).toHaveLength(attempt);
      [delivery] = await deliveries(shop, webhook.id);
    }
    expect(delivery).toMatchObject({ status: 'dead', attempts: 10, response_status: 500 });
    expect(delivery.next_attempt_at).toBeNull();
    expect(Date.parse(delivery.log.at(-1).started_at) - started).toBeGreaterThanOrEqual(75 * HOUR);
    expect(new Set(receiver.ids)).toEqual(new Set([eventId]));
    for (const request of receiver.received.slice(-1)) verify(webhook.secret, request);
    await advanceAndRunAlarm(shop, webhook.id, 2 * DAY);
    expect(receiver.received).toHaveLength(10);
  });

  it.each([
    ['a redirect', respondWith(302, { location: 'https://169.254.169.254/' }), 'redirect_not_followed'],
    ['an error', respondWith(503), 'status_not_2xx'],
    ['no connection', () => Promise.reject(new TypeError('refused')), 'no_connection'],
  ])('fails on %s, and a later success delivers it', async (_name, respond, error) => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respond;
    const eventId = await emitEvent(shop);
    const failed = await untilNewestIs(shop, webhook.id, 'failed');
    expect(failed.log).toMatchObject([{ error }]);
    receiver.respond = respondWith(200);
    await advanceAndRunAlarm(shop, webhook.id, 10_000);
    const delivered = await untilNewestIs(shop, webhook.id, 'delivered');
    expect(delivered).toMatchObject({ event_id: eventId, attempts: 2, response_status: 200 });
    expect(delivered.delivered_at).not.toBeNull();
    expect(receiver.ids).toEqual([eventId, eventId]);
  });

  it('times out after 15 seconds', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const timers = vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await emitEvent(shop);
      await until(() => expect(receiver.received).toHaveLength(1));
      // A timer of the object must fire inside of it.
      const advance = (ms: number) =>
        runInDurableObject(objectOf(shop, webhook.id), () => void timers.advanceTimersByTime(ms));
      await advance(14_000);
      expect(receiver.received[0]?.signal?.aborted).toBe(false);
      await advance(1_000);
      expect(receiver.received[0]?.signal?.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
    const failed = await untilNewestIs(shop, webhook.id, 'failed');
    expect(failed.log).toMatchObject([{ error: 'timeout', response_status: null }]);
  });

  it('shows at most 4 KiB of a failed response', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    let sent = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent += 1_000;
          controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)));
        },
      });
    receiver.respond = () => new Response(endless(), { status: 500 });
    await emitEvent(shop);
    const { log } = await untilNewestIs(shop, webhook.id, 'failed');
    expect(log[0].response_body).toBe('x'.repeat(4_096));
    expect(sent).toBeLessThan(10_000);
  });

  it('waits as long as Retry-After says', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(429, { 'retry-after': '3600' });
    const first = await emitEvent(shop);
    const delivery = await untilNewestIs(shop, webhook.id, 'failed');
    const waits = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.log[0].started_at);
    expect(waits).toBeGreaterThanOrEqual(HOUR);
    // The receiver as a whole asked for silence, so another event waits as well.
    const second = await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'pending');
    await advanceAndRunAlarm(shop, webhook.id, HOUR / 2);
    expect(receiver.ids).toEqual([first]);
    receiver.respond = respondWith(204);
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    expect(receiver.ids.slice(1).sort()).toEqual([first, second].sort());
  });

  it('runs with at most three others, and is not blocked by one that hangs', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    let [running, most] = [0, 0];
    const hanging = Promise.withResolvers<void>();
    receiver.respond = async ({ body }) => {
      running += 1;
      most = Math.max(most, running);
      await (body.includes('slow') ? hanging.promise : scheduler.wait(20));
      running -= 1;
      return new Response(null, { status: 200 });
    };
    await emitEvent(shop, 'stock.changed', { sku: 'slow' });
    await until(() => expect(receiver.received).toHaveLength(1));
    await Promise.all(Array.from({ length: 12 }, () => emitEvent(shop)));
    await until(() => expect(receiver.received).toHaveLength(13));
    await until(async () => expect(await deliveries(shop, webhook.id, '?status=delivered')).toHaveLength(12));
    hanging.resolve();
    await until(async () => expect(await deliveries(shop, webhook.id, '?status=delivered')).toHaveLength(13));
    expect(most).toBe(4);
  });
});

it('does not delay other webhooks by a receiver that hangs', async () => {
  const [shop, hanging, good] = [await world(), new Receiver(), new Receiver()];
  hanging.respond = () => new Promise(() => undefined);
  await subscribe(shop, hanging.url);
  await subscribe(shop, good.url);
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await emitEvent(shop));
  await until(() => expect(good.ids.toSorted()).toEqual(ids.toSorted()));
  expect(hanging.received).toHaveLength(4);
});

describe('pausing a webhook', () => {
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

  it('postpones pending retries until it is active again', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    const eventId = await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'failed');
    await shop.patch(`/webhooks/${webhook.id}`, { status: 'paused' });
    await advanceAndRunAlarm(shop, webhook.id, HOUR);
    expect(receiver.received).toHaveLength(1);
    receiver.respond = respondWith(204);
    await shop.patch(`/webhooks/${webhook.id}`, { status: 'active' });
    await until(() => expect(receiver.ids).toEqual([eventId, eventId]));
  });

  it('happens immediately after 410, and is reported', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(410);
    await emitEvent(shop);
    await until(async () => {
      const list = await shop.get('/webhooks');
      expect(list.body.data).toMatchObject([{ status: 'paused', paused_reason: 'gone' }]);
    });
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
});

describe('a WebhookEndpoint object', () => {
  it('that is evicted between attempts continues', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    const eventId = await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'failed');
    await evict(objectOf(shop, webhook.id));
    receiver.respond = respondWith(204);
    await advanceAndRunAlarm(shop, webhook.id, 10_000);
    expect(await untilNewestIs(shop, webhook.id, 'delivered')).toMatchObject({ attempts: 2 });
    expect(receiver.ids).toEqual([eventId, eventId]);
  });

  it('that crashes while sending sends again', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = () => new Promise(() => undefined);
    const eventId = await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    await abortAllDurableObjects();
    receiver.respond = respondWith(204);
    await until(async () => {
      await runDurableObjectAlarm(objectOf(shop, webhook.id));
      expect(await deliveries(shop, webhook.id)).toMatchObject([{ status: 'delivered', attempts: 2 }]);
    });
    const [delivery] = await deliveries(shop, webhook.id);
    expect(delivery.log).toMatchObject([{ error: 'interrupted' }, { error: null, response_status: 204 }]);
    expect(new Set(receiver.ids)).toEqual(new Set([eventId]));
  });

  it('that fails in its alarm sets another one', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    const hanging = Promise.withResolvers<Response>();
    receiver.respond = () => hanging.promise;
    const eventId = await emitEvent(shop);
    await until(() => expect(receiver.received).toHaveLength(1));
    // The alarm that was set for the worst comes while the first one still sends.
    const second = runDurableObjectAlarm(objectOf(shop, webhook.id));
    moveClock(61_000);
    const down = vi
      .spyOn(CachedRegistration.prototype, 'reload')
      .mockRejectedValue(new Error('D1 is overloaded'));
    hanging.resolve(new Response(null, { status: 500 }));
    expect(await second).toBe(true);
    await untilNewestIs(shop, webhook.id, 'failed');
    down.mockRestore();
    receiver.respond = respondWith(204);
    moveClock(30_000);
    expect(await runDurableObjectAlarm(objectOf(shop, webhook.id))).toBe(true);
    expect(receiver.ids).toEqual([eventId, eventId]);
  });

  it('that cannot read its registration waits until it can', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    const eventId = await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'failed');
    await evict(objectOf(shop, webhook.id));
    receiver.respond = respondWith(204);
    const down = vi
      .spyOn(CachedRegistration.prototype, 'reload')
      .mockRejectedValue(new Error('D1 is overloaded'));
    await advanceAndRunAlarm(shop, webhook.id, 10_000);
    expect(receiver.received).toHaveLength(1);
    down.mockRestore();
    await advanceAndRunAlarm(shop, webhook.id, 60_000);
    await until(() => expect(receiver.ids).toEqual([eventId, eventId]));
  });

  it('logs each attempt, without its URL or body', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    const log = vi.spyOn(console, 'log');
    await emitEvent(shop, 'stock.changed', { sku: 'SECRET' });
    await untilNewestIs(shop, webhook.id, 'failed');
    const lines = log.mock.calls
      .map(([line]) => String(line))
      // Other tests' webhooks may be retrying meanwhile.
      .filter((line) => line.includes('webhook_attempt') && JSON.parse(line).tenant === shop.tenantId);
    log.mockRestore();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        ...{ tenant: shop.tenantId, webhook: webhook.id, type: 'stock.changed', attempt: 1, status: 500 },
        ...{ error: 'status_not_2xx', duration_ms: expect.any(Number), lag_ms: expect.any(Number) },
      },
    ]);
    expect(lines.join()).not.toMatch(/SECRET|example\.com/);
  });

  it('deletes deliveries after 30 days', async () => {
    const { shop, webhook } = await shopWithWebhook();
    await emitEvent(shop);
    await untilNewestIs(shop, webhook.id, 'delivered');
    await advanceAndRunAlarm(shop, webhook.id, 30 * DAY - HOUR);
    expect(await deliveries(shop, webhook.id)).toHaveLength(1);
    await advanceAndRunAlarm(shop, webhook.id, 2 * HOUR);
    expect(await deliveries(shop, webhook.id)).toHaveLength(0);
  });
});

it('sends in the cron what was never enqueued', async () => {
  const { shop, receiver } = await shopWithWebhook();
  const eventId = await commitEvent(shop);
  moveClock(60_000);
  await runCron();
  await until(() => expect(receiver.ids).toEqual([eventId]));
});
