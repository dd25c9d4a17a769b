import { expect, it } from 'vitest';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { admin, type World, world } from '../../support/world.ts';

const sells = (shop: World, currencies: string[]) => admin('PATCH', `/tenants/${shop.slug}`, { currencies });

it('lists nothing in a currency that the tenant has removed, until it is added again', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const variants = [{ sku: 'v', price: 3, prices: { USD: 4 }, attributes: { size: 'M' } }];
  const mug = (await shop.post('/products', { name: 'Mug', type: 'simple', price: 1, prices: { USD: 2 } }))
    .body;
  await shop.post('/products', { name: 'Shirt', type: 'configurable', price: 1, variants });
  const seen = async (path: string) => {
    const { status, body } = await shop.get(path, NEWEST);
    return status === 200 ? (body.data?.length ?? body.price) : status;
  };
  const paths = [
    '/products?currency=USD',
    '/products?currency=USD&q=mug',
    '/products?currency=USD&status=all',
  ];
  const detail = `/products/${mug.id}?currency=USD`;
  expect(await Promise.all([...paths, detail].map(seen))).toEqual([2, 1, 2, 2]);
  expect((await sells(shop, ['EUR'])).status).toBe(200);
  expect(await Promise.all([...paths, detail].map(seen))).toEqual([0, 0, 0, 404]);
  expect((await shop.get('/products?currency=USD', NEWEST)).body.meta).toMatchObject({
    total: 0,
    total_pages: 0,
    next_cursor: null,
  });
  expect(await seen('/products')).toBe(2);
  await sells(shop, ['EUR', 'USD']);
  expect(await Promise.all([...paths, detail].map(seen))).toEqual([2, 1, 2, 2]);
});
