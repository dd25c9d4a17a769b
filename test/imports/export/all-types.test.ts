import { expect, it } from 'vitest';
import { countEvents, importFile, productsBySlug } from '../../support/fixtures/catalog/imports.ts';
import { type World, world } from '../../support/world.ts';

const IMAGE = 'https://img.example/a.jpg';
const slot = { from: '2031-01-01T10:00:00Z', to: '2031-01-01T11:00:00Z', capacity: 3 };
const past = { from: '2021-01-01T10:00:00Z', to: '2021-01-01T11:00:00Z', capacity: 3 };

/** What each product of the shop has beside its type. */
const everything = {
  description: '<p>Two\nlines, "quoted"</p>',
  images: [{ url: IMAGE, alt: 'Front' }, { url: 'https://img.example/b.jpg' }],
  seo: { title: 'T', description: 'D', og_image: IMAGE },
  tags: ['a', 'b'],
  vendor: 'Acme',
  tax_class: 'food',
  attributes: { Material: ['Wool', 'Silk'] },
  metadata: { erp: '7' },
  regular_price: 30,
};

const size = (name: string, more: object) => ({
  sku: `S-${name}`,
  price: 20,
  attributes: { Size: name },
  ...more,
});

const variants = [
  size('S', { stock: 3, sale: { price: 15 }, barcode: '0123', weight: 0, image: IMAGE }),
  size('M', { price: 21, prices: { USD: 25 }, regular_price: 22, weight: 250 }),
  size('L', { price: 22, sale: { price: 9, starts_at: '2031-01-01T00:00:00Z' } }),
];

/** Creates a product of each type, in each way of counting stock, with and without sales. */
async function shopOfAllTypes(): Promise<World> {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const create = async (product: object) => {
    const made = await shop.post('/products', { price: 20, ...everything, ...product });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.id;
  };
  const parent = (await shop.post('/categories', { name: 'A', hidden: true })).body.id;
  const below = (await shop.post('/categories', { name: 'B', parent_id: parent })).body.id;
  const category_ids = [below, parent];
  const id = await create({ name: 'Plain', type: 'simple', stock: 5, category_ids, prices: { USD: 22 } });
  await create({
    name: 'On sale',
    type: 'simple',
    stock: 0,
    sale: { price: 15 },
    inventory_policy: 'continue',
  });
  await create({ name: 'Later', type: 'simple', sale: { price: 15, starts_at: '2031-01-01T00:00:00Z' } });
  await create({
    name: 'Uncounted',
    type: 'simple',
    inventory_policy: 'untracked',
    weight: 0,
    status: 'inactive',
  });
  await create({
    name: 'Free',
    type: 'simple',
    price: 0,
    regular_price: null,
    description: '\u200b',
    seo: {},
  });
  await create({ name: 'Gift', type: 'virtual', stock: 2, barcode: '00012' });
  await create({ name: 'Gift, uncounted', type: 'virtual', inventory_policy: 'untracked' });
  await create({ name: 'Shirt', type: 'configurable', variants, weight: 500, barcode: '77' });
  await create({
    name: 'Shirt 2',
    type: 'configurable',
    inventory_policy: 'continue',
    variants: [size('X', { sku: 'X' })],
  });
  await create({
    name: 'File',
    type: 'downloadable',
    links: [{ title: 'F', price: 1, url: 'https://files.example/a' }],
  });
  await create({ name: 'Group', type: 'grouped', grouped: [{ product_id: id }] });
  await create({
    name: 'Kit',
    type: 'bundled',
    bundle_groups: [{ title: 'One', items: [{ product_id: id }] }],
  });
  await create({
    name: 'Tour',
    type: 'booking',
    booking: { timezone: 'Europe/Berlin', slots: [past, slot] },
  });
  await create({
    name: 'Tour, on sale',
    type: 'booking',
    sale: { price: 5 },
    booking: { timezone: 'UTC', slots: [slot] },
  });
  return shop;
}

const exported = async (shop: World): Promise<string> =>
  String((await shop.get('/exports/products', { headers: { accept: 'text/csv' } })).body);

it.each(['', '?stock=set'])(
  'an export of all types is a fixed point of the import, with "%s"',
  async (query) => {
    const shop = await shopOfAllTypes();
    const [before, events, file] = [
      await productsBySlug(shop),
      await countEvents(shop),
      await exported(shop),
    ];
    const done = await importFile(shop, file, query);
    expect(done).toMatchObject({ created: 0, updated: 0, unchanged: 14, failed: 0, errors: [] });
    expect(await productsBySlug(shop)).toEqual(before);
    expect([await exported(shop), await countEvents(shop)]).toEqual([file, events]);
  },
);

it('is one in another shop too, of the types that the format has', async () => {
  const [shop, other] = [await shopOfAllTypes(), await world({ currencies: ['EUR', 'USD'] })];
  expect(await importFile(other, await exported(shop))).toMatchObject({ created: 14, failed: 0 });
  const file = await exported(other);
  expect(await importFile(other, file, '?stock=set')).toMatchObject({ unchanged: 14, failed: 0 });
  expect(await exported(other)).toBe(file);
});
