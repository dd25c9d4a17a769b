/** Stock of products that are no longer there. */

import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { NEWEST, stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { eventsOfType } from '../support/fixtures/selling/orders.ts';

it('raises no event and is not in the feed again when it is given back, as another product may have the SKU', async () => {
  const shop = await sandboxShop();
  const old = await stockedProduct(shop, { name: 'Mug', sku: 'mug', stock: 5 });
  const path = await checkoutPath(shop, await cartWith(shop, old, 1));
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  await checkoutPath(shop, await cartWith(shop, old, 2));
  expect((await shop.delete(`/products/${old.body.id}`)).status).toBe(204);
  const mug = await stockedProduct(shop, { name: 'New mug', sku: 'mug', stock: 9 });
  const announced = async () =>
    (await eventsOfType(shop, 'stock.changed')).map(({ product_id }) => product_id);
  const before = await announced();
  const { body: feed } = await shop.get('/marketplace/products?updated_since=2020-01-01T00:00:00Z', NEWEST);
  moveClock(20 * MINUTE);
  await cron();
  expect((await shop.post(`/orders/${order_id}/cancel`)).body.status).toBe('cancelled');
  expect(await stockOf(old.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  expect(await announced()).toEqual(before);
  const since = encodeURIComponent(feed.meta.next_updated_since);
  expect((await shop.get(`/marketplace/products?updated_since=${since}`, NEWEST)).body.data).toEqual([]);
  await shop.post('/inventory/adjustments', { items: [{ sku: 'mug', delta: 1 }] });
  expect(await announced()).toEqual([...before, mug.body.id]);
});
