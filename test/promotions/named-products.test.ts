import { expect, it } from 'vitest';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { promote } from '../support/fixtures/selling/promotions.ts';
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
