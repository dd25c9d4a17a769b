import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { EventMessage } from '../../../src/events/index.ts';
import worker, { WebhookEndpoint } from '../../../src/index.ts';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { fanOut } from '../../../src/webhooks/index.ts';
import { runCron } from '../../support/cron.ts';
import { commitEvent, deliveries, Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

/** Delivers messages to the Worker as the queue would; returns what was acknowledged and retried. */
async function queue(name: string, messages: { body: unknown; attempts?: number }[]) {
  const batch = createMessageBatch(
    name,
    messages.map(({ body, attempts = 1 }, i) => ({ id: String(i), timestamp: new Date(), attempts, body })),
  );
  const retries = batch.messages.map((letter) => vi.spyOn(letter, 'retry'));
  const ctx = createExecutionContext();
  await worker.queue(batch, env, ctx);
  const { explicitAcks } = await getQueueResult(batch, ctx);
  return {
    explicitAcks,
    delays: retries.flatMap(({ mock }) => mock.calls.map(([how]) => how?.delaySeconds)),
  };
}

const message = (shop: World, eventId: string): EventMessage => ({ tenantId: shop.tenantId, eventId });

describe('the queue of events', () => {
  it('retries with growing delays what did not reach every webhook, without duplicates', async () => {
    const [shop, good, bad] = [await world(), new Receiver(), new Receiver()];
    await subscribe(shop, good.url);
    const { id } = await subscribe(shop, bad.url);
    const accept = WebhookEndpoint.prototype.accept;
    const spy = vi.spyOn(WebhookEndpoint.prototype, 'accept').mockImplementation(function (
      this: WebhookEndpoint,
      name,
      events,
    ) {
      if (name.webhookId === id) throw new Error('The object died');
      return accept.call(this, name, events);
    });
    const eventId = await commitEvent(shop);
    const body = message(shop, eventId);
    for (const [attempts, delaySeconds] of [
      [1, 5],
      [2, 10],
      [5, 80],
      [50, 3_600],
    ] as const) {
      const result = await queue('webhook-events', [{ body, attempts }]);
      expect(result.explicitAcks).toEqual([]);
      expect(result.delays).toEqual([delaySeconds]);
    }
    spy.mockRestore();
    expect((await queue('webhook-events', [{ body }])).explicitAcks).toEqual(['0']);
    await until(() => expect([good.ids, bad.ids]).toEqual([[eventId], [eventId]]));
  });

  it('acknowledges events without subscribers, deleted ones, and unknown ones', async () => {
    const [shop, other, receiver] = [await world(), await world(), new Receiver()];
    const { id } = await subscribe(shop, receiver.url);
    const theirs = await commitEvent(other);
    const unwanted = await commitEvent(shop, 'order.paid');
    const bodies = [message(shop, 'evt_made_up'), message(shop, theirs), message(shop, unwanted)];
    const result = await queue(
      'webhook-events',
      bodies.map((body) => ({ body })),
    );
    expect(result.explicitAcks).toEqual(['0', '1', '2']);
    expect(await deliveries(shop, id)).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('accepts a full batch of many tenants', async () => {
    const shops = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const [shop, receiver] = [await world(), new Receiver()];
        await subscribe(shop, receiver.url);
        const ids = await Promise.all(Array.from({ length: 33 }, () => commitEvent(shop)));
        return { shop, receiver, ids };
      }),
    );
    const bodies = shops.flatMap(({ shop, ids }) => ids.map((eventId) => ({ body: message(shop, eventId) })));
    const result = await queue('webhook-events', bodies);
    expect(result.explicitAcks).toHaveLength(99);
    for (const { receiver, ids } of shops) {
      await until(() => expect([...receiver.ids].sort()).toEqual([...ids].sort()));
    }
  });
});

