/** Former slugs, which triggers write beside the copy, of a product that changes while its tenant moves. */
import { expect, it } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { runMove, startMove } from '../../support/shards/moving.ts';
import { world } from '../../support/world.ts';

it('moves a tenant whose product is renamed and deleted meanwhile', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Cup' });
  const id = await startMove(shop);
  let changed = false;
  const move = await runMove(shop, id, {
    between: async (state) => {
      if (changed || state !== 'catching_up') return;
      changed = true;
      expect((await shop.patch(`/products/${cup.body.id}`, { slug: 'mug' })).status).toBe(200);
      expect((await shop.delete(`/products/${cup.body.id}`)).status).toBe(204);
    },
  });
  expect(move.state).toBe('switched');
  expect((await shop.get('/products/slug/cup')).status).toBe(404);
});

it('moves a tenant whose products pass a slug on and are deleted meanwhile', async () => {
  const shop = await world();
  const [cup, mug] = [
    (await createProduct(shop, { name: 'Cup' })).body.id,
    (await createProduct(shop, { name: 'Mug' })).body.id,
  ];
  const id = await startMove(shop);
  let changed = false;
  const move = await runMove(shop, id, {
    between: async (state) => {
      if (changed || state !== 'catching_up') return;
      changed = true;
      for (const [product, slug] of [
        [cup, 'plate'],
        [mug, 'cup'],
        [mug, 'bowl'],
      ] as const)
        expect((await shop.patch(`/products/${product}`, { slug })).status).toBe(200);
      expect((await shop.delete(`/products/${mug}`)).status).toBe(204);
    },
  });
  expect(move.state).toBe('switched');
  expect((await shop.get('/products/slug/cup')).status).toBe(404);
});
