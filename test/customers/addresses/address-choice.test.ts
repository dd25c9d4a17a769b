/** A customer's saved addresses on the checkout page. */

import { expect, it } from 'vitest';
import { fieldsOfForm } from '../../support/fixtures/browser.ts';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  browse,
  browseAnew,
  cartWith,
  RETURN_URL,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import type { World } from '../../support/world.ts';

const HOME = {
  label: 'Home',
  country: 'DE',
  first_name: 'Ada',
  last_name: 'Lovelace',
  line1: 'Oranienstraße 25',
  city: 'Berlin',
  postal_code: '10999',
  phone: '+49 30 1',
};
const WORK = {
  ...HOME,
  label: 'Work',
  country: 'AT',
  line1: 'Ringstrasse 1',
  city: 'Wien',
  postal_code: '1010',
};
const PERSONAL = /Oranien|Ringstrasse|10999|1010|Home|Work|saved_address/;

/** A customer with two addresses and a cart. */
async function known(shop: World) {
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  const session = withSession(ada.token);
  const ids = [];
  for (const address of [HOME, WORK])
    ids.push((await shop.post('/customers/me/addresses', address, session)).body.id as string);
  return { cart, ada, session, ids };
}

const page = async (shop: World, cart: string, options = {}) => {
  const started = await shop.post(
    '/checkout/seamless',
    { cart_token: cart, return_url: RETURN_URL },
    options,
  );
  expect(started.status, JSON.stringify(started.body)).toBe(200);
  return new URL(started.body.redirect_url).pathname;
};

it('offers the addresses of a signed-in shopper, filled in with the default', async () => {
  const shop = await sandboxShop();
  const { cart, ada, session } = await known(shop);
  const { text } = await browse(await page(shop, cart, session));
  expect(text).toContain('<strong>Home: </strong>Ada Lovelace, Oranienstraße 25, 10999 Berlin, Germany');
  expect(text).toContain('<strong>Work: </strong>Ada Lovelace, Ringstrasse 1, 1010 Wien, Austria');
  for (const value of [ada.email, 'Oranienstraße 25', 'Berlin', '10999', '+49 30 1'])
    expect(text).toContain(`value="${value}"`);
  expect(text).toContain('<option value="DE" selected="">');
});

it('fills the form with the chosen address, and places the order with it', async () => {
  const shop = await sandboxShop({ settings: { shipping: { flat: 5, by_country: { AT: 9 } } } });
  const { cart, session, ids } = await known(shop);
  const path = await page(shop, cart, session);
  expect((await browse(path)).text).toContain('€5.00');
  const chosen = await browse(path, { action: 'use_address', saved_address: ids[1] ?? '' });
  expect([chosen.status, chosen.location]).toEqual([303, path]);
  const { text } = await browse(path);
  expect(text).toContain('value="Ringstrasse 1"');
  expect(text).toContain('€9.00');
  expect(text).toMatch(new RegExp(`value="${ids[1]}"[^>]*checked`));
  const { label: _, ...form } = WORK;
  const { order_id } = readReturn(await submitCheckout(path, 'pay', { ...form, email: 'ada@example.com' }));
  expect((await shop.get(`/orders/${order_id}`)).body.addresses.shipping).toMatchObject(form);
});

it('keeps what was typed beside the address that is chosen', async () => {
  const shop = await sandboxShop();
  const { cart, session, ids } = await known(shop);
  const path = await page(shop, cart, session);
  const form = fieldsOfForm((await browse(path)).text, 'class="details"');
  expect(form).toHaveProperty('saved_address');
  const typed = { ...form, email: 'billing@example.com', note: 'Ring twice', line1: 'Elsewhere 1' };
  await browse(path, { ...typed, action: 'use_address', saved_address: ids[1] ?? '' });
  const { text } = await browse(path);
  for (const kept of ['value="billing@example.com"', 'Ring twice', 'value="Ringstrasse 1"']) {
    expect(text).toContain(kept);
  }
  expect(text).not.toContain('Elsewhere 1');
  // The Enter key presses the form's first button, which nobody sees.
  expect(text).toMatch(
    /\[hidden\]\{display:none!important\}[\s\S]*<button[^>]* value="update"[^>]* hidden=""/,
  );
  expect(text.indexOf('value="update"')).toBeLessThan(text.indexOf('value="use_address"'));
});

