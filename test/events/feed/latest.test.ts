import { expect, it } from 'vitest';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';
import { pullAll, writeEvents } from './pull-events.ts';

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

it('waits for the first event after the latest one', async () => {
  const shop = await world();
  await stockedProduct(shop, { sku: 'cup', stock: 9 });
  const waiting = shop.get('/events?after=latest&wait=20&types=stock.changed');
  await scheduler.wait(300);
  await shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta: -1 }] });
  expect((await waiting).body.data).toMatchObject([{ type: 'stock.changed', data: { sku: 'cup' } }]);
});
