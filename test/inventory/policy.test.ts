import { expect, it } from 'vitest';
import { releaseCart } from '../../src/inventory/index.ts';
import { reserveForCart } from '../support/fixtures/catalog/inventory.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';

/** A product of the policy `continue` of which three more were sold than there were. */
async function oversold(shop: World): Promise<number> {
  const {
    body: { id },
  } = await createProduct(shop, { name: 'Cup', inventory_policy: 'continue' });
  const sold = await shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta: -3 }] });
  expect(sold.status).toBe(200);
  return id;
}

it('rejects the policy deny for negative stock, unless the stock is set with it', async () => {
  const shop = await world();
  const cup = await oversold(shop);
  const refused = await shop.patch(`/products/${cup}`, { inventory_policy: 'deny', name: 'Mug' });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'insufficient_stock', details: { product_id: cup } });
  expect((await shop.patch(`/products/${cup}`, {})).body).toMatchObject({
    name: 'Cup',
    inventory_policy: 'continue',
    stock: 0,
  });
  const counted = await shop.patch(`/products/${cup}`, { inventory_policy: 'deny', stock: 5 });
  expect(counted.status).toBe(200);
  expect(counted.body).toMatchObject({ inventory_policy: 'deny', stock: 5 });
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 0 });
});

it('starts at 0 when negative stock is set to 0', async () => {
  const shop = await world();
  const cup = await oversold(shop);
  expect((await shop.patch(`/products/${cup}`, { stock: 0 })).body.stock).toBe(0);
  expect(await stockOf(cup)).toEqual({ on_hand: 0, reserved: 0 });
});

it('starts at 0 when stock 0 is set with the policy', async () => {
  const shop = await world();
  const cup = await oversold(shop);
  const emptied = await shop.patch(`/products/${cup}`, { inventory_policy: 'deny', stock: 0 });
  expect(emptied.status).toBe(200);
  await shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta: 2 }] });
  expect(await stockOf(cup)).toEqual({ on_hand: 2, reserved: 0 });
});

it('counts reserved stock under the policy deny', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', inventory_policy: 'continue' });
  expect((await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 2 }])).ok).toBe(true);
  const refused = await shop.patch(`/products/${cup}`, { inventory_policy: 'deny' });
  expect(refused.body.code).toBe('insufficient_stock');
  const counted = await shop.patch(`/products/${cup}`, { inventory_policy: 'deny', stock: 5 });
  expect(counted.body).toMatchObject({ inventory_policy: 'deny', stock: 5 });
  expect(await stockOf(cup)).toEqual({ on_hand: 7, reserved: 2 });
  await releaseCart(contextOf(shop), 'a', 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 7, reserved: 0 });
});

it('applies deny to each variant that gets stock', async () => {
  const shop = await world();
  const variant = { sku: 'T-S', price: 9, attributes: { size: 'S' } };
  const { body: tee } = await createProduct(shop, {
    name: 'Tee',
    type: 'configurable',
    inventory_policy: 'continue',
    variants: [variant],
  });
  await shop.post('/inventory/adjustments', { items: [{ sku: 'T-S', delta: -3 }] });
  const refused = await shop.patch(`/products/${tee.id}`, { inventory_policy: 'deny' });
  expect(refused.body.code).toBe('insufficient_stock');
  const counted = await shop.patch(`/products/${tee.id}`, {
    inventory_policy: 'deny',
    variants: [{ ...variant, stock: 4 }],
  });
  expect(counted.body).toMatchObject({ inventory_policy: 'deny', stock: 4, variants: [{ stock: 4 }] });
});

it('shows in a bundle that a component may be sold without stock', async () => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 1 });
  const { body: set } = await createProduct(shop, {
    name: 'Set',
    type: 'bundled',
    bundle_groups: [{ title: 'Cup', items: [{ product_id: cup.id }] }],
  });
  expect(set.stock).toBe(1);
  await shop.patch(`/products/${cup.id}`, { inventory_policy: 'continue' });
  expect((await shop.patch(`/products/${set.id}`, {})).body.stock).toBe(9_999);
});

it('keeps the type of a product while some of it is reserved', async () => {
  const shop = await world();
  const {
    body: { id: cup },
  } = await createProduct(shop, { name: 'Cup', stock: 5 });
  await reserveForCart(shop, 'a', [{ itemId: cup, quantity: 2 }]);
  const wanted = {
    type: 'configurable',
    variants: [{ sku: 'CUP-S', price: 9, stock: 1, attributes: { size: 'S' } }],
  };
  const refused = await shop.patch(`/products/${cup}`, wanted);
  expect(refused.status).toBe(422);
  expect(refused.body.errors.type[0]).toContain('reserved');
  expect((await shop.patch(`/products/${cup}`, { type: 'virtual' })).status).toBe(200);
  await releaseCart(contextOf(shop), 'a', 2);
  expect(await stockOf(cup)).toEqual({ on_hand: 5, reserved: 0 });
  expect((await shop.patch(`/products/${cup}`, wanted)).body).toMatchObject({ stock: 1 });
  expect((await shop.patch(`/products/${cup}`, { type: 'simple', stock: 3 })).body).toMatchObject({
    stock: 3,
  });
});

it.each([
  ['grouped', { grouped: [{ product_id: 0 }] }],
  ['bundled', { bundle_groups: [{ title: 'Cup', items: [{ product_id: 0 }] }] }],
  ['configurable', { variants: [{ sku: 'V', price: 1, stock: 40, attributes: { size: 'S' } }] }],
])('gives a product that was %s only the stock of the request', async (type, body) => {
  const shop = await world();
  const { body: cup } = await createProduct(shop, { name: 'Cup', stock: 40 });
  const made = JSON.parse(JSON.stringify(body).replace('"product_id":0', `"product_id":${cup.id}`));
  const { body: set } = await createProduct(shop, { name: 'Set', type, ...made });
  expect(set.stock).toBe(40);
  expect((await shop.patch(`/products/${set.id}`, { type: 'simple' })).body.stock).toBe(0);
  expect(await stockOf(set.id)).toEqual({ on_hand: 0, reserved: 0 });
  expect((await shop.patch(`/products/${set.id}`, { type, ...made })).body.stock).toBe(40);
  expect((await shop.patch(`/products/${set.id}`, { type: 'virtual', stock: 3 })).body.stock).toBe(3);
});

it('tracks stock of a product that is no longer downloadable', async () => {
  const shop = await world();
  const { body: file } = await createProduct(shop, { name: 'Book', type: 'downloadable', stock: 2 });
  expect(file.inventory_policy).toBe('untracked');
  const paper = await shop.patch(`/products/${file.id}`, { type: 'simple' });
  expect(paper.body).toMatchObject({ inventory_policy: 'deny', stock: 2 });
});
