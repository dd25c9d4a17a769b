import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { HOLD_DURATION_MS } from '../../src/inventory/index.ts';
import { moveClock } from '../../src/kernel/core/clock.ts';
import {
  ADDRESS,
  browse,
  CANCEL_URL,
  cartWith,
  checkoutOf,
  cron,
  orderEvents,
  press,
  product,
  returned,
  sandboxShop,
  seamless,
  shownTotal,
  stockOf,
} from './shop.ts';

it('goes from a cart to a paid order, and back to the shop with a signature', async () => {
  const secret = 'a-checkout-secret-of-the-shop';
  const shop = await sandboxShop();
  expect((await shop.patch('/settings', { secrets: { checkout_secret: secret } })).status).toBe(200);
  const cup = await product(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutOf(shop, cart);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 2 });

  const page = await browse(path);
  expect(page.status).toBe(200);
  expect(page.text).toContain('Pay €20.00');
  const declined = await press(path, 'decline');
  expect(declined.status).toBe(200);
  expect(declined.text).toContain('The payment was declined');
  const { url, order_id, order_number, status, ts, signature } = returned(await press(path, 'pay'));
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
  expect(returned(await browse(path)).order_id).toBe(order_id);
  expect(returned(await press(path, 'pay')).order_id).toBe(order_id);
  expect(returned(await press(path, 'cancel')).status).toBe('paid');
  expect((await shop.get('/orders')).body.meta.total).toBe(1);
  const locked = await shop.post('/cart/items', { cart_token: cart, product_id: cup.body.id, quantity: 1 });
  expect([locked.status, locked.body.code]).toEqual([409, 'cart_locked']);
  expect((await seamless(shop, cart)).body.code).toBe('cart_locked');
});

it('gives stock back when the shopper turns back before ordering', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutOf(shop, cart);
  const away = await press(path, 'cancel', {});
  expect([away.status, away.location]).toEqual([303, CANCEL_URL]);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  expect((await browse(path)).status).toBe(410);
  expect(await orderEvents(shop)).toEqual({});
  // The cart is as it was, and can be checked out again.
  expect((await browse(await checkoutOf(shop, cart))).status).toBe(200);
});

it('cancels a declined order when the shopper turns back, and lets the cart go', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutOf(shop, cart, { cancel_url: undefined });
  await press(path, 'decline');
  // The order can still be paid.
  expect(await checkoutOf(shop, cart)).toBe(path);
  const { url, status } = returned(await press(path, 'cancel'));
  expect([url.pathname, status]).toEqual(['/thanks', 'cancelled']);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
  const dead = await press(path, 'pay');
  expect([dead.status, dead.text.includes('cancelled')]).toEqual([410, true]);
  // A new order of the same cart.
  const again = await checkoutOf(shop, cart);
  expect(returned(await press(again, 'pay')).status).toBe('paid');
  expect((await shop.get('/orders')).body.data.map((one: { number: number }) => one.number)).toEqual([
    1002, 1001,
  ]);
});

it('gives a new URL for other return URLs, and keeps the one reservation', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop, { stock: 2 });
  const cart = await cartWith(shop, cup, 2);
  const first = await checkoutOf(shop, cart);
  const second = await checkoutOf(shop, cart, { cancel_url: `${CANCEL_URL}?again` });
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 2, reserved: 2 });
  expect((await browse(first)).status).toBe(410);
  expect((await press(first, 'pay')).status).toBe(410);
  expect(returned(await press(second, 'pay')).status).toBe('paid');
});

it('is void once the cart is edited, and its stock goes back at once', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutOf(shop, cart);
  const page = await browse(path);
  await shop.post('/cart/items', { cart_token: cart, product_id: cup.body.id, quantity: 1 });
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 0 });
  const late = await browse(path, { ...ADDRESS, shown_total: shownTotal(page), action: 'pay' });
  expect(late.status).toBe(410);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it('asks again where the address changes the total, before anything is placed', async () => {
  const shop = await sandboxShop({
    settings: {
      tax: { mode: 'exclusive', rate_percent: 10, rates_by_country: { DE: 19 } },
      shipping: { flat: 5, by_country: { DE: { flat: 3 } } },
    },
  });
  const cup = await product(shop);
  const path = await checkoutOf(shop, await cartWith(shop, cup));
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
  const { order_id } = returned(await press(path, 'pay'));
  expect((await shop.get(`/orders/${order_id}`)).body.totals).toMatchObject({
    subtotal: 10,
    shipping: 3,
    tax: 1.9,
    grand_total: 14.9,
  });
});

