import { expect, it } from 'vitest';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { type World, world } from '../support/world.ts';

/** A coupon names products and categories of its own tenant alone. */

const product = async (shop: World) =>
  (await shop.post('/products', { name: 'Cup', type: 'simple', price: 1 })).body.id as number;
const category = async (shop: World) => (await shop.post('/categories', { name: 'Cups' })).body.id as number;
const coupon = (more: object) => ({ code: crypto.randomUUID(), kind: 'percent', value: 10, ...more });

it.each(['10', null, true, [10], { EUR: '10' }])('says what an amount is, of %j', async (value) => {
  const shop = await world();
  const amount = ['must be a number, or an object of numbers by currency such as {"EUR": 5}'];
  const made = await shop.post('/coupons', coupon({ kind: 'fixed', value, minimum_subtotal: [] }));
  expect([made.status, made.body.errors]).toEqual([422, { value: amount, minimum_subtotal: amount }]);
  const settings = { flat: value, by_country: { DE: '9' } };
  const changed = await shop.patch('/settings', { shipping: settings });
  expect([changed.status, changed.body.errors]).toEqual([
    422,
    {
      'shipping.flat': amount,
      'shipping.by_country.DE': ['must be an amount, or an object of "flat" and "free_over"'],
    },
  ]);
});

it('rejects and names ids that are unknown, deleted, of a variant or of another tenant', async () => {
  const [shop, other] = [await world(), await world()];
  const [mine, theirs, gone] = [await product(shop), await product(other), await product(shop)];
  await shop.delete(`/products/${gone}`);
  const [top, foreign] = [await category(shop), await category(other)];
  const { body } = await shop.post('/products', {
    name: 'Shirt',
    type: 'configurable',
    price: 0,
    variants: [{ sku: 'S', price: 1, attributes: { size: 'S' } }],
  });
  const [{ id: variant }] = body.variants;
  const product_ids = [mine, theirs, gone, variant, 999_999];
  const category_ids = [foreign, top];
  const made = await shop.post('/coupons', coupon({ product_ids, category_ids }));
  expectProblem(made, 422, 'validation_error');
  expect(made.body.errors).toEqual({
    product_ids: [theirs, gone, variant, 999_999].map((id) => `there is no product ${id}`),
    category_ids: [`there is no category ${foreign}`],
  });
  expect((await shop.get('/coupons')).body.meta.total).toBe(0);
  const kept = await shop.post('/coupons', coupon({ product_ids: [mine], category_ids: [top] }));
  expect([kept.status, kept.body.product_ids, kept.body.category_ids]).toEqual([201, [mine], [top]]);
  const path = `/coupons/${kept.body.id}`;
  for (const [field, id] of [
    ['product_ids', theirs],
    ['category_ids', foreign],
  ] as const) {
    const changed = await shop.patch(path, { [field]: [id] });
    expectProblem(changed, 422, 'validation_error');
    expect(Object.keys(changed.body.errors)).toEqual([field]);
  }
});

it('rejects groups, which are never a line of a cart', async () => {
  const shop = await world();
  const member = await product(shop);
  const set = { name: 'Tea set', type: 'grouped', price: 0, grouped: [{ product_id: member }] };
  const { id } = (await shop.post('/products', set)).body;
  const errors = { product_ids: [`product ${id} is a group: name its members`] };
  const made = await shop.post('/coupons', coupon({ product_ids: [id, member] }));
  expectProblem(made, 422, 'validation_error');
  expect(made.body.errors).toEqual(errors);
  const promotion = { name: 'Sets', trigger: 'automatic', effect: { kind: 'percent', value: 10 } };
  const refused = await shop.post('/promotions', { ...promotion, conditions: { product_ids: [id] } });
  expect(refused.body.errors).toEqual({ 'conditions.product_ids': errors.product_ids });
  const kept = await shop.post('/coupons', coupon({ product_ids: [member] }));
  expect((await shop.patch(`/coupons/${kept.body.id}`, { product_ids: [id] })).body.errors).toEqual(errors);
});

it('can still be changed after its targets were deleted', async () => {
  const shop = await world();
  const [first, second] = [await product(shop), await product(shop)];
  const { body } = await shop.post('/coupons', coupon({ product_ids: [first, second] }));
  await shop.delete(`/products/${first}`);
  const changed = await shop.patch(`/coupons/${body.id}`, { value: 20 });
  expect([changed.status, changed.body.value]).toEqual([200, 20]);
  expect((await shop.patch(`/coupons/${body.id}`, { product_ids: [second, first] })).status).toBe(200);
});

it('is rejected if its target is deleted at the same time', async () => {
  const shop = await world();
  const id = await product(shop);
  beforeBatch(/insert into "promotions"/i, async () => {
    await shop.delete(`/products/${id}`);
  });
  const made = await shop.post('/coupons', coupon({ product_ids: [id] }));
  expectProblem(made, 422, 'validation_error');
  expect(made.body.errors).toEqual({ product_ids: [`there is no product ${id}`] });
});

it('rejects instants that responses cannot show', async () => {
  const shop = await world();
  for (const field of ['starts_at', 'ends_at']) {
    const made = await shop.post('/coupons', coupon({ [field]: '9999-12-31T23:59:59-05:00' }));
    expectProblem(made, 422, 'validation_error');
    expect(Object.keys(made.body.errors)).toEqual([field]);
  }
});
