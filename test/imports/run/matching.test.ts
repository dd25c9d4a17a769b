import { expect, it } from 'vitest';
import { importFile, productsBySlug, stockBySku } from '../../support/fixtures/catalog/imports.ts';
import { world } from '../../support/world.ts';

it('matches a variant by its options when its SKU changes', async () => {
  const shop = await world();
  const file = (sku: string) =>
    `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\ntee,Tee,Size,S,${sku},20,5\n`;
  await importFile(shop, file(''));
  const before = (await productsBySlug(shop)).tee.variants[0];
  await shop.post('/inventory/adjustments', { items: [{ sku: 'tee_s', delta: -2, reason: 'sold' }] });
  await importFile(shop, file('T-1'));
  expect((await productsBySlug(shop)).tee.variants).toMatchObject([{ id: before.id, sku: 'T-1' }]);
  expect(await stockBySku(shop)).toEqual({ tee: 3, 'T-1': 3 });
});

it('turns a simple product into a configurable one and back', async () => {
  const shop = await world();
  const header = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty\n';
  await importFile(shop, `${header}tee,Tee,Title,Default Title,20,4\n`);
  const { id } = (await productsBySlug(shop)).tee;
  await importFile(shop, `${header}tee,Tee,Size,S,20,1\ntee,,,M,18,2\n`);
  expect((await productsBySlug(shop)).tee).toMatchObject({ id, type: 'configurable', price: 18, stock: 3 });
  await importFile(shop, `${header}tee,Tee,Title,Default Title,20,9\n`);
  expect((await productsBySlug(shop)).tee).toMatchObject({ id, type: 'simple', price: 20, stock: 9 });
});

it('keeps the type of a product that was changed to booking', async () => {
  const shop = await world();
  const booking = {
    timezone: 'Europe/Berlin',
    slots: [{ from: '2100-01-01T10:00:00Z', to: '2100-01-01T12:00:00Z', capacity: 5 }],
  };
  await shop.post('/products', { name: 'Pottery class', type: 'booking', price: 60, booking });
  await importFile(shop, 'Handle,Title,Price,Tags\npottery-class,Pottery Class,10,clay\n');
  expect((await productsBySlug(shop))['pottery-class']).toMatchObject({
    name: 'Pottery Class',
    type: 'booking',
    price: 60,
    tags: ['clay'],
    booking: { slots: [{ capacity: 5 }] },
  });
});

it('changes what a file has of a download, and keeps its files', async () => {
  const shop = await world();
  const links = [{ title: 'PDF', url: 'https://files.example/book.pdf', price: 2 }];
  const book = { name: 'Book', type: 'downloadable', price: 12, sku: 'BOOK', links };
  expect((await shop.post('/products', book)).status).toBe(201);
  const file = (cells: string) =>
    `Handle,Title,Variant SKU,Price,Compare-at price,Barcode,Inventory quantity,Requires Shipping\nbook,Book,${cells}\n`;
  expect(await importFile(shop, file('BOOK,12,,,4,FALSE'), '?stock=set')).toMatchObject({ unchanged: 1 });
  const changed = {
    sku: 'BOOK-2',
    type: 'downloadable',
    price: 9,
    regular_price: 15,
    barcode: '0123',
    inventory_policy: 'untracked',
    links: [{ title: 'PDF', price: 2 }],
  };
  for (const ships of ['FALSE', 'TRUE']) {
    await importFile(shop, file(`BOOK-2,9,15,0123,7,${ships}`));
    expect((await productsBySlug(shop)).book).toMatchObject(changed);
  }
});

it("adds the file's category to those that were assigned otherwise", async () => {
  const shop = await world();
  const { body: sale } = await shop.post('/categories', { name: 'Sale' });
  const file = (type: string) => `Handle,Title,Price,Type\nmug,Mug,12,${type}\n`;
  await importFile(shop, file('Cups'));
  const { mug } = await productsBySlug(shop);
  const [{ id: cups }] = mug.categories;
  await shop.patch(`/products/${mug.id}`, { category_ids: [cups, sale.id] });
  expect(await importFile(shop, file('CUPS'))).toMatchObject({ unchanged: 1 });
  expect(await importFile(shop, file('')), 'an empty Type takes nothing away').toMatchObject({
    unchanged: 1,
  });
  expect(await importFile(shop, file('Bowls'))).toMatchObject({ updated: 1 });
  expect((await productsBySlug(shop)).mug.categories).toMatchObject([{ name: 'Bowls' }]);
});

