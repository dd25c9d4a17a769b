import { expect, it } from 'vitest';
import { createProduct, stockedProduct } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  OWN_CHECKOUT,
  readReturn,
  sandboxShop,
  sessionOf,
  shownTotal,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import type { World } from '../support/world.ts';

/** Shipping methods from the checkout page, or the tenant's own checkout, to the order. */

const METHODS = [
  { id: 'parcel', name: 'Parcel', price: 5, countries: ['DE', 'FR'], min_days: 2, max_days: 4 },
  {
    id: 'express',
    name: 'Express <1>',
    description: 'Before noon',
    price: 12,
    countries: ['DE'],
    max_days: 1,
  },
];
const settings = { shipping: { methods: METHODS } };

const orderOf = async (shop: World, id: string) => (await shop.get(`/orders/${id}`)).body;
const to = (shop: World, cart: string, country: string) =>
  shop.put(`/cart/${cart}/shipping-address`, { country });

/** A shop with two methods, a cart of two mugs in it, and the path of its checkout page. */
async function started(country: string | null = 'DE') {
  const shop = await sandboxShop({ settings });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const cart = await cartWith(shop, mug, 2);
  if (country) await to(shop, cart, country);
  return { shop, cart, path: await checkoutPath(shop, cart) };
}

it('lets the shopper choose on the page, shows prices and days, and charges what was chosen', async () => {
  const { shop, path } = await started();
  const page = await browse(path);
  for (const text of ['2 to 4 days', 'Before noon · up to 1 day', '€5.00', '€12.00', 'Express &lt;1&gt;']) {
    expect(page.text).toContain(text);
  }
  expect(page.text).toMatch(/value="parcel" checked/);
  expect(page.text).toContain('Pay €25.00');
  const form = { ...ADDRESS, shipping_method: 'express' };
  await browse(path, { ...form, shown_total: shownTotal(page), action: 'update' });
  const updated = await browse(path);
  expect(updated.text).toMatch(/value="express" checked/);
  expect(updated.text).toContain('Shipping to Germany (<bdi>Express &lt;1&gt;</bdi>)');
  expect(updated.text).toContain('Pay €32.00');
  const { order_id } = readReturn(await submitCheckout(path, 'pay', form));
  expect(await orderOf(shop, order_id)).toMatchObject({
    shipping_method: { id: 'express', name: 'Express <1>' },
    totals: { shipping: 12, grand_total: 32 },
  });
});

it('shows the new total before it charges another method than the one shown', async () => {
  const { shop, path } = await started();
  const asked = await submitCheckout(path, 'pay', { ...ADDRESS, shipping_method: 'express' });
  expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('is €32.00')]);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  const form = { ...ADDRESS, shipping_method: 'express', shown_total: shownTotal(asked), action: 'pay' };
  const { order_id } = readReturn(await browse(path, form));
  expect((await orderOf(shop, order_id)).totals.shipping).toBe(12);
});

it('begins with the method that the cart has', async () => {
  const shop = await sandboxShop({ settings });
  const cart = await cartWith(shop, await stockedProduct(shop));
  await to(shop, cart, 'DE');
  await shop.put(`/cart/${cart}/shipping-method`, { id: 'express' });
  const path = await checkoutPath(shop, cart);
  expect((await browse(path)).text).toMatch(/value="express" checked/);
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  expect((await orderOf(shop, order_id)).shipping_method.id).toBe('express');
});

it('asks again when the chosen method does not deliver to the country, even at the same total', async () => {
  const { shop, path } = await started();
  const french = { ...ADDRESS, country: 'FR', shipping_method: 'express' };
  const page = await browse(path);
  const asked = await browse(path, { ...french, shown_total: shownTotal(page), action: 'pay' });
  expect([asked.status, asked.text]).toEqual([
    200,
    expect.stringContaining('Parcel delivers to your address'),
  ]);
  expect(asked.text).not.toContain('value="express"');
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  const form = { ...french, shipping_method: 'parcel', shown_total: shownTotal(asked), action: 'pay' };
  expect((await orderOf(shop, readReturn(await browse(path, form)).order_id)).shipping_method.id).toBe(
    'parcel',
  );
});

it('asks for the country first where no method delivers everywhere', async () => {
  const { shop, path } = await started(null);
  const page = await browse(path);
  expect(page.text).toContain('Choose your country');
  expect(page.text).not.toContain('name="shipping_method"');
  const asked = await submitCheckout(path, 'pay');
  expect(asked.text).toContain('The total for your address is €25.00');
  const form = { ...ADDRESS, shown_total: shownTotal(asked), action: 'pay' };
  const { order_id } = readReturn(await browse(path, form));
  expect((await orderOf(shop, order_id)).shipping_method).toEqual({ id: 'parcel', name: 'Parcel' });
});

