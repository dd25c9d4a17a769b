/** Who sees the contact data of a cart, and to whom an order belongs. */

import { expect, it } from 'vitest';
import { fiveCups, stockedProduct } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  browseAnew,
  cartWith,
  checkoutPath,
  OWN_CHECKOUT,
  RETURN_URL,
  readReturn,
  sandboxShop,
  sessionIn,
  sessionOf,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { PASSWORD, registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import type { World } from '../support/world.ts';

const HOME = {
  country: 'AT',
  first_name: 'Ada',
  last_name: 'Lovelace',
  line1: 'Ringstrasse 1',
  city: 'Wien',
  postal_code: '1010',
  phone: '+43 1 234',
};
const PERSONAL = /Ada|Lovelace|Ringstrasse|Wien|1010|\+43|ada\d/;

/** A customer's cart with their address. */
async function known(shop: World) {
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  await shop.put(`/cart/${cart}/shipping-address`, HOME, withSession(ada.token));
  return { cart, ada };
}

const redirect = async (shop: World, cart: string, options = {}): Promise<string> => {
  const answer = await shop.post('/checkout/seamless', { cart_token: cart, return_url: RETURN_URL }, options);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.redirect_url;
};

it("prefills the checkout page only if the session of the cart's customer started it", async () => {
  const shop = await sandboxShop();
  const { cart, ada } = await known(shop);
  const eve = await registerCustomer(shop);
  for (const options of [{}, withSession(eve.token)]) {
    const page = await browse(new URL(await redirect(shop, cart, options)).pathname);
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(PERSONAL);
    expect(page.text).not.toContain(ada.email);
    expect(page.text).toContain('<option value="AT" selected="">Austria');
  }
  const hers = await browse(new URL(await redirect(shop, cart, withSession(ada.token))).pathname);
  for (const shown of [ada.email, 'Ada', 'Lovelace', 'Ringstrasse 1', 'Wien', '1010', '+43 1 234']) {
    expect(hers.text).toContain(`value="${shown}"`);
  }
  const ended = await shop.post(
    '/checkout/seamless',
    { cart_token: cart, return_url: RETURN_URL },
    withSession('cs_made-up'),
  );
  expect([ended.status, ended.body.code]).toEqual([401, 'invalid_customer_token']);
});

it("assigns the order to the cart's customer although the page was not prefilled", async () => {
  const shop = await sandboxShop();
  const { cart, ada } = await known(shop);
  const { order_id } = readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay'));
  expect((await shop.get('/customers/me/orders', withSession(ada.token))).body.data).toMatchObject([
    { id: order_id },
  ]);
});

it('does not prefill the input of another session of the same cart', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const typed = { ...ADDRESS, line1: 'Ringstrasse 1' };
  const first = await checkoutPath(shop, cart);
  await submitCheckout(first, 'update', typed);
  expect((await browse(first)).text).toContain('Ringstrasse 1');
  const again = await checkoutPath(shop, cart);
  expect((await browseAnew(again)).text).not.toMatch(/Ringstrasse|ada@/);
  expect((await browseAnew(first)).text).not.toMatch(/Ringstrasse|ada@/);
  // The shopper's page is not void, and what was typed in another browser shows nothing of theirs.
  expect([again, (await browse(first)).status]).toEqual([first, 200]);
  const stranger = await browseAnew(first, { ...ADDRESS, line1: 'Elsewhere 2', action: 'update' });
  const cookie = stranger.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await submitCheckout(first, 'update', typed);
  expect((await browseAnew(first, undefined, { headers: { cookie } })).text).not.toMatch(/Ringstrasse|ada@/);
  await submitCheckout(first, 'decline', typed);
  const toPay = await checkoutPath(shop, cart);
  expect(toPay).toBe(first);
  for (const headers of [{}, { cookie }]) {
    const page = await browseAnew(toPay, undefined, { headers });
    expect([page.status, page.text.includes('waits for your payment')]).toEqual([200, true]);
    expect(page.text).not.toMatch(/Ringstrasse|ada@|Lovelace|Germany/);
  }
  expect((await browse(first)).text).toContain('Ringstrasse 1');
});

