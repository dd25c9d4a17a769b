import { beforeAll, expect, it } from 'vitest';
import { createProduct, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { type Answer, type World, world } from '../../support/world.ts';

/** The shipping methods of a cart: which fit, what they cost, and which applies. */

const METHODS = [
  { id: 'parcel', name: 'Parcel', price: 4.9, free_over: 60, min_days: 2, max_days: 4 },
  {
    id: 'express',
    name: 'Express',
    description: 'Before noon',
    countries: ['DE'],
    min_days: 1,
    tiers: [
      { from_weight: 0, price: 9.9 },
      { from_weight: 2_000, price: 14.9 },
    ],
  },
  { id: 'euro', name: 'Euro only', price: { EUR: 7 } },
  { id: 'retired', name: 'Retired', price: 0, active: false },
];

let shop: World;
let mug: Answer;
let voucher: Answer;
beforeAll(async () => {
  shop = await world({
    currencies: ['EUR', 'USD'],
    settings: {
      tax: { mode: 'exclusive', rate_percent: 10, shipping_taxed: true },
      shipping: { methods: METHODS },
    },
  });
  await shop.post('/coupons', { code: 'FREE', kind: 'free_shipping' });
  await shop.post('/coupons', { code: 'HALF', kind: 'percent', value: 50 });
  mug = await stockedProduct(shop, { name: 'Mug', price: 10, prices: { USD: 12 }, weight: 500 });
  voucher = await stockedProduct(shop, { name: 'Voucher', type: 'virtual', price: 25 });
});

/** A cart with mugs, sent to a country. */
async function mugsTo(country: string | null, quantity = 1): Promise<string> {
  const { cart_token } = (await addToCart(shop, mug, { quantity })).body;
  if (country) await shop.put(`/cart/${cart_token}/shipping-address`, { country });
  return cart_token;
}
const read = async (cart: string) => (await shop.get(`/cart/${cart}`)).body;
const methods = async (cart: string) => (await shop.get(`/cart/${cart}/shipping-methods`)).body.data;
const choose = (cart: string, id: unknown, more = {}) =>
  shop.put(`/cart/${cart}/shipping-method`, { id }, more);

it('lists what fits country and goods with its price, and selects the cheapest', async () => {
  const cart = await mugsTo('DE');
  const listed = await shop.get(`/cart/${cart}/shipping-methods`);
  expect([listed.status, listed.body]).toEqual([
    200,
    {
      data: [
        {
          id: 'parcel',
          name: 'Parcel',
          description: null,
          price: 4.9,
          min_days: 2,
          max_days: 4,
          selected: true,
        },
        {
          id: 'express',
          name: 'Express',
          description: 'Before noon',
          price: 9.9,
          min_days: 1,
          max_days: null,
          selected: false,
        },
        {
          id: 'euro',
          name: 'Euro only',
          description: null,
          price: 7,
          min_days: null,
          max_days: null,
          selected: false,
        },
      ],
    },
  ]);
  const shown = await read(cart);
  expect(shown.shipping_method).toEqual({ id: 'parcel', name: 'Parcel', price: 4.9 });
  expect(shown.totals).toMatchObject({ shipping: 4.9, tax: 1.49, grand_total: 16.39 });
  const ids = async (token: string) => (await methods(token)).map(({ id }: { id: string }) => id);
  expect(await ids(await mugsTo('FR'))).toEqual(['parcel', 'euro']);
  expect(await ids(await mugsTo(null))).toEqual(['parcel', 'euro']);
  const dollars = (await shop.post('/cart', { currency: 'USD' })).body.cart_token;
  await addToCart(shop, mug, { cart_token: dollars });
  expect(await ids(dollars)).toEqual(['parcel']);
});

it('charges the chosen method, by the weight of what is shipped and the value after discount', async () => {
  const cart = await mugsTo('DE', 3);
  const chosen = await choose(cart, 'express');
  expect(chosen.body.shipping_method).toEqual({ id: 'express', name: 'Express', price: 9.9 });
  const selected = (await methods(cart)).filter((method: { selected: boolean }) => method.selected);
  expect(selected).toMatchObject([{ id: 'express' }]);
  await addToCart(shop, voucher, { cart_token: cart, quantity: 10 });
  expect((await read(cart)).totals.shipping).toBe(9.9);
  const heavy = await addToCart(shop, mug, { cart_token: cart });
  expect(heavy.body.shipping_method.price).toBe(14.9);
  expect((await choose(cart, 'parcel')).body.totals.shipping).toBe(0);
  const small = await mugsTo('DE', 6);
  expect((await read(small)).totals.shipping).toBe(0);
  const halved = await shop.post(`/cart/${small}/coupon`, { code: 'HALF' });
  expect(halved.body.totals).toMatchObject({ subtotal_after_discount: 30, shipping: 4.9 });
});

it("weighs a variant by its own weight or else its product's, and sets by their members", async () => {
  const shirt = await createProduct(shop, {
    name: 'Shirt',
    type: 'configurable',
    weight: 1_999,
    variants: [
      { sku: 'sw-s', price: 1, stock: 9, weight: 2_000, attributes: { size: 'S' } },
      { sku: 'sw-m', price: 1, stock: 9, attributes: { size: 'M' } },
    ],
  });
  const group = {
    title: 'Mugs',
    multiple: true,
    items: [{ product_id: mug.body.id, quantity: 4 }, { product_id: voucher.body.id }],
  };
  const box = await createProduct(shop, { name: 'Box', type: 'bundled', bundle_groups: [group] });
  const set = await createProduct(shop, {
    name: 'Set',
    type: 'grouped',
    price: 0,
    grouped: [{ product_id: mug.body.id, default_quantity: 4 }],
  });
  const weigh = async (product: Answer, body: object) => {
    const { cart_token } = (await addToCart(shop, product, body)).body;
    const { body: explained } = await shop.get(`/cart/${cart_token}/explain`);
    return explained.shipping.weight;
  };
  const [small, medium] = shirt.body.variants;
  expect(await weigh(shirt, { variant_id: small.id })).toBe(2_000);
  expect(await weigh(shirt, { variant_id: medium.id, quantity: 2 })).toBe(3_998);
  const { id, items } = box.body.bundle_groups[0];
  const all = items.map((item: { id: number }) => item.id);
  expect(await weigh(box, { options: { bundle_options: { [id]: all } } })).toBe(2_000);
  expect(
    await weigh(box, {
      options: { bundle_options: { [id]: all.slice(0, 1) }, bundle_option_qty: { [id]: 2 } },
    }),
  ).toBe(4_000);
  expect(await weigh(set, {})).toBe(2_000);
  expect(await weigh(voucher, {})).toBe(0);
});

it('falls back to the cheapest with a warning while the chosen method does not fit', async () => {
  const cart = await mugsTo('DE');
  expect((await choose(cart, 'express')).body.warnings).toEqual([]);
  const moved = await shop.put(`/cart/${cart}/shipping-address`, { country: 'FR' });
  expect(moved.body.shipping_method).toEqual({ id: 'parcel', name: 'Parcel', price: 4.9 });
  expect(moved.body.warnings).toEqual([
    {
      code: 'shipping_method_changed',
      message: 'Express does not fit this cart; Parcel applies in its place.',
    },
  ]);
  const back = await shop.put(`/cart/${cart}/shipping-address`, { country: 'DE' });
  expect([back.body.shipping_method.id, back.body.warnings]).toEqual(['express', []]);
  await shop.put(`/cart/${cart}/shipping-address`, { country: 'FR' });
  expect((await choose(cart, 'parcel')).body.warnings).toEqual([]);
});

it('refuses a method that is unknown or does not fit, and leaves the cart as it was', async () => {
  const cart = await mugsTo('FR');
  const before = await read(cart);
  for (const id of ['retired', 'standard', 'unheard-of', 7, null, '']) {
    const refused = await choose(cart, id);
    expect([refused.status, Object.keys(refused.body.errors ?? {})], String(id)).toEqual([422, ['id']]);
  }
  const refused = await choose(cart, 'express');
  expect([refused.status, refused.body.code]).toEqual([409, 'shipping_unavailable']);
  expect(refused.body.details).toEqual({ available: ['parcel', 'euro'] });
  expect(await read(cart)).toEqual(before);
  const wrong = await shop.put(`/cart/${cart}/shipping-method`, { id: 'parcel', price: 0 });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['price']]);
});