it('says what is missing at its field, and keeps what was typed', async () => {
  const shop = await sandboxShop();
  const path = await checkoutOf(shop, await cartWith(shop, await product(shop)));
  const page = await press(path, 'pay', { email: 'nobody', first_name: '<b>Ada', country: 'XX' });
  expect(page.status).toBe(422);
  for (const text of [
    'Enter an e-mail address such as name@example.com.',
    'Enter your last name.',
    'Choose your country.',
    'value="&lt;b&gt;Ada"',
    'aria-describedby="email-wrong"',
  ]) {
    expect(page.text).toContain(text);
  }
  expect(page.text).not.toContain('<b>Ada');
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it('gives up what nobody pays: the stock after 15 minutes, an order after its time, with its event', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop, { stock: 4 });
  const [left, placed] = [await cartWith(shop, cup, 2), await cartWith(shop, cup, 2)];
  const [leftAt, placedAt] = [await checkoutOf(shop, left), await checkoutOf(shop, placed)];
  await press(placedAt, 'decline');
  moveClock(HOLD_DURATION_MS + 1000);
  await cron();
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 4, reserved: 2 });
  // The URL is good for half an hour: its stock is taken again.
  expect((await browse(leftAt)).status).toBe(200);
  moveClock(20 * 60_000);
  await cron();
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 4, reserved: 0 });
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.cancelled': 1 });
  expect((await browse(leftAt)).status).toBe(410);
  expect((await browse(placedAt)).status).toBe(410);
  const order = (await shop.get('/orders')).body.data[0];
  expect(order).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' });
  // The cart of the order that was given up can be bought again.
  expect((await seamless(shop, placed)).status).toBe(200);
});

it('takes stock again for a session whose reservation has ended, or says that it is gone', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop, { stock: 2 });
  const path = await checkoutOf(shop, await cartWith(shop, cup, 2));
  moveClock(HOLD_DURATION_MS + 1000);
  await cron();
  const other = await checkoutOf(shop, await cartWith(shop, cup, 1));
  const refused = await press(path, 'pay');
  expect([refused.status, refused.text.includes('sold out')]).toEqual([409, true]);
  await press(other, 'cancel', {});
  expect(returned(await press(path, 'pay')).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 0, reserved: 0 });
});

it('uses a coupon with the order, and gives the use back when it is cancelled', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop);
  await shop.post('/coupons', { code: 'ONCE', kind: 'percent', value: 10, max_uses: 1 });
  const carts = await Promise.all([cartWith(shop, cup), cartWith(shop, cup)]);
  for (const cart of carts) {
    expect((await shop.post(`/cart/${cart}/coupon`, { code: 'once' })).status).toBe(200);
  }
  const [first, second] = [await checkoutOf(shop, carts[0]), await checkoutOf(shop, carts[1])];
  expect((await press(first, 'decline')).text).toContain('Discount (ONCE)');
  const refused = await press(second, 'pay');
  expect([refused.status, refused.text.includes('coupon can no longer be used')]).toEqual([409, true]);
  await press(first, 'cancel');
  const { order_id } = returned(await press(second, 'pay'));
  expect((await shop.get(`/orders/${order_id}`)).body).toMatchObject({
    coupon: 'ONCE',
    totals: { discount: 1, grand_total: 9 },
  });
});

it.each(['x', 'xx', 'de', 'ZZ', '\u0000'])('takes the country %j for none, and stays', async (country) => {
  const shop = await sandboxShop();
  const path = await checkoutOf(shop, await cartWith(shop, await product(shop)));
  const page = await press(path, 'pay', { ...ADDRESS, country });
  expect([page.status, page.text]).toEqual([422, expect.stringContaining('Choose your country.')]);
  expect((await press(path, 'update', { ...ADDRESS, country })).status).toBe(303);
  const after = await browse(path);
  expect([after.status, after.text]).toEqual([200, expect.stringContaining(ADDRESS.line1)]);
  expect(returned(await press(path, 'pay')).status).toBe('paid');
});

it('sends paid files to their buyer', async () => {
  const shop = await sandboxShop();
  const url = 'https://files.example.com/book.pdf';
  const book = await product(shop, {
    name: 'Book',
    type: 'downloadable',
    links: [{ title: 'PDF', price: 2, url }],
  });
  const path = await checkoutOf(shop, await cartWith(shop, book, 1, { options: { links: [1] } }));
  const page = await browse(path);
  expect(page.text).not.toContain('Street and number');
  expect(page.text).not.toContain('files.example.com');
  const { order_id } = returned(await press(path, 'pay'));
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

it('does not keep stock for ever for who asks for a URL again and again', async () => {
  const shop = await sandboxShop();
  const cup = await product(shop, { stock: 1 });
  const cart = await cartWith(shop, cup);
  let path = await checkoutOf(shop, cart);
  for (let minute = 0; minute < 30; minute += 5) {
    moveClock(5 * 60_000);
    await cron();
    path = await checkoutOf(shop, cart);
  }
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 1, reserved: 0 });
  expect((await shop.get(`/cart/${cart}`)).body.warnings).toEqual([]);
  // Who is really there can buy.
  expect(returned(await press(path, 'pay')).status).toBe('paid');
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 0, reserved: 0 });
});