it("applies the same rule in the tenant's own checkout", async () => {
  const { checkout } = OWN_CHECKOUT;
  const shop = await sandboxShop({ settings: { checkout } });
  await shop.patch('/settings', { secrets: { checkout_secret: 'the-secret-of-the-checkout-outside' } });
  const { cart, ada } = await known(shop);
  const session = async (options = {}) => sessionIn(await redirect(shop, cart, options));
  const hers = await shop.get(`/checkout/sessions/${await session(withSession(ada.token))}`);
  expect(hers.body).toMatchObject({ customer: { id: ada.id, email: ada.email }, shipping_address: HOME });
  const masked = await session();
  const read = await shop.get(`/checkout/sessions/${masked}`);
  expect(read.body).toMatchObject({ customer: { id: ada.id, email: null } });
  expect(read.body.shipping_address).toEqual({ country: 'AT' });
  const placed = await shop.post('/orders', { session: masked });
  expect(placed.body.customer).toEqual({ id: ada.id, name: null, email: null, phone: null });
  expect(placed.body.addresses.shipping).toEqual({ country: 'AT' });
});

it("does not show a guest's address on the page, but keeps it in the order of the tenant's own checkout", async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  await shop.put(`/cart/${cart}/shipping-address`, HOME);
  expect((await browse(await checkoutPath(shop, cart))).text).not.toMatch(PERSONAL);
  await shop.patch('/settings', {
    checkout: OWN_CHECKOUT.checkout,
    secrets: { checkout_secret: 'the-secret-of-the-checkout-outside' },
  });
  const session = await sessionOf(shop, cart);
  const read = await shop.get(`/checkout/sessions/${session}`);
  expect(read.body.shipping_address).toEqual({ country: 'AT' });
  expect((await shop.post('/orders', { session })).body.addresses.shipping).toEqual(HOME);
});

it("clears a cart's earlier personal data when it becomes a customer's", async () => {
  const shop = await sandboxShop({
    settings: { tax: { mode: 'exclusive', rate_percent: 10, rates_by_country: { AT: 20 } } },
  });
  const cart = await cartWith(shop, await fiveCups(shop));
  const guests = await shop.put(`/cart/${cart}/shipping-address`, HOME);
  const eve = await registerCustomer(shop, { name: 'Eve Adams', cart_token: cart });
  const bound = await shop.get(`/cart/${cart}`, withSession(eve.token));
  expect(bound.body).toMatchObject({ email: eve.email, shipping_address: { country: 'AT' } });
  expect(Object.keys(bound.body.shipping_address)).toEqual(['country']);
  // The country stays: it is no secret, and the total that was shown follows from it.
  expect(bound.body.totals).toEqual(guests.body.totals);
  const page = await browse(new URL(await redirect(shop, cart, withSession(eve.token))).pathname);
  expect(page.text).not.toMatch(/Lovelace|Ringstrasse|Wien|1010/);
  // Signing in again is no new owner.
  await shop.put(`/cart/${cart}/shipping-address`, HOME, withSession(eve.token));
  await shop.post('/customers/login', { email: eve.email, password: PASSWORD, cart_token: cart });
  expect((await shop.get(`/cart/${cart}`, withSession(eve.token))).body.shipping_address).toEqual(HOME);
});

it('takes only the lines from a merged cart', async () => {
  const shop = await sandboxShop();
  const { cart: older, ada } = await known(shop);
  const newer = await cartWith(shop, await fiveCups(shop));
  await shop.put(`/cart/${newer}/shipping-address`, { ...HOME, line1: 'Gürtel 9', city: 'Graz' });
  await shop.post('/customers/login', { email: ada.email, password: PASSWORD, cart_token: newer });
  for (const token of [older, newer]) {
    const { body } = await shop.get(`/cart/${token}`, withSession(ada.token));
    expect(body.items).toHaveLength(2);
    expect(JSON.stringify(body)).not.toMatch(/Gürtel|Graz|Ringstrasse/);
  }
});

it("assigns an order to the cart's owner at the time of its snapshot", async () => {
  const shop = await sandboxShop();
  const song = await stockedProduct(shop, {
    type: 'downloadable',
    links: [{ title: 'Song', price: 0, url: 'https://files.example.com/song' }],
  });
  const [{ id: link }] = song.body.links;
  const cart = await cartWith(shop, song, 1, { options: { links: [link] } });
  const path = await checkoutPath(shop, cart);
  const eve = await registerCustomer(shop, { cart_token: cart });
  expect((await browse(path)).status).toBe(200);
  const { order_id, status } = readReturn(await submitCheckout(path, 'pay'));
  expect(status).toBe('paid');
  const { body: order } = await shop.get(`/orders/${order_id}`);
  expect([order.customer.id, order.customer.email]).toEqual([null, ADDRESS.email]);
  expect(order.items[0].downloads).toHaveLength(1);
  expect((await shop.get('/customers/me/orders', withSession(eve.token))).body.data).toEqual([]);
  const cartNow = await shop.get(`/cart/${cart}`, withSession(eve.token));
  expect(JSON.stringify(cartNow.body)).not.toMatch(/ada@example|downloads|St James/);
});
