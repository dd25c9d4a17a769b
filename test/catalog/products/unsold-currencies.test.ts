import { expect, it, vi } from 'vitest';
import { admin, type World, world } from '../../support/world.ts';

const sells = (shop: World, currencies: string[]) => admin('PATCH', `/tenants/${shop.slug}`, { currencies });

const mug = {
  name: 'Mug',
  type: 'simple',
  price: 10,
  prices: { USD: 12 },
  sale: { price: 8, prices: { USD: 9 } },
};
const tee = {
  name: 'Tee',
  type: 'configurable',
  price: 10,
  variants: [{ sku: 'A', price: 10, prices: { USD: 12 }, attributes: { size: 'S' } }],
};
const song = {
  name: 'Song',
  type: 'downloadable',
  price: 10,
  prices: { USD: 12 },
  links: [{ title: 'Song', price: 1, prices: { USD: 2 }, url: 'https://files.example/song' }],
};

it('takes back the prices that a product has in a currency which the tenant no longer sells in', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const [first, second, third] = await Promise.all(
    [mug, tee, song].map(async (product) => (await shop.post('/products', product)).body.id),
  );
  await sells(shop, ['EUR']);
  const sendBack = async (id: number, fields: readonly string[]) => {
    const { body } = await shop.get(`/products/${id}`);
    const kept = Object.fromEntries(fields.map((field) => [field, body[field]]));
    const { status, body: after } = await shop.patch(`/products/${id}`, kept);
    expect([status, ...fields.map((field) => after[field])]).toEqual([200, ...Object.values(kept)]);
  };
  await sendBack(first, ['prices', 'sale']);
  await sendBack(second, ['variants']);
  await sendBack(third, ['prices', 'links']);
  const refused = await shop.patch(`/products/${second}`, {
    variants: [{ ...tee.variants[0], prices: { CHF: 1 } }],
  });
  expect(refused.body.errors).toEqual({
    'variants.0.prices.CHF': ["must be one of the tenant's currencies"],
  });
  // A change of a tenant holds everywhere within two seconds.
  const made = () => shop.post('/products', { ...mug, name: 'Cup' });
  await vi.waitFor(async () => expect((await made()).status).toBe(422), 30_000);
});

it('changes the prices of several products by percent in such a currency too', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const ids = [(await shop.post('/products', mug)).body.id, (await shop.post('/products', tee)).body.id];
  await sells(shop, ['EUR']);
  const change = { price: { kind: 'percent', percent: 10 } };
  expect((await shop.post('/products/bulk', { ids, change })).body).toMatchObject({ updated: 2, errors: [] });
  await sells(shop, ['EUR', 'USD']);
  const { body } = await shop.get(`/products?ids=${ids.join(',')}&currency=USD`);
  expect(body.data.map((one: { price: number }) => one.price)).toEqual([9, 13.2]);
});
