import { expect, it } from 'vitest';
import { MAX_STOCK, releaseCart } from '../../src/inventory/index.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { reserveForCart } from '../support/fixtures/catalog/inventory.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { contextOf } from '../support/runtime/runtime.ts';
import { world } from '../support/world.ts';

/** Stock has a largest value, however it is reached. */

it('never exceeds the largest quantity, also by deltas', async () => {
  const shop = await world();
  const {
    body: { id },
  } = await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: MAX_STOCK - 1 });
  await createProduct(shop, { name: 'Mug', sku: 'MUG' });
  const adjust = (...items: object[]) => shop.post('/inventory/adjustments', { items });
  const refused = await adjust({ sku: 'MUG', delta: 5 }, { sku: 'CUP', delta: 2 });
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors).toEqual({ 'items.1.delta': [`must not raise the stock above ${MAX_STOCK}`] });
  expect((await shop.get('/products?q=mug')).body.data[0].stock).toBe(0);
  expect((await adjust({ sku: 'CUP', delta: 1 })).body.data[0].stock).toBe(MAX_STOCK);
  expectProblem(await adjust({ sku: 'CUP', delta: MAX_STOCK }), 422, 'validation_error');
  expect((await adjust({ sku: 'CUP', delta: -1 })).body.data[0].stock).toBe(MAX_STOCK - 1);
  expect((await stockOf(id))?.on_hand).toBe(MAX_STOCK - 1);
});

it('never exceeds it when a product is written meanwhile', async () => {
  const shop = await world();
  const {
    body: { id },
  } = await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: MAX_STOCK - 1 });
  beforeBatch(/INSERT INTO stock_movements/, async () => {
    expect((await shop.patch(`/products/${id}`, { stock: MAX_STOCK })).status).toBe(200);
  });
  const refused = await shop.post('/inventory/adjustments', { items: [{ sku: 'CUP', delta: 1 }] });
  expectProblem(refused, 422, 'validation_error');
  expect((await stockOf(id))?.on_hand).toBe(MAX_STOCK);
});

it('lowers a stock that released units have made larger', async () => {
  const shop = await world();
  const {
    body: { id },
  } = await createProduct(shop, { name: 'Cup', sku: 'CUP', stock: 5 });
  const adjust = (change: object) =>
    shop.post('/inventory/adjustments', { items: [{ sku: 'CUP', ...change }] });
  await reserveForCart(shop, 'a', [{ itemId: id, quantity: 3 }]);
  expect((await adjust({ stock: MAX_STOCK })).status).toBe(200);
  await releaseCart(contextOf(shop), 'a', 2);
  expectProblem(await adjust({ delta: 1 }), 422, 'validation_error');
  const lowered = await adjust({ delta: -1 });
  expect([lowered.status, lowered.body.data[0].stock]).toEqual([200, MAX_STOCK + 2]);
});