it('refuses a country that no method delivers to, on the page and before it', async () => {
  const { shop, cart, path } = await started();
  const page = await submitCheckout(path, 'pay', { ...ADDRESS, country: 'NO' });
  expect([page.status, page.text]).toEqual([
    409,
    expect.stringContaining('This shop does not deliver to Norway.'),
  ]);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
  await browse(path, { ...ADDRESS, country: 'NO', action: 'update' });
  expect((await browse(path)).text).toContain('This shop does not deliver to Norway.');
  await to(shop, cart, 'NO');
  const refused = await startCheckout(shop, cart);
  expect([refused.status, refused.body.code]).toEqual([409, 'shipping_unavailable']);
  await to(shop, cart, 'FR');
  expect((await startCheckout(shop, cart)).status).toBe(200);
});

it('keeps the methods of the moment at which checkout began', async () => {
  const { shop, path } = await started();
  await shop.patch('/settings', { shipping: { methods: [{ id: 'snail', name: 'Snail', price: 1 }] } });
  const form = { ...ADDRESS, shipping_method: 'express' };
  await browse(path, { ...form, shown_total: '0', action: 'update' });
  const { order_id } = readReturn(await submitCheckout(path, 'pay', form));
  expect(await orderOf(shop, order_id)).toMatchObject({
    shipping_method: { id: 'express' },
    totals: { shipping: 12 },
  });
});

it('ignores a method that a form makes up', async () => {
  const { shop, path } = await started();
  const asked = await submitCheckout(path, 'pay', { ...ADDRESS, shipping_method: '<script>' });
  const { order_id } = readReturn(asked);
  expect((await orderOf(shop, order_id)).shipping_method.id).toBe('parcel');
});

it('has neither methods nor a choice for what is not shipped, and no choice without methods', async () => {
  const shop = await sandboxShop({ settings });
  const course = await createProduct(shop, { name: 'Course', type: 'virtual', stock: 9 });
  const path = await checkoutPath(shop, await cartWith(shop, course));
  expect((await browse(path)).text).not.toContain('Delivery');
  const fields = { email: 'ada@example.com', first_name: 'Ada', last_name: 'L', country: 'NO' };
  const { order_id } = readReturn(await submitCheckout(path, 'pay', fields));
  expect((await orderOf(shop, order_id)).shipping_method).toBeNull();

  const flat = await sandboxShop({ settings: { shipping: { flat: 5 } } });
  const flatPath = await checkoutPath(flat, await cartWith(flat, await stockedProduct(flat)));
  expect((await browse(flatPath)).text).not.toContain('shipping_method');
  const placed = readReturn(await submitCheckout(flatPath, 'pay'));
  expect((await orderOf(flat, placed.order_id)).shipping_method).toEqual({
    id: 'standard',
    name: 'Standard',
  });
});

/** A session of two mugs for the tenant's own checkout. */
async function external(country: string | null = 'DE') {
  const shop = await sandboxShop({ settings: { ...OWN_CHECKOUT, ...settings } });
  await shop.patch('/settings', { secrets: { checkout_secret: 'a-secret-of-at-least-16' } });
  const cart = await cartWith(shop, await stockedProduct(shop), 2);
  if (country) await to(shop, cart, country);
  return { shop, session: await sessionOf(shop, cart) };
}

it("shows a tenant's own checkout the methods, and takes its choice", async () => {
  const { shop, session } = await external();
  const read = (await shop.get(`/checkout/sessions/${session}`)).body;
  expect(read.shipping_method).toEqual({ id: 'parcel', name: 'Parcel', price: 5 });
  expect(read.shipping_methods).toMatchObject([
    { id: 'parcel', price: 5, selected: true },
    { id: 'express', price: 12, selected: false },
  ]);
  for (const [method, status, code] of [
    ['unheard-of', 422, 'validation_error'],
    ['', 422, 'validation_error'],
    [7, 422, 'validation_error'],
  ] as const) {
    const refused = await shop.post('/orders', { session, shipping_method: method });
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(Object.keys(refused.body.errors)).toEqual(['shipping_method']);
  }
  const french = { session, shipping_method: 'express', shipping_address: { country: 'FR' } };
  const unfit = await shop.post('/orders', french);
  expect([unfit.status, unfit.body.code, unfit.body.details]).toEqual([
    409,
    'shipping_unavailable',
    { available: ['parcel'] },
  ]);
  const placed = await shop.post('/orders', { session, shipping_method: 'express' });
  expect(placed.body).toMatchObject({
    shipping_method: { id: 'express', name: 'Express <1>' },
    totals: { shipping: 12, grand_total: 32 },
  });
  const again = await shop.post('/orders', french);
  expect([again.status, again.body.id]).toEqual([201, placed.body.id]);
  const after = (await shop.get(`/checkout/sessions/${session}`)).body;
  expect(after.shipping_method).toEqual({ id: 'express', name: 'Express <1>', price: 12 });
  expect(after.shipping_methods).toEqual([]);
});

it("refuses an order of a tenant's own checkout that no method delivers, and takes it to another address", async () => {
  const { shop, session } = await external(null);
  for (const more of [{}, { shipping_address: { country: 'NO' } }]) {
    const refused = await shop.post('/orders', { session, ...more });
    expect([refused.status, refused.body.code]).toEqual([409, 'shipping_unavailable']);
  }
  const placed = await shop.post('/orders', { session, shipping_address: { country: 'FR' } });
  expect([placed.status, placed.body.shipping_method?.id]).toEqual([201, 'parcel']);
});