describe('large events', () => {
  /** Two webhooks that take everything and send nothing, and what each call hands over, in characters. */
  async function shopThatHolds() {
    const shop = await world();
    const hooks = await Promise.all(
      [1, 2].map(() => subscribe(shop, new Receiver().url, ['order.paid'], { status: 'paused' })),
    );
    const handed: number[] = [];
    const { accept } = WebhookEndpoint.prototype;
    const spy = vi.spyOn(WebhookEndpoint.prototype, 'accept').mockImplementation(function (
      this: WebhookEndpoint,
      name,
      events,
    ) {
      handed.push(events.reduce((sum, { body }) => sum + body.length, 0));
      return accept.call(this, name, events);
    });
    const held = () =>
      Promise.all(
        hooks.map(
          async ({ id }) =>
            (await shop.get(`/webhooks/${id}/deliveries?status=held&limit=1`)).body.meta.total,
        ),
      );
    return { shop, handed, held, done: () => spy.mockRestore() };
  }

  it('are passed on in chunks, also in a batch of forty megabytes', async () => {
    const { shop, handed, held, done } = await shopThatHolds();
    const data = { note: 'x'.repeat(400 * 1024) };
    const ids: string[] = [];
    for (let n = 0; n < 100; n++) ids.push(await commitEvent(shop, 'order.paid', data));
    const result = await queue(
      'webhook-events',
      ids.map((eventId) => ({ body: message(shop, eventId) })),
    );
    done();
    expect([result.explicitAcks.length, result.delays.length]).toEqual([100, 0]);
    expect(await held()).toEqual([100, 100]);
    // Two bytes a character at most.
    expect(Math.max(...handed) * 2).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('are passed on alone if larger than a chunk', async () => {
    const { shop, handed, held, done } = await shopThatHolds();
    const [small, large] = [{ note: 'x' }, { note: 'ö'.repeat(990_000) }];
    const ids = [];
    for (const data of [small, large, small]) ids.push(await commitEvent(shop, 'order.paid', data));
    const result = await queue(
      'webhook-events',
      ids.map((eventId) => ({ body: message(shop, eventId) })),
    );
    done();
    expect(result.explicitAcks).toEqual(['0', '1', '2']);
    expect(await held()).toEqual([3, 3]);
    expect(handed.filter((length) => length > 900_000)).toHaveLength(2);
  });
});

it('calls a bounded number of objects in one run, and enqueues the rest anew, which costs them no attempt', async () => {
  const shops = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const shop = await world();
      for (let n = 0; n < 4; n++) {
        await subscribe(shop, new Receiver().url, ['order.paid'], { status: 'paused' });
      }
      return message(shop, await commitEvent(shop, 'order.paid'));
    }),
  );
  const calls = vi.spyOn(WebhookEndpoint.prototype, 'accept');
  /** Which messages a run that may call ten objects is done with, and what it enqueues. */
  const run = async (bodies: EventMessage[], isUp = true) => {
    const sent: unknown[] = [];
    const sendBatch = async (messages: Iterable<unknown>, how: unknown) => {
      if (!isUp) throw new Error('The queue is down');
      sent.push(...[...messages].map((one) => [one, how]));
    };
    const bindings = { ...env, WEBHOOK_QUEUE: { sendBatch } } as unknown as Env; // all that is called

    const messages = bodies.map((body) => ({ id: body.eventId, timestamp: new Date(), attempts: 1, body }));
    const batch = createMessageBatch<EventMessage>('webhook-events', messages);
    const retries = batch.messages.map((one) => vi.spyOn(one, 'retry'));
    const ctx = createExecutionContext();
    await fanOut(batch, bindings, 10);
    const { explicitAcks } = await getQueueResult(batch, ctx);
    const delays = retries.flatMap(({ mock }) => mock.calls.map(([how]) => how));
    return { done: explicitAcks, sent, delays };
  };
  const later = { delaySeconds: 1 };
  const first = await run(shops);
  expect(calls).toHaveBeenCalledTimes(8);
  expect(first).toMatchObject({ sent: [[{ body: expect.anything() }, later]], delays: [] });
  expect(first.done.toSorted()).toEqual(shops.map(({ eventId }) => eventId).toSorted());
  const left = shops.filter((body) => JSON.stringify(first.sent).includes(body.eventId));
  expect(await run(left)).toEqual({ done: left.map(({ eventId }) => eventId), sent: [], delays: [] });
  expect(calls).toHaveBeenCalledTimes(12);
  // What can't be enqueued is retried.
  const unsent = await run(shops, false);
  expect([unsent.done.length, unsent.delays]).toEqual([2, [later]]);
  calls.mockRestore();
});

describe('dead letters', () => {
  const letters = async () => (await env.DB.prepare('SELECT * FROM dead_letters ORDER BY id').all()).results;

  it('are recorded once, from any queue, and deleted after 90 days', async () => {
    const shop = await world();
    const body = message(shop, 'evt_lost');
    const bodies = [{ body }, { body: { import: 'imp_1' } }];
    await queue('dead-letters', bodies);
    await queue('dead-letters', bodies);
    expect(await letters()).toMatchObject([
      { id: '0', body: JSON.stringify(body) },
      { id: '1', body: '{"import":"imp_1"}' },
    ]);
    moveClock(89 * DAY);
    await runCron();
    expect(await letters()).toHaveLength(2);
    moveClock(2 * DAY);
    await runCron();
    expect(await letters()).toEqual([]);
  });
});

it('deletes events 30 days after they were enqueued, and none before', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  await subscribe(shop, receiver.url);
  const eventId = await commitEvent(shop);
  const stored = async () =>
    (await storeOf(shop).prepare('SELECT id FROM outbox WHERE tenant_id = ?').bind(shop.tenantId).all())
      .results;
  const down = vi.spyOn(env.WEBHOOK_QUEUE, 'sendBatch').mockRejectedValue(new Error('The queue is down'));
  moveClock(31 * DAY);
  await runCron();
  expect(await stored()).toEqual([{ id: eventId }]);
  down.mockRestore();
  await runCron();
  await until(() => expect(receiver.ids).toEqual([eventId]));
  moveClock(29 * DAY);
  await runCron();
  expect(await stored()).toHaveLength(1);
  moveClock(2 * DAY);
  await runCron();
  expect(await stored()).toEqual([]);
});
