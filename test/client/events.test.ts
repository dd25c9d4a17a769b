import { expect, it } from 'vitest';
import { ApiError, type FeedEvent, followEvents } from '../../client/src/index.ts';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { type World, world } from '../support/world.ts';
import { clientWith } from './calls.ts';

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
