/** A unique value that passes from row to row while a tenant moves. */
import { expect, it } from 'vitest';
import { beforeBatch } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { runMove, startMove } from '../../support/shards/moving.ts';
import { type World, world } from '../../support/world.ts';

/** Creates as many products as fill a page of the copy, and one more; returns the first id and the last one. */
async function plates(shop: World): Promise<readonly [number, number]> {
  const ids: number[] = [];
  for (let n = 0; n <= 20; n++) ids.push((await createProduct(shop, { name: `Plate ${n}` })).body.id);
  return [ids[0] ?? 0, ids.at(-1) ?? 0];
}

/** The first product passes its slug to the last one. */
async function passSlug(shop: World, first: number, last: number): Promise<void> {
  expect((await shop.patch(`/products/${first}`, { slug: 'former-plate' })).status).toBe(200);
  expect((await shop.patch(`/products/${last}`, { slug: 'plate-0' })).status).toBe(200);
}

it('copies a row that takes the value of one on an earlier page', async () => {
  const shop = await world();
  const [first, last] = await plates(shop);
  const id = await startMove(shop);
  beforeBatch(/INSERT INTO products /, () => passSlug(shop, first, last));
  expect(await runMove(shop, id)).toMatchObject({ state: 'switched', progress: { repaired_rows: 0 } });
  expect((await shop.get('/products/slug/plate-0')).body.id).toBe(last);
  expect((await shop.get('/products/slug/former-plate')).body.id).toBe(first);
});

it('copies a change that takes the value of a row which is copied later', async () => {
  const shop = await world();
  const [first, last] = await plates(shop);
  const others: number[] = [];
  for (let n = 0; n < 20; n++) others.push((await createProduct(shop, { name: `Bowl ${n}` })).body.id);
  const id = await startMove(shop);
  let passed = false;
  const move = await runMove(shop, id, {
    between: async (state) => {
      if (passed || state !== 'catching_up') return;
      passed = true;
      await passSlug(shop, first, last);
      for (const product of [...others, first]) await shop.patch(`/products/${product}`, { price: 7 });
    },
  });
  expect(move).toMatchObject({ state: 'switched', progress: { repaired_rows: 0 } });
  expect((await shop.get('/products/slug/plate-0')).body.id).toBe(last);
  expect((await shop.get('/products/slug/former-plate')).body.id).toBe(first);
});

it('counts the feed after two products have exchanged their SKUs', async () => {
  const shop = await world();
  const [cup, mug] = [
    (await createProduct(shop, { name: 'Cup', sku: 'A' })).body.id,
    (await createProduct(shop, { name: 'Mug', sku: 'B' })).body.id,
  ];
  const id = await startMove(shop);
  let exchanged = false;
  const move = await runMove(shop, id, {
    between: async (state) => {
      if (exchanged || state !== 'catching_up') return;
      exchanged = true;
      for (const [product, sku] of [
        [cup, 'C'],
        [mug, 'A'],
        [cup, 'B'],
      ] as const)
        expect((await shop.patch(`/products/${product}`, { sku })).status).toBe(200);
    },
  });
  expect(move.state).toBe('switched');
  const { data, meta } = (await shop.get('/marketplace/products')).body;
  expect(data.map(({ sku }: { sku: string }) => sku).sort()).toEqual(['A', 'B']);
  expect(meta.total).toBe(2);
});
