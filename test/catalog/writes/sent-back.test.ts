import { expect, it } from 'vitest';
import { countEvents } from '../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { type World, world } from '../../support/world.ts';

/** The fields of a product that only responses have. */
const READ_ONLY = [
  ...['id', 'on_sale', 'price_range', 'currency', 'in_stock', 'options', 'image', 'categories'],
  ...['created_at', 'updated_at'],
];

/** Returns the parts of a product of each type. */
async function partsOf(shop: World, type: string): Promise<object> {
  const member = { name: 'Cup', type: 'simple', price: 4, stock: 5 };
  const { id } = (await shop.post('/products', member)).body;
  const slot = { from: '2031-01-01T10:00:00Z', to: '2031-01-01T11:00:00Z', capacity: 3 };
  const parts: Record<string, object> = {
    configurable: {
      variants: [
        { sku: 'S', price: 10, stock: 3, attributes: { Size: 'S' } },
        { sku: 'M', price: 12, prices: { USD: 13 }, attributes: { Size: 'M' } },
      ],
    },
    downloadable: { links: [{ title: 'File', price: 1, url: 'https://files.example/a' }] },
    grouped: { grouped: [{ product_id: id }] },
    bundled: { bundle_groups: [{ title: 'One', items: [{ product_id: id, quantity: 2 }] }] },
    booking: { booking: { timezone: 'Europe/Berlin', slots: [slot] } },
  };
  return parts[type] ?? { stock: 3 };
}

it.each(['simple', 'virtual', 'configurable', 'downloadable', 'grouped', 'bundled', 'booking'])(
  'changes nothing of a %s product that is sent back as it was read, without the fields of responses alone',
  async (type) => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const parts = await partsOf(shop, type);
    const fields = {
      seo: { title: 'T' },
      images: ['https://img.example/a.jpg'],
      attributes: { Material: ['Wool'] },
    };
    const made = await shop.post('/products', { name: 'Thing', type, price: 10, ...fields, ...parts });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const events = await countEvents(shop);
    const entries = Object.entries(made.body).filter(([field]) => !READ_ONLY.includes(field));
    const same = await shop.patch(`/products/${made.body.id}`, Object.fromEntries(entries));
    expect([same.status, same.body]).toEqual([200, made.body]);
    expect((await shop.get(`/products/${made.body.id}`, NEWEST)).body).toEqual(made.body);
    expect(await countEvents(shop)).toBe(events);
  },
);

it('keeps a variant in a configurable product, and takes none in others', async () => {
  const shop = await world();
  const { id } = (await shop.post('/products', { name: 'Cup', type: 'simple', price: 4 })).body;
  const variants = [{ sku: 'S', price: 10, attributes: { Size: 'S' } }];
  const tee = await shop.post('/products', { name: 'Tee', type: 'configurable', price: 0, variants });
  const emptied = await shop.patch(`/products/${tee.body.id}`, { variants: [] });
  const widened = await shop.patch(`/products/${id}`, { variants });
  expect([emptied.status, Object.keys(emptied.body.errors)]).toEqual([422, ['variants']]);
  expect([widened.status, Object.keys(widened.body.errors)]).toEqual([422, ['variants']]);
});
