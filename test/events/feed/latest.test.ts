import { afterEach, expect, it, vi } from 'vitest';
import { Tenant } from '../../../src/tenants/index.ts';
import { world } from '../../support/world.ts';
import { pullAll, writeEvents } from './pull-events.ts';

afterEach(() => vi.restoreAllMocks());

it('starts a new reader after everything that has happened', async () => {
  const shop = await world();
  await writeEvents(shop, 'product.updated', 'order.paid', 'stock.changed');
  const { status, body } = await shop.get('/events?after=latest&types=order.paid');
  expect([status, body.data]).toEqual([200, []]);
  const [id] = await writeEvents(shop, 'product.updated');
  const { events } = await pullAll(shop, 'limit=3', body.meta.next_cursor);
  expect(events.map((event) => event.id)).toEqual([id]);
});

it('starts a reader of a new shop at its first event', async () => {
  const shop = await world();
  const { body } = await shop.get('/events?after=latest');
  const [id] = await writeEvents(shop, 'category.updated');
  const { events } = await pullAll(shop, 'limit=3', body.meta.next_cursor);
  expect(events.map((event) => event.id)).toEqual([id]);
});

it('returns its cursor at once, so that a crash while it waits loses nothing', async () => {
  const shop = await world();
  const wait = vi.spyOn(Tenant.prototype, 'waitForEvents');
  const { body } = await shop.get('/events?after=latest&wait=20');
  expect(wait).not.toHaveBeenCalled();
  const [id] = await writeEvents(shop, 'stock.changed');
  const { events } = await pullAll(shop, 'wait=0', body.meta.next_cursor);
  expect(events.map((event) => event.id)).toEqual([id]);
});