it("does not put the default of another country in place of the cart's country", async () => {
  const shop = await sandboxShop();
  const { cart, session } = await known(shop);
  await shop.put(`/cart/${cart}/shipping-address`, { country: 'FR' });
  const { text } = await browse(await page(shop, cart, session));
  expect(text).not.toContain('value="Oranienstraße 25"');
  expect(text).toContain('<option value="FR" selected="">');
});

it("offers nothing without the session of the cart's customer, nor another customer's address", async () => {
  const shop = await sandboxShop();
  const { cart, ids } = await known(shop);
  const eve = await registerCustomer(shop);
  for (const options of [{}, withSession(eve.token)]) {
    const path = await page(shop, cart, options);
    expect((await browseAnew(path)).text).not.toMatch(PERSONAL);
    await browse(path, { action: 'use_address', saved_address: ids[0] ?? '' });
    expect((await browse(path)).text).not.toMatch(PERSONAL);
  }
  const hers = await cartWith(shop, await fiveCups(shop));
  await shop.put('/customers/me/cart', { cart_token: hers }, withSession(eve.token));
  const path = await page(shop, hers, withSession(eve.token));
  await browse(path, { action: 'use_address', saved_address: ids[0] ?? '' });
  expect((await browse(path)).text).not.toMatch(PERSONAL);
});

it('offers nothing once the customer is erased', async () => {
  const shop = await sandboxShop();
  const { cart, session } = await known(shop);
  const path = await page(shop, cart, session);
  expect((await shop.delete('/customers/me', session)).status).toBe(204);
  expect((await browse(path)).text).not.toMatch(PERSONAL);
  const { text } = await browseAnew(await page(shop, cart));
  expect(text).toContain('name="line1"');
  expect(text).not.toMatch(PERSONAL);
});

it("fills in a signed-in shopper's name where no address has one, and leaves what was typed", async () => {
  const shop = await sandboxShop();
  for (const [name, first, last] of [
    ['Ada King Lovelace', 'Ada King', 'Lovelace'],
    ['山田 太郎', '太郎', '山田'],
    ['Plato', 'Plato', null],
  ] as const) {
    const cart = await cartWith(shop, await fiveCups(shop));
    const { token } = await registerCustomer(shop, { name, cart_token: cart });
    const path = await page(shop, cart, withSession(token));
    const { text } = await browse(path);
    expect(text).toMatch(new RegExp(`id="first_name"[^>]* value="${first}"`));
    if (last) expect(text).toMatch(new RegExp(`id="last_name"[^>]* value="${last}"`));
    const form = { country: 'DE', first_name: 'Augusta', action: 'update' };
    await browse(path, form);
    expect((await browse(path)).text).toContain('value="Augusta"');
    expect((await browse(path)).text).not.toContain(`value="${first}"`);
    // Whoever has the cart's token alone learns no name.
    const elsewhere = await page(shop, cart);
    expect((await browseAnew(elsewhere)).text).not.toContain(first);
  }
});

it("fills in a signed-in shopper's name where nothing is shipped", async () => {
  const shop = await sandboxShop();
  const book = await stockedProduct(shop, {
    name: 'Book',
    type: 'downloadable',
    links: [{ id: 1, title: 'Maps', price: 0, url: 'https://files.example.com/maps.zip' }],
  });
  const cart = await cartWith(shop, book, 1, { options: { links: [1] } });
  const { token } = await registerCustomer(shop, { name: 'Ada Lovelace', cart_token: cart });
  const { text } = await browse(await page(shop, cart, withSession(token)));
  expect(text).toContain('value="Ada"');
  expect(text).toContain('value="Lovelace"');
});

it("keeps the company of a saved address, and of the cart's", async () => {
  const shop = await sandboxShop();
  const saved = await known(shop);
  await shop.patch(`/customers/me/addresses/${saved.ids[0]}`, { company: 'Engines Ltd' }, saved.session);
  const cart = await cartWith(shop, await fiveCups(shop));
  const eve = withSession((await registerCustomer(shop, { cart_token: cart })).token);
  const { label: _, ...address } = { ...HOME, company: 'Engines Ltd' };
  await shop.put(`/cart/${cart}/shipping-address`, address, eve);
  for (const path of [await page(shop, saved.cart, saved.session), await page(shop, cart, eve)]) {
    const shown = fieldsOfForm((await browse(path)).text, 'class="details"');
    const sent = Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, String(value)]));
    const paid = await browse(path, { ...sent, email: 'ada@example.com', action: 'pay' });
    const { order_id } = readReturn(paid);
    expect((await shop.get(`/orders/${order_id}`)).body.addresses.shipping.company).toBe('Engines Ltd');
  }
});
