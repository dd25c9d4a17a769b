import { expect, it } from 'vitest';
import { fiveCups, stockedProduct } from '../../support/fixtures/catalog/products.ts';
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

/** The billing address and the message to the shop, on the hosted page. */

const BILLING = {
  billing_first_name: 'Charles',
  billing_last_name: 'Babbage',
  billing_company: 'Engines Ltd',
  billing_line1: 'Dorset Street 1',
  billing_postal_code: '1010',
  billing_city: 'Wien',
  billing_country: 'AT',
};

const aCheckout = async () => {
  const shop = await sandboxShop();
  return { shop, path: await checkoutPath(shop, await cartWith(shop, await fiveCups(shop))) };
};

it('shows the fields of the billing address when the shopper asks for them', async () => {
  const { shop, path } = await aCheckout();
  expect((await browse(path)).text).not.toContain('billing_');
  const asked = await submitCheckout(path, 'billing', { ...ADDRESS, city: '' });
  expect(asked.status).toBe(200);
  expect(asked.text).toContain('name="billing_line1"');
  expect(asked.text).toContain(`value="${ADDRESS.line1}"`);
  // Left empty, it is the shipping address.
  const empty = { ...ADDRESS, billing_first_name: '', billing_line1: '', billing_country: '' };
  const { order_id } = readReturn(await submitCheckout(path, 'pay', empty));
  expect((await shop.get(`/orders/${order_id}`)).body.billing_address).toBeNull();
});

it('bills at the shipping address unless another one is entered', async () => {
  const { shop, path } = await aCheckout();
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  expect((await shop.get(`/orders/${order_id}`)).body).toMatchObject({ billing_address: null, note: null });
});

it('keeps the billing address and the note with the order', async () => {
  const { shop, path } = await aCheckout();
  const fields = { ...ADDRESS, ...BILLING, note: ' Second floor,\r\nplease ring. ' };
  const { order_id } = readReturn(await submitCheckout(path, 'pay', fields));
  const { body } = await shop.get(`/orders/${order_id}`);
  expect(body.billing_address).toEqual({
    first_name: 'Charles',
    last_name: 'Babbage',
    company: 'Engines Ltd',
    line1: 'Dorset Street 1',
    postal_code: '1010',
    city: 'Wien',
    country: 'AT',
  });
  expect(body.note).toBe('Second floor,\nplease ring.');
  expect(body.addresses.shipping).toMatchObject({ line1: ADDRESS.line1, country: 'DE' });
  expect(Object.keys(body.addresses.shipping).filter((field) => field.startsWith('billing'))).toEqual([]);
});

it('asks for what an incomplete billing address lacks', async () => {
  const { path } = await aCheckout();
  const page = await submitCheckout(path, 'pay', { ...ADDRESS, billing_line1: 'Dorset Street 1' });
  expect(page.status).toBe(422);
  expect(page.text).toContain('Enter the city of the billing address.');
  expect(page.text).toContain('Choose the country of the billing address.');
  // Hong Kong has no postal codes.
  const { billing_postal_code: _, ...rest } = BILLING;
  const there = { ...ADDRESS, ...rest, billing_country: 'HK' };
  expect((await submitCheckout(path, 'pay', there)).status).toBe(303);
});

it('refuses a note of more than 500 characters', async () => {
  const { path } = await aCheckout();
  const page = await submitCheckout(path, 'pay', { ...ADDRESS, note: 'é'.repeat(501) });
  expect([page.status, page.text]).toEqual([422, expect.stringContaining('Use at most 500 characters.')]);
});

it('shows what was entered only in the browser in which it was entered, and escapes it', async () => {
  const { path } = await aCheckout();
  const entered = { ...ADDRESS, ...BILLING, note: '</textarea><script>alert(1)</script>' };
  await submitCheckout(path, 'update', entered);
  const [own, others] = [(await browse(path)).text, (await browseAnew(path)).text];
  expect(own).toContain('Engines Ltd');
  expect(own).toContain('&lt;/textarea&gt;');
  expect(others).not.toContain('Engines Ltd');
  expect(others).not.toContain('alert(1)');
  expect(own).not.toContain('<script');
  const declined = await submitCheckout(path, 'decline', entered);
  expect(declined.text).toContain('Engines Ltd');
  expect((await browseAnew(path)).text).not.toContain('Engines Ltd');
});

it('takes a billing address for an order without goods to ship', async () => {
  const shop = await sandboxShop();
  const card = await stockedProduct(shop, { name: 'Card', type: 'virtual', stock: 5 });
  const path = await checkoutPath(shop, await cartWith(shop, card));
  const { email, first_name, last_name, country } = ADDRESS;
  const fields = { email, first_name, last_name, country, ...BILLING };
  const { order_id } = readReturn(await submitCheckout(path, 'pay', fields));
  expect((await shop.get(`/orders/${order_id}`)).body).toMatchObject({
    billing_address: { city: 'Wien' },
    fulfilment_status: 'fulfilled',
    items: [{ ships: false }],
  });
});