it('requires the version that If-Match names, is idempotent, and is recorded in the history', async () => {
  const cart = await mugsTo('DE');
  const etag = (await shop.get(`/cart/${cart}`)).headers.get('etag') ?? '';
  const chosen = await choose(cart, 'express', { headers: { 'if-match': etag } });
  expect(chosen.status).toBe(200);
  const late = await choose(cart, 'parcel', { headers: { 'if-match': etag } });
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  const same = await choose(cart, 'express');
  expect(same.headers.get('etag')).toBe(chosen.headers.get('etag'));
  const { data } = (await shop.get(`/cart/${cart}/history`)).body;
  expect(data[0].operations).toEqual([{ op: 'shipping_method', id: 'express' }]);
  expect(data[0].totals.shipping).toBe(9.9);
});

it('has no method and no shipping when nothing is shipped', async () => {
  const { cart_token, ...cart } = (await addToCart(shop, voucher, {})).body;
  expect([cart.shipping_method, cart.totals.shipping]).toEqual([null, 0]);
  expect(await methods(cart_token)).toEqual([]);
  expect((await choose(cart_token, 'parcel')).body.code).toBe('shipping_unavailable');
});

it('ships for nothing with a coupon for free shipping, by the method that applied without it', async () => {
  const cart = await mugsTo('DE');
  await choose(cart, 'express');
  const free = await shop.post(`/cart/${cart}/coupon`, { code: 'FREE' });
  expect(free.body.shipping_method).toEqual({ id: 'express', name: 'Express', price: 0 });
  expect(free.body.totals.shipping).toBe(0);
  expect((await methods(cart)).map(({ price }: { price: number }) => price)).toEqual([0, 0, 0]);
  const { shipping } = (await shop.get(`/cart/${cart}/explain`)).body;
  expect(shipping).toMatchObject({ amount: 0, rule: 'free_shipping_coupon', method: { id: 'express' } });
  const other = await mugsTo('DE');
  const cheapest = await shop.post(`/cart/${other}/coupon`, { code: 'FREE' });
  expect(cheapest.body.shipping_method.id).toBe('parcel');
});

it('explains the price by the method, its tier and the weight', async () => {
  const cart = await mugsTo('DE', 4);
  await choose(cart, 'express');
  const { shipping } = (await shop.get(`/cart/${cart}/explain`)).body;
  expect(shipping).toEqual({
    amount: 14.9,
    rule: 'weight_tier',
    method: { id: 'express', name: 'Express' },
    flat_rate: 14.9,
    free_over: null,
    weight: 2_000,
    tier: { from_subtotal: null, from_weight: 2_000, price: 14.9 },
  });
});
