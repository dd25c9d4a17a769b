import { expect, it } from 'vitest';
import { FIELDS } from '../../../src/checkout/buyer.ts';
import { fiveCups } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  browseAnew,
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';

/** What a shopper types into the checkout page is taken as it is, or refused. */

const NAMES = Object.entries(FIELDS).flatMap(([name, { maxLength }]) =>
  name === 'country' || name === 'email' ? [] : [[name, maxLength] as const],
);

it.each(NAMES)('refuses a %s of more than %i characters in place of cutting it', async (name, maxLength) => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  for (const action of ['pay', 'update']) {
    const page = await submitCheckout(path, action, { ...ADDRESS, [name]: '🫖'.repeat(maxLength + 1) });
    expect(page.status).toBe(422);
    expect(page.text).toContain(`Use at most ${maxLength} characters.`);
  }
  expect((await browse(path)).text).not.toContain('🫖');
  const page = await submitCheckout(path, 'pay', { ...ADDRESS, [name]: '🫖'.repeat(maxLength) });
  const { order_id } = readReturn(page);
  const { body } = await shop.get(`/orders/${order_id}`);
  expect(JSON.stringify(body)).toContain('🫖'.repeat(maxLength));
});

it('rejects an e-mail address that is too long', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const page = await submitCheckout(path, 'pay', { ...ADDRESS, email: `${'a'.repeat(250)}@example.com` });
  expect([page.status, page.text]).toEqual([422, expect.stringContaining('Use at most 254 characters.')]);
});

it('stores input in NFC, and rejects NUL and invalid UTF-8', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  expect((await submitCheckout(path, 'pay', { ...ADDRESS, city: 'Ber\0lin' })).status).toBe(422);
  const form = new URLSearchParams({ ...ADDRESS, action: 'update' }).toString();
  const broken = await browse(path, {}, { body: form.replace('Berlin', 'Ber%FFlin') });
  expect(broken.status).toBe(422);
  const { order_id } = readReturn(await submitCheckout(path, 'pay', { ...ADDRESS, city: 'Mu\u0308nchen' }));
  expect((await shop.get(`/orders/${order_id}`)).body.addresses.shipping.city).toBe('München');
});

it('puts what no browser sends in a field of one line on one line, because shops put names into mails', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const typed = {
    first_name: 'Ada\r\nBcc: eve@example.com',
    city: 'Ber\u001b[31mlin',
    note: 'Ring\r\ntwice',
  };
  const { order_id } = readReturn(await submitCheckout(path, 'pay', { ...ADDRESS, ...typed }));
  const { customer, addresses, note } = (await shop.get(`/orders/${order_id}`)).body;
  expect(customer.name).toBe('Ada Bcc: eve@example.com Lovelace');
  expect(addresses.shipping).toMatchObject({ first_name: 'Ada Bcc: eve@example.com', city: 'Ber [31mlin' });
  expect(note).toBe('Ring\ntwice');
});

it('lets a browser send the form without a postal code, which not every country has', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const { text } = await browse(path);
  expect(text).not.toContain('role="alert"');
  expect(text).toContain('<option value="">Choose a country</option>');
  expect(text).toMatch(/<input id="city"[^>]* required/);
  expect(text).toMatch(/<label for="postal_code">Postal code <\/label>/);
  expect(text).not.toMatch(/<input id="postal_code"[^>]* required/);
  const { postal_code: _, ...address } = ADDRESS;
  const german = await submitCheckout(path, 'pay', address);
  expect([german.status, german.text]).toEqual([422, expect.stringContaining('Enter your postal code.')]);
  const paid = await submitCheckout(path, 'pay', { ...address, city: 'Hong Kong', country: 'HK' });
  expect(readReturn(paid).status).toBe('paid');
});

it('insists on no postal code where people rarely know theirs', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const { postal_code: _, ...address } = ADDRESS;
  const paid = await submitCheckout(path, 'pay', { ...address, city: 'الكويت', country: 'KW' });
  expect(readReturn(paid).status).toBe('paid');
});

it('takes the digits of an input method for telephone number and postal code', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const typed = { postal_code: '１５０－０００１', phone: '０３ー１２３４ー５６７８', line1: '神宮前１－２' };
  const { order_id } = readReturn(await submitCheckout(path, 'pay', { ...ADDRESS, ...typed, country: 'JP' }));
  const { addresses } = (await shop.get(`/orders/${order_id}`)).body;
  expect(addresses.shipping).toMatchObject({
    postal_code: '150-0001',
    phone: '03-1234-5678',
    line1: '神宮前１－２',
  });
});

it('takes an e-mail address in the letters of its domain, which not every browser writes in ASCII', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const paid = await submitCheckout(path, 'pay', { ...ADDRESS, email: 'ada@müller.example' });
  const { order_id } = readReturn(paid);
  expect((await shop.get(`/orders/${order_id}`)).body.customer.email).toBe('ada@xn--mller-kva.example');
  for (const filter of ['email', 'q']) {
    const found = await shop.get(`/orders?${filter}=${encodeURIComponent('ada@müller.example')}`);
    expect(
      found.body.data.map((order: { id: string }) => order.id),
      filter,
    ).toEqual([order_id]);
  }
});

it('takes one name from a buyer who has no other', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const { last_name: _, ...address } = ADDRESS;
  expect((await browse(path)).text).toContain('Last name <span>(if you have one)</span>');
  const billing = {
    billing_first_name: 'பாரதி',
    billing_line1: 'Beach Road 1',
    billing_postal_code: '600001',
    billing_city: 'Chennai',
    billing_country: 'IN',
  };
  const paid = await submitCheckout(path, 'pay', { ...address, first_name: 'பாரதி', ...billing });
  const { body } = await shop.get(`/orders/${readReturn(paid).order_id}`);
  expect(body.customer.name).toBe('பாரதி');
  expect(body.billing_address).toMatchObject({ first_name: 'பாரதி', line1: 'Beach Road 1' });
});

it.each([
  ['太郎', '山田', '山田 太郎'],
  ['さくら', 'ササキ', 'ササキ さくら'],
  ['민수', '김', '김 민수'],
  ['小明', '王', '王 小明'],
  ['Taro', 'Yamada', 'Taro Yamada'],
])('writes a name in the order of its script: %s %s', async (first_name, last_name, name) => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const declined = await submitCheckout(path, 'decline', { ...ADDRESS, first_name, last_name });
  expect(declined.text).toContain(`<bdi>${name}</bdi>`);
  const paid = await submitCheckout(path, 'pay');
  const { customer, addresses } = (await shop.get(`/orders/${readReturn(paid).order_id}`)).body;
  expect(customer.name).toBe(name);
  expect(addresses.shipping).toMatchObject({ first_name, last_name });
});

it('begins the title with "Error:" when something has to be put right, as a screen reader says it first', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  expect((await browse(path)).text).toContain('<title>Checkout – ');
  for (const page of [
    await submitCheckout(path, 'pay', { ...ADDRESS, email: 'ada' }),
    await submitCheckout(path, 'decline'),
  ]) {
    expect(page.text).toContain('<title>Error: Checkout – ');
  }
});

it('shows the address that was entered beside a payment that was declined', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  const declined = await submitCheckout(path, 'decline', { ...ADDRESS });
  expect(declined.text).toContain('The payment was declined.');
  expect(declined.text).toContain('12 St James Square');
  expect(declined.text).toContain('Shipping to Germany');
  expect((await browseAnew(path)).text).not.toContain('12 St James Square');
});
