import { describe, expect, it } from 'vitest';
import { countEvents, importFile } from '../../support/fixtures/catalog/imports.ts';
import { createProduct, NEWEST, patchProduct } from '../../support/fixtures/catalog/products.ts';
import { type World, world } from '../../support/world.ts';

/** The fields of a product that only responses have. */
const READ_ONLY = [
  ...['id', 'on_sale', 'price_range', 'currency', 'in_stock', 'options', 'image', 'categories'],
  ...['sale_ends_at', 'created_at', 'updated_at'],
];

/** Returns the fields of a product as it was read that a request may have. */
const writable = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([field]) => !READ_ONLY.includes(field)));

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
    const same = await shop.patch(`/products/${made.body.id}`, writable(made.body));
    expect([same.status, same.body]).toEqual([200, made.body]);
    expect((await shop.get(`/products/${made.body.id}`, NEWEST)).body).toEqual(made.body);
    expect(await countEvents(shop)).toBe(events);
  },
);

const simple = (fields: object) => ({ type: 'simple', price: 20, ...fields });
const shirt = (variant: object, fields: object = {}) => ({
  type: 'configurable',
  price: 0,
  variants: [
    { sku: 'S', price: 20, attributes: { Size: 'S' }, ...variant },
    { sku: 'M', price: 30, attributes: { Size: 'M' } },
  ],
  ...fields,
});

describe('a product that is sent back during a sale', () => {
  it.each([
    ['simple', simple({ sale: { price: 15 } })],
    ['simple, with a regular price of its own', simple({ sale: { price: 15 }, regular_price: 25 })],
    ['simple, in other currencies', simple({ prices: { USD: 22 }, sale: { prices: { USD: 16 } } })],
    ['virtual', simple({ type: 'virtual', sale: { price: 15 } })],
    ['configurable', shirt({ sale: { price: 15 } })],
    ['configurable, with a regular price of its own', shirt({ sale: { price: 15 } }, { regular_price: 28 })],
    ['configurable, with a regular price of a variant', shirt({ regular_price: 25 })],
    [
      'configurable, with all of them',
      shirt({ sale: { price: 15 }, regular_price: 25 }, { regular_price: 28 }),
    ],
  ])('stays as it was: %s', async (_, product) => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const made = await createProduct(shop, product);
    const events = await countEvents(shop);
    expect(await patchProduct(shop, made, writable(made.body))).toEqual(made.body);
    expect(await countEvents(shop)).toBe(events);
    // What the sale hid is as it was: nothing, or what had been set.
    const variants = made.body.variants.map(({ id, attributes }: { id: number; attributes: object }) => ({
      ...{ id, attributes, price: 20, sale: null },
      regular_price: null,
    }));
    const isConfigurable = made.body.type === 'configurable';
    const ended = await patchProduct(shop, made, isConfigurable ? { variants } : { sale: null });
    expect(ended).toMatchObject({ price: 20, regular_price: Object(product).regular_price ?? null });
  });

  it.each([
    ['simple', simple],
    ['configurable', (fields: object) => shirt(fields)],
  ])('stays as it was after an import lowered its price to that of the sale: %s', async (type, body) => {
    const shop = await world();
    const made = await createProduct(shop, body({ sku: 'S', sale: { price: 15 } }));
    const option = type === 'simple' ? '' : 'S';
    const head = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price';
    const second = type === 'simple' ? '' : `${made.body.slug},,Size,M,M,30,\n`;
    await importFile(shop, `${head}\n${made.body.slug},Cup,Size,${option},S,15,25\n${second}`);
    const read = (await shop.get(`/products/${made.body.id}`, NEWEST)).body;
    expect(read).toMatchObject({ price: 15, regular_price: 25 });
    await patchProduct(shop, made, writable(read));
    const after = (await shop.get(`/products/${made.body.id}`, NEWEST)).body;
    expect(after).toEqual(read);
  });

  it('keeps its ordinary price where it is sent back with another sale', async () => {
    const shop = await world();
    const made = await createProduct(shop, simple({ sale: { price: 15 }, regular_price: 25 }));
    const read = { ...writable(made.body), sale: { price: 12 } };
    expect(await patchProduct(shop, made, read)).toMatchObject({ price: 12, regular_price: 20 });
    expect(await patchProduct(shop, made, { sale: null })).toMatchObject({ price: 20, regular_price: 25 });
    // Without a sale that runs, they are as they are given.
    const given = { price: 15, regular_price: 20, sale: { price: 12 } };
    expect(await patchProduct(shop, made, given)).toMatchObject({ price: 12, regular_price: 15 });
  });

  it('has its ordinary prices set by SKU, whatever its sale', async () => {
    const shop = await world();
    const { body } = await createProduct(shop, simple({ sku: 'CUP', sale: { price: 15 } }));
    const item = { sku: 'CUP', price: 15, regular_price: 20 };
    const refused = await shop.post('/products/prices', { items: [{ ...item, sale: { price: 15 } }] });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['items.0.sale.price']]);
    const set = await shop.post('/products/prices', { items: [{ ...item, sale: { price: 12 } }] });
    expect(set.body.data).toMatchObject([{ price: 15 }]);
    const read = (await shop.get(`/products/${body.id}`, NEWEST)).body;
    expect(read).toMatchObject({ price: 12, regular_price: 15 });
  });

  it('has in a new product the prices that it showed', async () => {
    const shop = await world();
    const { body } = await createProduct(shop, simple({ sale: { price: 15 } }));
    const copy = await createProduct(shop, { ...writable(body), slug: 'copy', sku: 'COPY' });
    expect(copy.body).toMatchObject({ price: 15, regular_price: 20, on_sale: true });
    expect(await patchProduct(shop, copy, { sale: null })).toMatchObject({ price: 20, regular_price: null });
  });

  it('still takes another regular price, and refuses a sale that is not below the price', async () => {
    const shop = await world();
    const shirts = await createProduct(shop, shirt({ sale: { price: 15 } }));
    await patchProduct(shop, shirts, { regular_price: 28 });
    const cup = await createProduct(shop, simple({ sale: { price: 15 } }));
    const refused = await shop.patch(`/products/${cup.body.id}`, { price: 15, sale: { price: 15 } });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['sale.price']]);
    const { variants } = shirts.body;
    const unsold = variants.map((one: object) => ({ ...one, sale: null }));
    expect(await patchProduct(shop, shirts, { variants: unsold })).toMatchObject({
      price: 20,
      regular_price: 28,
    });
  });
});

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
