import { createExecutionContext, createMessageBatch, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { type EventMessage, outboxRow } from '../../../src/events/index.ts';
import worker from '../../../src/index.ts';
import { DAY, HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { batch } from '../../../src/kernel/data/database.ts';
import {
  deliveries,
  eventIdsOf,
  objectOf,
  Receiver,
  respondWith,
  subscribe,
  until,
} from '../../support/fixtures/webhooks.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { random as randomFrom } from '../../support/seeded-random.ts';
import { type World, world } from '../../support/world.ts';

let restore: () => void = () => undefined;
afterEach(() => restore());

let sequence = 0;

/** Commits an event of a resource, and leaves it to the test to enqueue it. */
async function committed(shop: World, resource: string, sku = 'A'): Promise<string> {
  sequence += 1;
  const [db, name] = [databaseOf(shop), crypto.randomUUID()];
  const event = { type: 'stock.changed', resource, sequence: sql`${sequence}`, data: { sku } } as const;
  await batch(db, [outboxRow(db, { tenantId: shop.tenantId, batch: name }, event)]);
  const [row] = await eventIdsOf(shop.tenantId, name);
  return row?.id ?? '';
}

/** Hands events to the consumer of the queue, in this order. */
async function enqueue(shop: World, ids: readonly string[]): Promise<void> {
  const messages = ids.map((eventId, n) => {
    const body: EventMessage = { tenantId: shop.tenantId, eventId };
    return { id: String(n), timestamp: new Date(), attempts: 1, body };
  });
  await worker.queue(createMessageBatch('webhook-events', messages), env, createExecutionContext());
}

/** Runs the object's alarm until the receiver gets nothing more. */
async function deliver(shop: World, webhookId: number, receiver: Receiver): Promise<void> {
  for (let calm = 0; calm < 2; ) {
    const before = receiver.received.length;
    await runDurableObjectAlarm(objectOf(shop, webhookId)).catch(() => undefined);
    calm = receiver.received.length === before ? calm + 1 : 0;
  }
}

/** A shop whose ordered webhook sends to a receiver. */
async function orderedShop(more: object = {}) {
  const [shop, receiver] = [await world(), new Receiver()];
  const webhook = await subscribe(shop, receiver.url, ['stock.changed'], { ordered: true, ...more });
  const quiet = (['log', 'warn', 'error'] as const).map((way) => vi.spyOn(console, way).mockReturnValue());
  restore = () => quiet.map((spy) => spy.mockRestore());
  return { shop, receiver, webhook };
}

it('sends the events of each resource in order, whatever the queue and the receiver do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = randomFrom(seed);
      const { shop, receiver, webhook } = await orderedShop();
      const resources = ['item:1', 'item:2', 'item:3'];
      const order = new Map<string, string[]>(resources.map((resource) => [resource, []]));
      const done = new Set<string>();
      const overtaken: string[] = [];
      receiver.respond = ({ headers }) => {
        const id = headers.get('webhook-id') ?? '';
        const own = [...order.values()].find((ids) => ids.includes(id)) ?? [];
        const earlier = own.slice(0, own.indexOf(id));
        overtaken.push(...earlier.filter((one) => !done.has(one)));
        if (random() < 0.3) return new Response(null, { status: 500 });
        done.add(id);
        return new Response(null, { status: 204 });
      };
      const queued: string[] = [];
      for (let n = 0; n < 24; n++) {
        const resource = resources[Math.floor(random() * 3)] ?? 'item:1';
        const id = await committed(shop, resource);
        order.get(resource)?.push(id);
        queued.splice(Math.floor(random() * (queued.length + 1)), 0, id);
        if (random() > 0.3) continue;
        // Some messages come twice, and late.
        await enqueue(
          shop,
          queued
            .splice(0, Math.ceil(random() * queued.length))
            .flatMap((one) => (random() < 0.2 ? [one, one] : one)),
        );
        await deliver(shop, webhook.id, receiver);
      }
      await enqueue(shop, queued);
      for (let round = 0; round < 60 && done.size < 24; round++) {
        await deliver(shop, webhook.id, receiver);
        moveClock(3 * HOUR);
      }
      expect(overtaken).toEqual([]);
      expect([...done].sort()).toEqual([...order.values()].flat().sort());
      restore();
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

it('holds up only the resource whose delivery fails, until that is dead', async () => {
  const { shop, receiver, webhook } = await orderedShop();
  const [bad, next, other] = [
    await committed(shop, 'item:1'),
    await committed(shop, 'item:1'),
    await committed(shop, 'item:2'),
  ];
  receiver.respond = (received) =>
    respondWith(received.headers.get('webhook-id') === bad ? 500 : 204)(received);
  await enqueue(shop, [bad, next, other]);
  await until(() => expect(receiver.ids).toContain(other));
  expect(receiver.ids).not.toContain(next);
  const waiting = (await deliveries(shop, webhook.id)).find(
    (one: { event_id: string }) => one.event_id === next,
  );
  expect(waiting).toMatchObject({ status: 'pending', next_attempt_at: null, attempts: 0 });
  for (let attempt = 0; attempt < 9; attempt++) {
    moveClock(29 * HOUR);
    // Keeps the webhook from being paused.
    await enqueue(shop, [await committed(shop, 'item:3')]);
    await deliver(shop, webhook.id, receiver);
  }
  const states = (await deliveries(shop, webhook.id)).map((one: { event_id: string; status: string }) => [
    one.event_id,
    one.status,
  ]);
  expect(Object.fromEntries(states)).toMatchObject({ [bad]: 'dead', [next]: 'delivered' });
});

it('fetches what the queue has not brought yet before a later event', async () => {
  const { shop, receiver } = await orderedShop();
  const ids = [
    await committed(shop, 'item:1'),
    await committed(shop, 'item:1'),
    await committed(shop, 'item:1'),
  ];
  await enqueue(shop, ids.slice(2));
  await until(() => expect(receiver.ids).toEqual(ids));
  await enqueue(shop, ids.slice(0, 2));
  const last = await committed(shop, 'item:1');
  await enqueue(shop, [last]);
  await until(() => expect(receiver.ids).toEqual([...ids, last]));
});

it('fetches it also where the webhook was changed meanwhile, but not from before its events were', async () => {
  const { shop, receiver, webhook } = await orderedShop();
  const first = await committed(shop, 'item:1');
  await enqueue(shop, [first]);
  await until(() => expect(receiver.ids).toEqual([first]));
  const lost = await committed(shop, 'item:1');
  moveClock(1_000);
  expect((await shop.post(`/webhooks/${webhook.id}/rotate-secret`)).status).toBe(200);
  expect((await shop.patch(`/webhooks/${webhook.id}`, { description: 'Stock' })).status).toBe(200);
  const next = await committed(shop, 'item:1');
  await enqueue(shop, [next]);
  await until(() => expect(receiver.ids).toEqual([first, lost, next]));

  await committed(shop, 'item:1', 'B');
  moveClock(1_000);
  const filter = { sku: ['A', 'B'] };
  expect((await shop.patch(`/webhooks/${webhook.id}`, { filter })).status).toBe(200);
  const last = await committed(shop, 'item:1');
  await enqueue(shop, [last]);
  await until(() => expect(receiver.ids).toEqual([first, lost, next, last]));
});

it('sends nothing from before the subscription, and nothing that the filter excludes', async () => {
  const shop = await world();
  const early = await committed(shop, 'item:1');
  moveClock(1_000);
  const receiver = new Receiver();
  await subscribe(shop, receiver.url, ['stock.changed'], { ordered: true, filter: { sku: ['A'] } });
  const [other, own] = [await committed(shop, 'item:1', 'B'), await committed(shop, 'item:1', 'A')];
  await enqueue(shop, [own]);
  await until(() => expect(receiver.ids).toEqual([own]));
  await enqueue(shop, [other]);
  expect(receiver.ids).not.toContain(early);
});

it('can be switched on and off while deliveries are open', async () => {
  const { shop, receiver, webhook } = await orderedShop({ ordered: false, status: 'paused' });
  await shop.patch(`/webhooks/${webhook.id}`, { status: 'active' });
  receiver.respond = respondWith(500);
  const ids = [await committed(shop, 'item:1'), await committed(shop, 'item:1')];
  await enqueue(shop, ids);
  await until(() => expect(new Set(receiver.ids)).toEqual(new Set(ids)));
  const on = await shop.patch(`/webhooks/${webhook.id}`, { ordered: true });
  expect([on.status, on.body.ordered]).toEqual([200, true]);
  receiver.received.length = 0;
  await until(async () => expect((await deliveries(shop, webhook.id))[0].next_attempt_at).toBeNull());
  moveClock(6_000);
  await runDurableObjectAlarm(objectOf(shop, webhook.id));
  expect(receiver.ids).toEqual(ids.slice(0, 1));
  receiver.respond = respondWith(204);
  await shop.patch(`/webhooks/${webhook.id}`, { ordered: false });
  await until(() => expect(receiver.ids).toContain(ids[1]));
  moveClock(DAY);
});

it('replays a resource in order too', async () => {
  const { shop, receiver, webhook } = await orderedShop();
  const ids = [
    await committed(shop, 'item:1'),
    await committed(shop, 'item:1'),
    await committed(shop, 'item:1'),
  ];
  await enqueue(shop, ids);
  await until(() => expect(receiver.ids).toEqual(ids));
  const replay = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  expect((await shop.post(`/webhooks/${webhook.id}/replay`, replay)).body).toEqual({ replayed: 3 });
  await until(() => expect(receiver.ids).toEqual([...ids, ...ids]));
});

it('holds a replayed event behind an earlier one whose delivery fails', async () => {
  const { shop, receiver, webhook } = await orderedShop();
  const ids = [await committed(shop, 'item:1'), await committed(shop, 'item:1')];
  await enqueue(shop, ids);
  await until(async () =>
    expect(await deliveries(shop, webhook.id)).toMatchObject([
      { status: 'delivered' },
      { status: 'delivered' },
    ]),
  );
  receiver.respond = respondWith(500);
  receiver.received.length = 0;
  const replay = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  await shop.post(`/webhooks/${webhook.id}/replay`, replay);
  await deliver(shop, webhook.id, receiver);
  const [later] = await deliveries(shop, webhook.id);
  await shop.post(`/webhooks/${webhook.id}/deliveries/${later.id}/replay`);
  await deliver(shop, webhook.id, receiver);
  expect(new Set(receiver.ids)).toEqual(new Set(ids.slice(0, 1)));
});

it('sends no later event beside an earlier one that was replayed while the later one was sent', async () => {
  const { shop, receiver, webhook } = await orderedShop();
  const first = await committed(shop, 'item:1');
  await enqueue(shop, [first]);
  await until(() => expect(receiver.ids).toEqual([first]));
  const later = await committed(shop, 'item:1');
  let isOpen = false;
  receiver.respond = async () => {
    while (!isOpen) await scheduler.wait(20);
    return new Response(null, { status: 500 });
  };
  await enqueue(shop, [later]);
  await until(() => expect(receiver.ids).toEqual([first, later]));
  const [, delivery] = await deliveries(shop, webhook.id);
  expect(delivery.event_id).toBe(first);
  await shop.post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/replay`);
  isOpen = true;
  await until(async () => {
    const states = (await deliveries(shop, webhook.id)).map((one: { attempts: number }) => one.attempts);
    expect(states).toEqual([1, 2]);
  });
  for (let attempt = 0; attempt < 3; attempt++) {
    moveClock(HOUR);
    await deliver(shop, webhook.id, receiver);
  }
  expect(receiver.ids.slice(2).filter((id) => id === later)).toEqual([]);
  receiver.respond = respondWith(204);
  moveClock(DAY);
  await until(async () => {
    await deliver(shop, webhook.id, receiver);
    expect(receiver.ids.slice(-2)).toEqual([first, later]);
  });
});
