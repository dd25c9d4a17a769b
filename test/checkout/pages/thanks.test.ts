import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  browse,
  browseAnew,
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { stopClock } from '../../support/runtime/stop-clock.ts';

/** The hosted page of a paid order. */

const FILE = 'https://files.example.com/maps.zip';

/** A paid order of a cup and a download, and its checkout page. */
async function bought() {
  const shop = await sandboxShop();
  const book = await stockedProduct(shop, {
    name: 'Book',
    type: 'downloadable',
    stock: 5,
    links: [{ id: 1, title: 'Maps', price: 0, url: FILE }],
  });
  const cart_token = await cartWith(shop, await fiveCups(shop));
  await cartWith(shop, book, 1, { cart_token, options: { links: [1] } });
  const path = await checkoutPath(shop, cart_token);
  expect((await browse(`${path}/thanks`)).location).toBe(path);
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  return { shop, path, order_id };
}

it('shows downloads and tracking of a paid order in the browser in which it was placed', async () => {
  const { shop, path, order_id } = await bought();
  const url = 'https://dhl.example.com/0034';
  const parcel = await shop.post(`/orders/${order_id}/fulfilments`, { tracking: { carrier: 'DHL', url } });
  await shop.post(`/orders/${order_id}/fulfilments`, {});
  const page = await browse(`${path}/thanks`);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<a href="${url}">DHL</a>`);
  const link = /href="https:\/\/api\.example\.com(\/downloads\/[^"]+)">Download Maps/.exec(page.text)?.[1];
  expect((await browseAnew(link ?? '')).location).toBe(FILE);
  await shop.patch(`/orders/${order_id}/fulfilments/${parcel.body.id}`, { status: 'cancelled' });
  expect((await browse(`${path}/thanks`)).text).not.toContain(url);
  moveClock(8 * DAY);
  expect((await browseAnew(link ?? '')).status).toBe(404);
});

it('lets a network open a download 60 times at once', async () => {
  const { path } = await bought();
  const link = /\/downloads\/[^"]+/.exec((await browse(`${path}/thanks`)).text)?.[0] ?? '';
  stopClock();
  const open = () => browseAnew(link, undefined, { headers: { 'cf-connecting-ip': '203.0.113.50' } });
  for (let n = 0; n < 60; n++) expect((await open()).location).toBe(FILE);
  expect((await open()).status).toBe(429);
  expect((await browseAnew(link)).location).toBe(FILE);
});

it('shows a booked time in the zone of its place, from the checkout to the paid order', async () => {
  const shop = await sandboxShop();
  const slot = { from: '2099-05-01T09:00:00Z', to: '2099-05-01T10:30:00Z' };
  const tour = await stockedProduct(shop, {
    name: 'Tour',
    type: 'booking',
    booking: { timezone: 'America/New_York', slots: [{ ...slot, capacity: 4 }] },
  });
  const path = await checkoutPath(shop, await cartWith(shop, tour, 1, { options: { booking: slot } }));
  const time = 'Fri, May 1, 2099, 05:00–06:30 (America/New York)';
  expect((await browse(path)).text).toContain(time);
  await submitCheckout(path, 'pay');
  expect((await browse(`${path}/thanks`)).text).toContain(time);
});

it('shows only number and status in any other browser', async () => {
  const { path } = await bought();
  const page = await browseAnew(`${path}/thanks`);
  expect(page.text).toContain('Your order 1001 is paid.');
  expect(page.text).not.toMatch(/downloads|Book/);
});

it('shows no downloads of a cancelled order', async () => {
  const { shop, path, order_id } = await bought();
  expect((await shop.post(`/orders/${order_id}/cancel`)).status).toBe(200);
  const page = await browse(`${path}/thanks`);
  expect(page.status).toBe(410);
  expect(page.text).not.toContain('/downloads/');
  expect((await browseAnew('/checkout/ck_nothing/thanks')).status).toBe(404);
  expect((await browse(`${path}/thanks`, {})).status).toBe(405);
});

it('links the paid download of a guest who bought nothing else, also after a declined payment', async () => {
  const shop = await sandboxShop();
  const book = await stockedProduct(shop, {
    name: 'Book',
    type: 'downloadable',
    links: [{ id: 1, title: 'Maps', price: 0, url: FILE }],
  });
  const cart_token = await cartWith(shop, book, 1, { options: { links: [1] } });
  await shop.put(`/cart/${cart_token}/country`, { country: 'AT' });
  const path = await checkoutPath(shop, cart_token);
  const buyer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', country: 'AT' };
  await submitCheckout(path, 'decline', { ...buyer, note: 'Thank you' });
  // Nothing is paid yet.
  expect((await browse(`${path}/thanks`)).location).toBe(path);
  await submitCheckout(path, 'pay', {});
  const { text } = await browse(`${path}/thanks`);
  const link = /href="https:\/\/api\.example\.com(\/downloads\/[^"]+)">Download Maps/.exec(text)?.[1];
  expect((await browseAnew(link ?? '')).location).toBe(FILE);
});
