import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { remove } from '../../src/catalog/save.ts';
import { db, product, runtime } from '../inventory/support.ts';
import { world } from '../support/world.ts';

const group = (title: string, id: number, more: object = {}) => ({
  title,
  items: [{ product_id: id }],
  ...more,
});

it('asks of every group of a bundle that its members can be sold in it', async () => {
  const shop = await world();
  const cup = await product(shop, { name: 'Cup', stock: 3 });
  const file = await product(shop, { name: 'Book', type: 'downloadable' });
  for (const wrong of [file.id, 999_999_999]) {
    const refused = await shop.post('/products', {
      name: 'Set',
      type: 'bundled',
      price: 1,
      bundle_groups: [group('Cup', cup.id), group('Gift', wrong, { required: false })],
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.bundle_groups[0]).toContain(String(wrong));
  }
});

it.each([
  ['grouped', (id: number, other: number) => ({ grouped: [{ product_id: id }, { product_id: other }] })],
  [
    'bundled',
    (id: number, other: number) => ({
      bundle_groups: [group('Plate', other), group('Cup', id, { required: false })],
    }),
  ],
])('keeps the type of what a %s product is made of', async (type, made) => {
  const shop = await world();
  const cup = await product(shop, { name: 'Cup' });
  const plate = await product(shop, { name: 'Plate' });
  const set = await product(shop, { name: 'Set', type, ...made(cup.id, plate.id) });
  const refused = await shop.patch(`/products/${cup.id}`, { type: 'downloadable' });
  expect(refused.status).toBe(422);
  expect(refused.body.errors.type[0]).toContain(String(set.id));
  expect((await shop.patch(`/products/${cup.id}`, { type: 'virtual' })).status).toBe(200);
  await shop.delete(`/products/${set.id}`);
  expect((await shop.patch(`/products/${cup.id}`, { type: 'downloadable' })).status).toBe(200);
});

it('changes one of two at once: what a group is made of, or the type of it', async () => {
  const shop = await world();
  for (let round = 0; round < 5; round++) {
    const cup = await product(shop, { name: `Cup ${round}` });
    const [made, retyped] = await Promise.all([
      shop.post('/products', { name: 'Set', type: 'grouped', price: 0, grouped: [{ product_id: cup.id }] }),
      shop.patch(`/products/${cup.id}`, { type: 'downloadable' }),
    ]);
    expect([made.status === 201, retyped.status === 200].filter(Boolean)).toHaveLength(1);
  }
});

it('lets a product be changed whose member was deleted, but not named again', async () => {
  const shop = await world();
  const cup = await product(shop, { name: 'Cup', stock: 3 });
  const plate = await product(shop, { name: 'Plate', stock: 4 });
  const grouped = [{ product_id: cup.id }, { product_id: plate.id }];
  const set = await product(shop, { name: 'Set', type: 'grouped', grouped });
  await shop.delete(`/products/${cup.id}`);
  const hidden = await shop.patch(`/products/${set.id}`, { status: 'inactive' });
  expect(hidden.status, JSON.stringify(hidden.body)).toBe(200);
  expect(hidden.body).toMatchObject({ status: 'inactive', stock: 4 });
  const named = await shop.patch(`/products/${set.id}`, {
    grouped: [{ product_id: cup.id, default_quantity: 2 }, { product_id: plate.id }],
  });
  expect(named.body.errors.grouped).toEqual([expect.stringContaining(String(cup.id))]);
  expect((await shop.patch(`/products/${set.id}`, { grouped: [{ product_id: plate.id }] })).status).toBe(200);
});

it('is deleted once, however many ask at the same moment', async () => {
  const shop = await world();
  const cup = await product(shop, { name: 'Cup' });
  const mine = { tenantId: shop.tenantId, currency: 'EUR', currencies: ['EUR'] };
  const answers = await Promise.all([1, 2, 3].map(() => remove(runtime, db(), mine, cup.id)));
  expect(answers.map((one) => (one.ok ? 'gone' : one.failure.code)).sort()).toEqual([
    'gone',
    'product_not_found',
    'product_not_found',
  ]);
  const { results } = await env.DB.prepare(
    `SELECT data ->> 'changed' AS changed FROM outbox WHERE tenant_id = ? AND type = 'product.updated'`,
  )
    .bind(shop.tenantId)
    .all();
  expect(results).toEqual([{ changed: '["created"]' }, { changed: '["deleted"]' }]);
});
