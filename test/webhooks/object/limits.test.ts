import { runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, it, vi } from 'vitest';
import { WebhookEndpoint } from '../../../src/index.ts';
import { DAY, moveClock, now } from '../../../src/kernel/core/clock.ts';
import {
  advanceAndRunAlarm,
  objectOf,
  Receiver,
  respondWith,
  subscribe,
  until,
  withResolver,
} from '../../support/fixtures/webhooks.ts';
import { type World, world } from '../../support/world.ts';

afterEach(() => runs?.mockRestore());

/** Hands so many events to the object of a webhook. */
async function fill(shop: World, webhookId: number, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({
    eventId: `evt_${crypto.randomUUID()}_${n}`,
    type: 'stock.changed' as const,
    occurredAt: now(),
    body: '{}',
  }));
  await objectOf(shop, webhookId).accept({ tenantId: shop.tenantId, webhookId }, events);
}

const counted = async (shop: World, id: number, wanted?: 'pending' | 'failed' | 'delivered') =>
  (await objectOf(shop, id).list({ status: wanted, limit: 1, offset: 0 })).total;

/** Returns how many attempts the newest delivery has; one that was never sent counts until it has ended. */
const attemptsOf = async (shop: World, id: number) =>
  (await objectOf(shop, id).list({ limit: 1, offset: 0 })).rows[0]?.attempts;

let runs: { mockRestore(): void } | undefined;

/** Lets `begin` happen before each run of an object's alarm. */
function beforeEachRun(begin: () => void): void {
  const { alarm } = WebhookEndpoint.prototype;
  runs = vi.spyOn(WebhookEndpoint.prototype, 'alarm').mockImplementation(function (this: WebhookEndpoint) {
    begin();
    return alarm.call(this);
  });
}

it('makes at most 300 attempts in a run, then continues in the next run immediately', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  const sentBefore: number[] = [];
  beforeEachRun(() => sentBefore.push(receiver.received.length));
  await fill(shop, id, 700);
  await until(async () => expect(await counted(shop, id, 'delivered')).toBe(700));
  const runs = [...sentBefore, 700].map((sent, n, all) => sent - (all[n - 1] ?? 0));
  expect(Math.max(...runs)).toBe(300);
  expect(new Set(receiver.ids).size).toBe(700);
  expect(receiver.received).toHaveLength(700);
});

it('records no failure when it runs out of subrequests', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  let left = 0;
  beforeEachRun(() => {
    left = 30;
  });
  receiver.respond = (received) => {
    left -= 1;
    if (left < 0) throw new Error('Too many subrequests by single Worker invocation.');
    return respondWith(204)(received);
  };
  await fill(shop, id, 400);
  await until(async () => expect(await counted(shop, id, 'delivered')).toBeGreaterThanOrEqual(30));
  for (let run = 0; run < 20; run++) {
    expect(await counted(shop, id, 'failed')).toBe(0);
    await advanceAndRunAlarm(shop, id, 5_000);
  }
  await until(async () => expect(await counted(shop, id, 'delivered')).toBe(400));
  const { rows } = await objectOf(shop, id).list({ limit: 400, offset: 0 });
  expect(new Set(rows.map(({ attempts, log }) => `${attempts} ${log.length}`))).toEqual(new Set(['1 1']));
});

it('backs off when the DNS resolver fails, up to five minutes', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  const object = objectOf(shop, id);
  const asked: number[] = [];
  let isDown = true;
  await withResolver(shop, id, () => {
    asked.push(now());
    if (isDown) return new Response(null, { status: 503 });
    return Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.215.14' }] });
  });
  await fill(shop, id, 1);
  await until(() => expect(asked).toHaveLength(2));
  await until(async () => expect(await attemptsOf(shop, id)).toBe(0));
  for (const wait of [5, 10, 20, 40, 80, 160, 300, 300]) {
    const before = asked.length;
    await advanceAndRunAlarm(shop, id, (wait - 1) * 1_000);
    expect(asked, `${wait} s`).toHaveLength(before);
    await advanceAndRunAlarm(shop, id, 2_000);
    expect(asked, `${wait} s`).toHaveLength(before + 2);
  }
  expect(await counted(shop, id, 'failed')).toBe(0);
  isDown = false;
  await advanceAndRunAlarm(shop, id, 300_000);
  await until(async () => expect(await counted(shop, id, 'delivered')).toBe(1));
  const [delivery] = (await object.list({ limit: 1, offset: 0 })).rows;
  expect(delivery).toMatchObject({ attempts: 1 });
});

