import { describe, expect, it } from 'vitest';
import { importFile, productsBySlug } from '../../support/fixtures/catalog/imports.ts';
import { type World, world } from '../../support/world.ts';

/** Exports the products, imports the file and expects that it changed nothing. Returns the file. */
async function importAgain(shop: World): Promise<string> {
  const before = await productsBySlug(shop);
  const { body } = await shop.get('/exports/products', { headers: { accept: 'text/csv' } });
  const done = await importFile(shop, String(body), '?stock=set');
  expect(done).toMatchObject({ created: 0, updated: 0, failed: 0, errors: [] });
  expect(await productsBySlug(shop)).toEqual(before);
  return String(body);
}

const create = async (shop: World, product: object) =>
  expect((await shop.post('/products', product)).status).toBe(201);

const variant = (sku: string, attributes: object) => ({ sku, price: 20, stock: 1, attributes });

const tee = { name: 'Tee', type: 'configurable', price: 20 };

describe('an exported file changes nothing when it is imported again', () => {
  it('with variants that have their options in another order, or not all of them', async () => {
    const shop = await world();
    const variants = [
      variant('A', { Size: 'S', Colour: 'Red' }),
      variant('B', { Colour: 'Blue', Size: 'M' }),
      variant('C', { Colour: 'Blue' }),
      variant('D', { Fit: 'Wide', Colour: 'Blue' }),
    ];
    await create(shop, { ...tee, variants });
    await importAgain(shop);
  });

  it('with what the format has no words for', async () => {
    const shop = await world();
    const options = ['A', 'B', 'C', 'D'].map((name, n) => variant(`S${n}`, { [name]: 'x' }));
    await create(shop, { ...tee, name: 'Four options', variants: options });
    const untitled = [variant('U1', { Size: 'Default title' }), variant('U2', { Size: 'M' })];
    await create(shop, { ...tee, name: 'No title', variants: untitled });
    await create(shop, { name: 'Mug', type: 'simple', price: 8 });
    const lines = (await importAgain(shop)).trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['mug']);
  });

  it('with a regular price that is the price', async () => {
    const shop = await world();
    await create(shop, { name: 'Mug', type: 'simple', price: 20, regular_price: 20 });
    await importAgain(shop);
  });

  it('with commas in tags', async () => {
    const shop = await world();
    await create(shop, { name: 'Mug', type: 'simple', price: 20, tags: ['red, dark', 'cup'] });
    await importAgain(shop);
  });

  it('with categories that the file names alike, or with a ">"', async () => {
    const shop = await world();
    for (const name of ['Cups', 'CUPS', 'A > B']) {
      const { id } = (await shop.post('/categories', { name })).body;
      await create(shop, { name: `Mug ${id}`, type: 'simple', price: 20, category_ids: [id] });
    }
    await importAgain(shop);
    expect((await shop.get('/categories')).body.data).toHaveLength(3);
  });

  it('with accents in slugs', async () => {
    const shop = await world();
    await create(shop, { name: 'Grün', slug: 'grün', sku: 'G-1', type: 'simple', price: 20 });
    await create(shop, { name: 'Straße', slug: 'straße', sku: 'S-1', type: 'simple', price: 20 });
    await importAgain(shop);
    // A handle that no product has is spelled without accents, as ever.
    const file = 'Handle,Title,Variant SKU,Variant Price\nçay,Çay,C-1,3\n';
    expect(await importFile(shop, file)).toMatchObject({ created: 1 });
    expect(await importFile(shop, file)).toMatchObject({ unchanged: 1 });
    expect(Object.keys(await productsBySlug(shop)).sort()).toEqual(['cay', 'grün', 'straße']);
  });

  it('with letters that slugs of earlier releases had without accents', async () => {
    const shop = await world();
    await create(shop, { name: 'Чорний чай', slug: 'чорнии-чаи', sku: 'TEA', type: 'simple', price: 20 });
    await importAgain(shop);
    const file =
      'Handle,Title,Variant SKU,Variant Price\nчорний-чай,Чорний чай,TEA,20\nзелений-чай,Зелений чай,TEA-2,3\n';
    expect(await importFile(shop, file)).toMatchObject({ created: 1, failed: 0 });
    expect(await importFile(shop, file)).toMatchObject({ unchanged: 2 });
    expect(Object.keys(await productsBySlug(shop)).sort()).toEqual(['зелений-чай', 'чорнии-чаи']);
  });

  it('with apostrophes before what looks like a formula or a number', async () => {
    const shop = await world();
    const texts = { name: "'-5° bag", description: "''=1+1", vendor: "'@home" };
    await create(shop, { ...texts, type: 'simple', price: 20, sku: "'=A", barcode: "'0123" });
    await create(shop, { name: '-5°', description: '=1+1', type: 'simple', price: 20, sku: "''0123" });
    await create(shop, { name: '＝1+1', description: "'\n＠home", type: 'simple', price: 20, sku: '－5' });
    await importAgain(shop);
  });

  it('with an empty description', async () => {
    const shop = await world();
    await create(shop, { name: 'Mug', type: 'simple', price: 20, description: '' });
    await importAgain(shop);
  });

  it('with empty or untrimmed texts for search engines', async () => {
    const shop = await world();
    await create(shop, { name: 'Mug', type: 'simple', price: 20, seo: { title: '', description: ' Red ' } });
    await create(shop, { name: 'Cup', type: 'simple', price: 20, seo: { title: '' } });
    await importAgain(shop);
  });
});

it('keeps a category that is called like an id of the taxonomy in another shop', async () => {
  const [shop, other] = [await world(), await world()];
  const { body: category } = await shop.post('/categories', { name: '2024' });
  await create(shop, { name: 'Mug', type: 'simple', price: 20, category_ids: [category.id] });
  await importFile(other, await importAgain(shop));
  expect((await productsBySlug(other)).mug.categories).toMatchObject([{ name: '2024' }]);
});

it('has the weight of a product for its variants without one, in another shop too', async () => {
  const [shop, other] = [await world(), await world()];
  const variants = [variant('S', { Size: 'S' }), { ...variant('M', { Size: 'M' }), weight: 700 }];
  await create(shop, { ...tee, weight: 500, variants });
  const file = await importAgain(shop);
  await importFile(other, file);
  const moved = async () => (await productsBySlug(other)).tee.variants;
  expect(await moved()).toMatchObject([{ weight: 500 }, { weight: 700 }]);
  expect(await importAgain(other)).toBe(file);
  await importFile(shop, file.replace('500', '650'));
  expect((await productsBySlug(shop)).tee).toMatchObject({
    weight: 500,
    variants: [{ weight: 650 }, { weight: 700 }],
  });
});
