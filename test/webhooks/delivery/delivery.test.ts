import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { runCron } from '../../support/cron.ts';
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
import { shopWithWebhook } from './shop-with-webhook.ts';

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

  it('begins its schedule anew when it is replayed', async () => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(500);
    await emitEvent(shop);
    const { id } = await untilNewestIs(shop, webhook.id, 'failed');
    await advanceAndRunAlarm(shop, webhook.id, 10_000);
    await until(() => expect(receiver.received).toHaveLength(2));
    await shop.post(`/webhooks/${webhook.id}/deliveries/${id}/replay`);
    await until(() => expect(receiver.received).toHaveLength(3));
    const { log, next_attempt_at } = await untilNewestIs(shop, webhook.id, 'failed');
    expect(Date.parse(next_attempt_at) - Date.parse(log.at(-1).started_at)).toBeLessThan(60_000);
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

  it("shows when deliveries that wait for another's Retry-After are attempted", async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    receiver.respond = respondWith(503, { 'retry-after': '3600' });
    const { id } = await subscribe(shop, receiver.url);
    await emitEvent(shop);
    const failed = await untilNewestIs(shop, id, 'failed');
    const until = Date.parse(failed.log[0].started_at) + 3_600_000;
    await emitEvent(shop);
    const waiting = await untilNewestIs(shop, id, 'pending');
    expect(Date.parse(waiting.next_attempt_at)).toBeGreaterThanOrEqual(until);
    const one = await shop.get(`/webhooks/${id}/deliveries/${waiting.id}`);
    expect(one.body.next_attempt_at).toBe(waiting.next_attempt_at);
    const ping = await shop.post(`/webhooks/${id}/ping`);
    expect(ping.body.next_attempt_at).toBe(waiting.next_attempt_at);
    expect(receiver.received).toHaveLength(1);
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

  it.each(['/replay', '/deliveries/:id/replay'])('waits no longer after %s', async (path) => {
    const { shop, receiver, webhook } = await shopWithWebhook();
    receiver.respond = respondWith(429, { 'retry-after': '3600' });
    await emitEvent(shop);
    const { id } = await untilNewestIs(shop, webhook.id, 'failed');
    receiver.respond = respondWith(204);
    const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
    const replay = path.replace(':id', id);
    expect(
      (await shop.post(`/webhooks/${webhook.id}${replay}`, path === '/replay' ? range : undefined)).status,
    ).toBe(200);
    await untilNewestIs(shop, webhook.id, 'delivered');
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

it('sends in the cron what was never enqueued', async () => {
  const { shop, receiver } = await shopWithWebhook();
  const eventId = await commitEvent(shop);
  moveClock(60_000);
  await runCron();
  await until(() => expect(receiver.ids).toEqual([eventId]));
});