it('sends to a new URL at once, however long the host of the old one could not be resolved', async () => {
  const [shop, old, receiver] = [await world(), new Receiver(), new Receiver()];
  const { id } = await subscribe(shop, old.url);
  let asked = 0;
  await withResolver(shop, id, ({ url }) => {
    if (!url.includes(old.host))
      return Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.215.14' }] });
    asked += 1;
    return new Response(null, { status: 503 });
  });
  await fill(shop, id, 1);
  await until(() => expect(asked).toBe(2));
  await until(async () => expect(await attemptsOf(shop, id)).toBe(0));
  for (const wait of [6, 11, 21]) await advanceAndRunAlarm(shop, id, wait * 1_000);
  expect(asked).toBe(8);
  expect((await shop.patch(`/webhooks/${id}`, { url: receiver.url })).status).toBe(200);
  await until(async () => expect(await counted(shop, id, 'delivered')).toBe(1));
  expect([old.received, receiver.received].map(({ length }) => length)).toEqual([0, 1]);
});

it('resolves a host once a minute, not for each attempt', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  let asked = 0;
  let address = '93.184.215.14';
  await withResolver(shop, id, () => {
    asked += 1;
    return Response.json({ Status: 0, Answer: [{ type: 1, data: address }] });
  });
  await fill(shop, id, 40);
  await until(async () => expect(await counted(shop, id, 'delivered')).toBe(40));
  // One question for A and one for AAAA.
  expect(asked).toBe(2);
  address = '127.0.0.1';
  await fill(shop, id, 1);
  await until(async () => expect(await counted(shop, id, 'delivered')).toBe(41));
  moveClock(60_000);
  await fill(shop, id, 1);
  await until(async () => expect(await counted(shop, id, 'failed')).toBe(1));
  expect(asked).toBe(4);
  expect(receiver.received).toHaveLength(41);
});

it('does not mark a delivery as failed if it could not be signed', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url);
  const { from } = Buffer;
  const broken = vi.spyOn(Buffer, 'from').mockImplementation(((text: string, how: never) => {
    if (String(how) === 'base64' && String(text).length === 48) throw new Error('No memory');
    return from(text, how);
  }) as never);
  await fill(shop, id, 1);
  await advanceAndRunAlarm(shop, id, 0);
  expect([await counted(shop, id, 'pending'), receiver.received.length]).toEqual([1, 0]);
  broken.mockRestore();
  await advanceAndRunAlarm(shop, id, 300_000);
  await until(async () => expect(await counted(shop, id, 'delivered')).toBe(1));
});

it('keeps the deliveries of five days, not of thirty, while they fill the object', async () => {
  const shop = await world();
  const { id } = await subscribe(shop, 'https://shop.example.com/hook', undefined, { status: 'paused' });
  await fill(shop, id, 3);
  moveClock(3 * DAY);
  await fill(shop, id, 4);
  moveClock(3 * DAY);
  await fill(shop, id, 1);
  expect(await counted(shop, id)).toBe(8);
  await runInDurableObject(objectOf(shop, id), (object) => {
    // Private: only the object itself has deliveries.
    (object as unknown as { deliveries: { maxBytes: number } }).deliveries.maxBytes = 0;
  });
  await fill(shop, id, 1);
  expect(await counted(shop, id)).toBe(6);
  await fill(shop, id, 1);
  expect(await counted(shop, id)).toBe(7);
});
