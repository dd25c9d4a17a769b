import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { fiveCups, stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  orderEvents,
  readReturn,
  sandboxShop,
  shownTotal,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';

it('leads from a cart to a paid order and back to the shop with a signed return URL', async () => {
  const secret = 'a-checkout-secret-of-the-shop';
  const shop = await sandboxShop();
  expect((await shop.patch('/settings', { secrets: { checkout_secret: secret } })).status).toBe(200);
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutPath(shop, cart);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 2 });

  const page = await browse(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain('Pay €20.00');
  const declined = await submitCheckout(path, 'decline');
  expect(declined.status).toBe(200);
  expect(declined.text).toContain('The payment was declined');
  const { url, order_id, order_number, status, ts, signature } = readReturn(
    await submitCheckout(path, 'pay'),
  );
  expect(url.origin + url.pathname).toBe('https://shop.example.com/thanks');
  expect(url.searchParams.get('lang')).toBe('de');
  expect(status).toBe('paid');
  const signed = createHmac('sha256', secret).update(`${order_id}.${order_number}.${status}.${ts}`);
  expect(signature).toBe(signed.digest('hex'));

  const order = (await shop.get(`/orders/${order_id}`)).body;
  expect(order).toMatchObject({
    number: Number(order_number),
    status: 'paid',
    payment_status: 'paid',
    test: true,
    customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    totals: { grand_total: 20 },
  });
  expect(order.addresses.shipping).toMatchObject({ country: 'DE', line1: ADDRESS.line1 });
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 3, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });

  // The session again: the same order, nothing new.
  expect(readReturn(await browse(path)).order_id).toBe(order_id);
  expect(readReturn(await submitCheckout(path, 'pay')).order_id).toBe(order_id);
  expect(readReturn(await submitCheckout(path, 'cancel')).status).toBe('paid');
  expect((await shop.get('/orders')).body.meta.total).toBe(1);
  const locked = await shop.post('/cart/items', { cart_token: cart, product_id: cup.body.id, quantity: 1 });
  expect([locked.status, locked.body.code]).toEqual([409, 'cart_locked']);
  expect((await startCheckout(shop, cart)).body.code).toBe('cart_locked');
});

it('asks for confirmation if the address changes the total, before placing anything', async () => {
  const shop = await sandboxShop({
    settings: {
      tax: { mode: 'exclusive', rate_percent: 10, rates_by_country: { DE: 19 } },
      shipping: { flat: 5, by_country: { DE: { flat: 3 } } },
    },
  });
  const cup = await fiveCups(shop);
  const path = await checkoutPath(shop, await cartWith(shop, cup));
  const page = await browse(path);
  expect(page.text).toContain('Pay €16.00');
  const asked = await browse(path, { ...ADDRESS, shown_total: shownTotal(page), action: 'pay' });
  expect(asked.status).toBe(200);
  expect(asked.text).toContain('The total for your address is €14.90');
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  const updated = await browse(path, { ...ADDRESS, shown_total: '0', action: 'update' });
  expect([updated.status, updated.location]).toEqual([303, path]);
  const shown = await browse(path);
  expect(shown.text).toContain('Pay €14.90');
  expect(shown.text).toContain('Shipping to Germany');
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  expect((await shop.get(`/orders/${order_id}`)).body.totals).toMatchObject({
    subtotal: 10,
    shipping: 3,
    tax: 1.9,
    grand_total: 14.9,
  });
});

it('shows each error at its field and keeps the input', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const page = await submitCheckout(path, 'pay', { email: 'nobody', first_name: '<b>Ada', country: 'XX' });
  expect(page.status).toBe(422);
  for (const text of [
    'Enter an e-mail address such as name@example.com.',
    'Choose your country.',
    'value="&lt;b&gt;Ada"',
    'aria-describedby="email-wrong"',
  ]) {
    expect(page.text).toContain(text);
  }
  expect(page.text).not.toContain('<b>Ada');
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it('redeems a coupon with the order, and releases it on cancellation', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  await shop.post('/coupons', { code: 'ONCE', kind: 'percent', value: 10, max_uses: 1 });
  const carts = await Promise.all([cartWith(shop, cup), cartWith(shop, cup)]);
  for (const cart of carts) {
    expect((await shop.post(`/cart/${cart}/coupon`, { code: 'once' })).status).toBe(200);
  }
  const [first, second] = [await checkoutPath(shop, carts[0]), await checkoutPath(shop, carts[1])];
  expect((await submitCheckout(first, 'decline')).text).toContain('Discount (<bdi>ONCE</bdi>)');
  const refused = await submitCheckout(second, 'pay');
  expect([refused.status, refused.text.includes('coupon can no longer be used')]).toEqual([409, true]);
  await submitCheckout(first, 'cancel');
  const { order_id } = readReturn(await submitCheckout(second, 'pay'));
  expect((await shop.get(`/orders/${order_id}`)).body).toMatchObject({
    coupon: 'ONCE',
    totals: { discount: 1, grand_total: 9 },
  });
});

it.each(['x', 'xx', 'de', 'ZZ', '\u0000'])(
  'treats the country %j as missing and shows the form again',
  async (country) => {
    const shop = await sandboxShop();
    const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
    const page = await submitCheckout(path, 'pay', { ...ADDRESS, country });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Choose your country.')]);
    expect((await submitCheckout(path, 'update', { ...ADDRESS, country })).status).toBe(303);
    const after = await browse(path);
    expect([after.status, after.text]).toEqual([200, expect.stringContaining(ADDRESS.line1)]);
    expect(readReturn(await submitCheckout(path, 'pay')).status).toBe('paid');
  },
);

it('delivers paid downloads to the buyer', async () => {
  const shop = await sandboxShop();
  const url = 'https://files.example.com/book.pdf';
  const book = await stockedProduct(shop, {
    name: 'Book',
    type: 'downloadable',
    links: [{ title: 'PDF', price: 2, url }],
  });
  const path = await checkoutPath(shop, await cartWith(shop, book, 1, { options: { links: [1] } }));
  const page = await browse(path);
  expect(page.text).not.toContain('Street and number');
  expect(page.text).not.toContain('files.example.com');
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  const [download] = (await shop.get(`/orders/${order_id}`)).body.items[0].downloads;
  const sent = await browse(new URL(download.url).pathname);
  expect([sent.status, sent.location]).toEqual([302, url]);
  expect((await browse('/downloads/dl_made-up')).status).toBe(404);
  // A refund takes the files back.
  expect((await shop.post(`/orders/${order_id}/cancel`)).body).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
  });
  expect((await browse(new URL(download.url).pathname)).status).toBe(404);
});
