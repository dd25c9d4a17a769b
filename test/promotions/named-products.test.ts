import { expect, it } from 'vitest';
import { createProduct, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { promote } from '../support/fixtures/selling/promotions.ts';
import { plansOf } from '../support/storage/query-plans.ts';
import { world } from '../support/world.ts';

it('names inactive products to callers alone who may see them', async () => {
  const shop = await world();
  const { body: mug } = await stockedProduct(shop, { name: 'Mug' });
  const { body: draft } = await stockedProduct(shop, { name: 'Next season', status: 'inactive' });
  const named = { product_ids: [mug.id, draft.id] };
  const { body: promotion } = await promote(shop, { conditions: named });
  const namesFor = async (token: string) => {
    const { status, body } = await shop.get(`/promotions/${promotion.id}/products`, { token });
    expect(status).toBe(200);
    return body.data.map(({ name }: { name: string }) => name);
  };
  expect(await namesFor(shop.token)).toEqual(['Mug', 'Next season']);
  const marketing = await shop.register({ kind: 'integration', scopes: ['coupons:write'] });
  expect(await namesFor(marketing.token)).toEqual(['Mug']);
});

it('looks up the products and categories that a promotion names, and no others', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup' })).body;
  const { id: cups } = (await shop.post('/categories', { name: 'Cups' })).body;
  const body = { code: 'CUPS', kind: 'percent', value: 10, product_ids: [cup], category_ids: [cups] };
  const plans = await plansOf(async () => {
    expect((await shop.post('/coupons', body)).status).toBe(201);
    expect((await shop.post('/coupons', { ...body, code: 'NONE', product_ids: [cup + 1] })).status).toBe(422);
  });
  // A plan that has only the tenant's id to search by reads the whole catalogue.
  const whole = [...plans.values()]
    .flat()
    .filter((step) => /(products|categories)_.*\(tenant_id=\?\)$/.test(step));
  expect(whole).toEqual([]);
});
