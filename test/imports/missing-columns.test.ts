import { describe, expect, it } from 'vitest';
import { importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { type World, world } from '../support/world.ts';

/** Creates a shirt with two variants, the SKUs of which no import would give it. */
async function shirt(shop: World) {
  const variant = (size: string, price: number) => ({
    sku: `TEE-${size}`,
    price,
    stock: 3,
    attributes: { Size: size },
  });
  const made = await shop.post('/products', {
    name: 'Tee',
    sku: 'TEE',
    type: 'configurable',
    price: 20,
    variants: [variant('S', 20), variant('M', 22)],
  });
  expect(made.status).toBe(201);
  return made.body;
}

describe('a file without a column keeps', () => {
  it('the SKU of a product and of its variants', async () => {
    const shop = await world();
    await shop.post('/products', { name: 'Mug', sku: 'M-1', type: 'simple', price: 8 });
    await shirt(shop);
    const file =
      'Handle,Title,Option1 Name,Option1 Value,Tags\nmug,Mug,,,new\ntee,Tee,Size,S,new\ntee,,,M,\n';
    expect(await importFile(shop, file)).toMatchObject({ updated: 2, failed: 0 });
    const { mug, tee } = await productsBySlug(shop);
    expect(mug).toMatchObject({ sku: 'M-1', tags: ['new'] });
    expect(tee.variants.map(({ sku }: { sku: string }) => sku)).toEqual(['TEE-S', 'TEE-M']);
  });

  it('whether a product ships', async () => {
    const shop = await world();
    await shop.post('/products', { name: 'Voucher', type: 'virtual', price: 8 });
    await importFile(shop, 'Handle,Title,Tags\nvoucher,Voucher,gift\n');
    expect((await productsBySlug(shop)).voucher).toMatchObject({ type: 'virtual', tags: ['gift'] });
  });

  it('the sale and the prices in other currencies, of a product and of its variants', async () => {
    const shop = await world({ currencies: ['EUR', 'USD'] });
    const priced = { price: 20, prices: { USD: 21 }, sale: { price: 5 } };
    await shop.post('/products', { name: 'Mug', type: 'simple', ...priced });
    const variants = [{ sku: 'TEE-S', attributes: { Size: 'S' }, ...priced }];
    await shop.post('/products', { name: 'Tee', type: 'configurable', price: 20, variants });
    const file =
      'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\nmug,Mug,,,mug,19\ntee,Tee,Size,S,TEE-S,19\n';
    expect(await importFile(shop, file)).toMatchObject({ updated: 2, failed: 0 });
    const { mug, tee } = await productsBySlug(shop);
    for (const one of [mug, tee.variants[0]])
      expect(one).toMatchObject({ price: 5, regular_price: 19, prices: { USD: 21 }, sale: { price: 5 } });
  });

  it('the variants of a product', async () => {
    const shop = await world();
    const { id, variants } = await shirt(shop);
    await importFile(shop, 'Handle,Title,Tags\ntee,T-shirt,new\n');
    const { tee } = await productsBySlug(shop);
    expect(tee).toMatchObject({ id, name: 'T-shirt', type: 'configurable', stock: 6, tags: ['new'] });
    expect(tee.variants).toEqual(variants);
  });

  it('whether a product is sold without stock', async () => {
    const shop = await world();
    await shop.post('/products', { name: 'Mug', type: 'simple', price: 8, inventory_policy: 'continue' });
    await importFile(shop, 'Handle,Title,Variant Inventory Qty\nmug,Mug,4\n', '?stock=set');
    expect((await productsBySlug(shop)).mug).toMatchObject({ inventory_policy: 'continue', stock: 4 });
  });
});

describe('a file without columns of trackers and policies', () => {
  it('tracks no product that was not, unless it has a quantity', async () => {
    const shop = await world();
    const voucher = { type: 'simple', price: 8, inventory_policy: 'untracked' };
    await shop.post('/products', { ...voucher, name: 'Blank' });
    await shop.post('/products', { ...voucher, name: 'Counted' });
    const file = 'Handle,Title,Variant Inventory Qty\nblank,Blank,\ncounted,Counted,4\n';
    await importFile(shop, file, '?stock=set');
    const { blank, counted } = await productsBySlug(shop);
    expect(blank).toMatchObject({ inventory_policy: 'untracked', in_stock: true });
    expect(counted).toMatchObject({ inventory_policy: 'deny', stock: 4 });
  });
});

describe('a file without columns of options', () => {
  it('names the variants of a product by SKU, and removes none', async () => {
    const shop = await world();
    const { variants } = await shirt(shop);
    const file = 'Handle,Title,Variant SKU,Variant Price\ntee,Tee,TEE-M,26\ntee,,TEE-L,27\ntee,,,28\n';
    expect(await importFile(shop, file)).toMatchObject({
      updated: 1,
      failed: 2,
      errors: [
        { line: 3, sku: 'TEE-L', field: 'Variant SKU', message: expect.stringContaining('No variant') },
        { line: 4, sku: null, message: expect.stringContaining('neither the SKU nor the options') },
      ],
    });
    const { tee } = await productsBySlug(shop);
    const [small, medium] = variants;
    expect(tee).toMatchObject({ sku: 'TEE', type: 'configurable', stock: 6 });
    expect(tee.variants).toEqual([small, { ...medium, price: 26 }]);
  });

  it('makes a new product of the first line only', async () => {
    const shop = await world();
    const file = 'Handle,Title,Variant SKU,Variant Price\nmug,Mug,M-1,8\nmug,,M-2,9\n';
    expect(await importFile(shop, file)).toMatchObject({
      created: 1,
      failed: 1,
      errors: [{ line: 3, message: 'The variant on line 2 has the same options.' }],
    });
    expect((await productsBySlug(shop)).mug).toMatchObject({ type: 'simple', sku: 'M-1', price: 8 });
  });
});
