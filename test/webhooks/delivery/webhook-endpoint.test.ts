import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import { DAY, HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { CachedRegistration } from '../../../src/webhooks/object/cached-registration.ts';
import { evict } from '../../support/faults/injector.ts';
import {
  advanceAndRunAlarm,
  deliveries,
  emitEvent,
  objectOf,
  respondWith,
  until,
  untilNewestIs,
} from '../../support/fixtures/webhooks.ts';
import { shopWithWebhook } from './shop-with-webhook.ts';

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
        tenant: shop.tenantId,
        webhook: webhook.id,
        type: 'stock.changed',
        attempt: 1,
        status: 500,
        error: 'status_not_2xx',
        duration_ms: expect.any(Number),
        lag_ms: expect.any(Number),
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
