/** Shops without methods, with none for a country, and with methods that change under a cart. */

import { expect, it } from 'vitest';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { world } from '../../support/world.ts';

it('says that no method delivers to a country, and charges nothing', async () => {
  const german = await world({
    settings: { shipping: { methods: [{ id: 'dhl', name: 'DHL', price: 5, countries: ['DE'] }] } },
  });
  const cup = await stockedProduct(german);
  const { cart_token, ...cart } = (await addToCart(german, cup, {})).body;
  expect([cart.shipping_method, cart.totals.shipping, cart.warnings]).toEqual([null, 0, []]);
  const norway = await german.put(`/cart/${cart_token}/shipping-address`, { country: 'NO' });
  expect([norway.body.shipping_method, norway.body.warnings]).toEqual([
    null,
    [{ code: 'shipping_unavailable', message: 'No shipping method delivers to Norway.' }],
  ]);
  expect((await german.get(`/cart/${cart_token}/explain`)).body.shipping.rule).toBe('no_method');
});

it('has the one method standard without methods, at the flat rate of the country', async () => {
  const flat = await world({
    settings: { shipping: { flat: 5, free_over: 50, by_country: { AT: { flat: 7, free_over: null } } } },
  });
  const cup = await stockedProduct(flat, { price: 60 });
  const { cart_token } = (await addToCart(flat, cup, {})).body;
  const one = async () => (await flat.get(`/cart/${cart_token}/shipping-methods`)).body.data;
  expect(await one()).toMatchObject([{ id: 'standard', name: 'Standard', price: 0, selected: true }]);
  await flat.put(`/cart/${cart_token}/shipping-address`, { country: 'AT' });
  expect(await one()).toMatchObject([{ id: 'standard', price: 7 }]);
  expect((await flat.put(`/cart/${cart_token}/shipping-method`, { id: 'standard' })).status).toBe(200);
});

it('follows a change of the methods and of a weight', async () => {
  const parcel = { id: 'parcel', name: 'Parcel', price: 4.9 };
  const tiers = [
    { from_weight: 0, price: 9.9 },
    { from_weight: 2_000, price: 14.9 },
  ];
  const express = { id: 'express', name: 'Express', tiers };
  const own = await world({ settings: { shipping: { methods: [parcel, express] } } });
  const cup = await stockedProduct(own, { weight: 100 });
  const { cart_token } = (await addToCart(own, cup, {})).body;
  await own.put(`/cart/${cart_token}/shipping-address`, { country: 'DE' });
  await own.put(`/cart/${cart_token}/shipping-method`, { id: 'express' });
  const heavier = await own.patch(`/products/${cup.body.id}`, { weight: 2_500 });
  const shown = await own.get(`/cart/${cart_token}`, seeing(heavier));
  expect(shown.body.shipping_method.price).toBe(14.9);
  const changed = await own.patch('/settings', { shipping: { methods: [parcel] } });
  const after = await own.get(`/cart/${cart_token}`, seeing(changed));
  expect(after.body.shipping_method.id).toBe('parcel');
  expect(after.body.warnings).toMatchObject([{ code: 'shipping_method_changed' }]);
});
