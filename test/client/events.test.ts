import { afterEach, expect, it, vi } from 'vitest';
import { ApiError, createClient, type FeedEvent, followEvents } from '../../client/src/index.ts';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { type World, world } from '../support/world.ts';
import { clientWith } from './calls.ts';

afterEach(() => {
  vi.useRealTimers();
});

const adjust = async (shop: World, delta: number) =>
  shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta }] });

/** The stock after each of these events. */
const stockOf = (events: readonly FeedEvent[]) =>
  events.map((event) => (event.type === 'stock.changed' ? event.data.new_stock : null));

it('iterates over the events until now', async () => {
  const shop = await world();
  await stockedProduct(shop, { sku: 'cup', stock: 9 });
  for (const delta of [-1, -2, -3]) await adjust(shop, delta);
  const seen: FeedEvent[] = [];
  for await (const event of clientWith(shop.token).events.each({ types: 'stock.changed', limit: 2 })) {
    seen.push(event);
  }
  expect(stockOf(seen)).toEqual([8, 6, 3]);
});

it('follows events as they come, and continues after the stored cursor', async () => {
  const shop = await world();
  await stockedProduct(shop, { sku: 'cup', stock: 9 });
  const client = clientWith(shop.token);
  const seen: FeedEvent[] = [];
  let stored: string | undefined;
  const options = {
    types: ['stock.changed'] as const,
    waitSeconds: 10,
    onCursor: (cursor: string) => {
      stored = cursor;
    },
  };
  await adjust(shop, -1);
  for await (const event of followEvents(client, options)) {
    seen.push(event);
    if (seen.length === 1) void scheduler.wait(300).then(() => adjust(shop, -1));
    // A crash at the second event, before its cursor was stored.
    if (seen.length === 2) break;
  }
  await adjust(shop, -1);
  for await (const event of followEvents(client, { ...options, after: stored })) {
    seen.push(event);
    if (seen.length === 4) break;
  }
  expect(stockOf(seen)).toEqual([8, 7, 7, 6]);
});

it('takes events that come steadily together: its calls leave the limit of requests to others', async () => {
  vi.useFakeTimers();
  const begun = Date.now();
  let calls = 0;
  let came = 0;
  // A feed with a new event every 50 ms, which a call waits for.
  const fetch = async () => {
    calls++;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const until = Math.floor((Date.now() - begun) / 50);
    const data = Array.from({ length: until - came }, (_, n) => ({ id: `evt_${came + n}` }));
    came = until;
    return Response.json({ data, meta: { next_cursor: String(came) } });
  };
  const client = createClient({ baseUrl: 'https://api.example.com', token: 't', fetch });
  const seen: string[] = [];
  void (async () => {
    for await (const { id } of followEvents(client)) seen.push(id);
  })();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.length).toBeGreaterThan(1_150);
  expect(seen).toEqual(seen.map((_, n) => `evt_${n}`));
  expect(calls).toBeLessThanOrEqual(61);
});

it('reads what it has missed without a pause', async () => {
  vi.useFakeTimers();
  let calls = 0;
  const fetch = async () =>
    Response.json({
      data: calls++ < 20 ? Array.from({ length: 100 }, () => ({})) : [],
      meta: { next_cursor: String(calls) },
    });
  const client = createClient({ baseUrl: 'https://api.example.com', token: 't', fetch });
  let seen = 0;
  void (async () => {
    for await (const _ of followEvents(client)) seen++;
  })();
  await vi.advanceTimersByTimeAsync(10);
  expect(seen).toBe(2_000);
});

it('ends when it is aborted, and fails with an expired cursor', async () => {
  const shop = await world();
  const client = clientWith(shop.token);
  const { meta } = await client.events.list();
  const abort = new AbortController();
  void scheduler.wait(200).then(() => abort.abort(new Error('enough')));
  const following = followEvents(client, { after: meta.next_cursor, signal: abort.signal }).next();
  await expect(following).rejects.toThrow('enough');
  moveClock(31 * DAY);
  const expired = await followEvents(client, { after: meta.next_cursor })
    .next()
    .catch((error) => error);
  expect(expired).toBeInstanceOf(ApiError);
  expect(expired.code).toBe('cursor_expired');
});