it('takes the category that is called exactly as in the file before one of other accents', async () => {
  const shop = await world();
  const { body: plain } = await shop.post('/categories', { name: 'Cafe' });
  const { body: accented } = await shop.post('/categories', { name: 'Café' });
  await importFile(shop, 'Handle,Title,Price,Type\na,A,1,Cafe\nb,B,1,Café\n');
  const { a, b } = await productsBySlug(shop);
  expect(a.categories).toMatchObject([{ id: plain.id }]);
  expect(b.categories).toMatchObject([{ id: accented.id }]);
  await importFile(shop, 'Handle,Title,Price,Type\na,A,1,Café\nb,B,1,CAFÉ\n');
  const moved = await productsBySlug(shop);
  expect(moved.a.categories).toMatchObject([{ id: accented.id }]);
  expect(moved.b.categories, 'no category is called exactly so').toMatchObject([{ id: accented.id }]);
});

it('gives categories of the same name under different parents distinct slugs', async () => {
  const shop = await world();
  await importFile(
    shop,
    'Handle,Title,Price,Product Category\na,A,1,Women > Shoes\nb,B,1,Men > Shoes\nc,C,1,women > shoes\n',
  );
  const { a, b, c } = await productsBySlug(shop);
  expect(a.categories[0].slug).toBe('shoes');
  expect(b.categories[0].slug).toBe(`shoes-${b.categories[0].id}`);
  expect(c.categories[0].id).toBe(a.categories[0].id);
});

it('keeps the variants of skipped lines only as long as the product then has at most 500', async () => {
  const shop = await world();
  const lines = (letter: string, count: number) =>
    Array.from({ length: count }, (_, n) => `tee,,Size,${letter}${n},${letter}-${n},9\n`);
  const head = 'Handle,Title,Option1 Name,Option1 Value,SKU,Price\ntee,Tee,Size,S,S,9\n';
  await importFile(shop, head + lines('A', 299).join(''));
  const broken = 'tee,,Size,XL,XL,cheap\n';
  const refused = await importFile(shop, head + lines('B', 201).join('') + broken);
  expect(refused).toMatchObject({ updated: 0, failed: 2 });
  expect(refused.errors[0]).toMatchObject({
    line: 2,
    message:
      'The product would have 501 variants, at most 500 are allowed: lines were skipped, so that no variant is removed.',
  });
  expect(await importFile(shop, head + lines('B', 200).join('') + broken)).toMatchObject({ updated: 1 });
  expect((await productsBySlug(shop)).tee.variants).toHaveLength(500);
});

it.each(['h', 'サ'])(
  'tells products apart whose Handles differ behind the 64th letter of a word: %s',
  async (letter) => {
    const shop = await world();
    const [first, second] = [`${letter.repeat(70)}1`, `${letter.repeat(70)}2`];
    const file = (price: number) => `Handle,Title,Price\n${first},First,${price}\n${second},Second,2\n`;
    expect(await importFile(shop, file(1))).toMatchObject({ created: 2, failed: 0 });
    expect(await importFile(shop, file(3))).toMatchObject({ updated: 1, unchanged: 1, failed: 0 });
    expect(await productsBySlug(shop)).toMatchObject({ [first]: { price: 3 }, [second]: { price: 2 } });
  },
);

it('knows a product by the slug of an earlier release, which had 64 letters of a word at most', async () => {
  const shop = await world();
  const [handle, slug] = ['й'.repeat(70), 'й'.repeat(64)];
  await shop.post('/products', { name: 'Tea', slug, sku: slug, type: 'simple', price: 1 });
  expect(await importFile(shop, `Handle,Title,Price\n${handle},Tea,2\n`)).toMatchObject({
    updated: 1,
    created: 0,
  });
  expect(await productsBySlug(shop)).toMatchObject({ [slug]: { price: 2, sku: slug } });
});
