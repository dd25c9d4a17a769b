import { expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { createProduct, NEWEST } from '../../support/fixtures/catalog/products.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type Answer, type World, world } from '../../support/world.ts';

/** What a scanner reads: the products with a barcode. */

const EAN = '4006381333931';

/** Returns the names of the products that a barcode finds. */
async function found(shop: World, barcode: string, more = ''): Promise<string[]> {
  const { body } = await shop.get(`/products?barcode=${encodeURIComponent(barcode)}${more}`, NEWEST);
  return body.data.map(({ name }: { name: string }) => name);
}

const variant = (sku: string, barcode: string | null) => ({
  ...{ sku, barcode, price: 10, attributes: { size: sku } },
});

it("finds products by their own barcode or a variant's, the oldest first", async () => {
  const [shop, other] = [await world(), await world()];
  await createProduct(other, { name: 'Foreign', barcode: EAN });
  await createProduct(shop, { name: 'Pen', barcode: EAN });
  const variants = [variant('S', EAN), variant('M', EAN), variant('L', 'L-1')];
  const shirt = await createProduct(shop, { name: 'Shirt', type: 'configurable', variants });
  await createProduct(shop, { name: 'Hidden', barcode: EAN, status: 'inactive' });
  const gone = await createProduct(shop, { name: 'Gone', barcode: EAN });
  await shop.delete(`/products/${gone.body.id}`);
  expect(await found(shop, EAN)).toEqual(['Pen', 'Shirt']);
  expect(await found(shop, EAN, '&status=all')).toEqual(['Pen', 'Shirt', 'Hidden']);
  const { body } = await shop.get('/products?barcode=L-1&include=variants', NEWEST);
  expect(body.data[0].variants).toEqual(
    shirt.body.variants.map(({ sale: _, ...shown }: Answer['body']) => shown),
  );
  for (const unknown of [EAN.slice(0, -1), `${EAN}0`, 'l-1']) expect(await found(shop, unknown)).toEqual([]);
  await shop.patch(`/products/${shirt.body.id}`, { variants: [variant('L', null)] });
  expect([await found(shop, EAN), await found(shop, 'L-1')]).toEqual([['Pen'], []]);
});

it('finds a GTIN however many zeros it is written with, and nothing else so', async () => {
  const shop = await world();
  await createProduct(shop, { name: 'UPC', barcode: '012345678905' });
  await createProduct(shop, { name: 'EAN', barcode: '0012345678905' });
  await createProduct(shop, { name: 'Short', barcode: '12345678905' });
  await createProduct(shop, { name: 'Eight', barcode: '96385074' });
  for (const scanned of ['012345678905', '0012345678905', '00012345678905'])
    expect(await found(shop, scanned), scanned).toEqual(['UPC', 'EAN']);
  expect(await found(shop, '12345678905')).toEqual(['Short']);
  expect(await found(shop, '0000096385074')).toEqual(['Eight']);
  expect(await found(shop, '096385074')).toEqual([]);
});

it('finds a GTIN with or without spaces and hyphens, and other barcodes exactly', async () => {
  const shop = await world();
  const printed = '978-3-16-148410-0';
  await createProduct(shop, { name: 'Printed', barcode: printed });
  await createProduct(shop, { name: 'Scanned', barcode: '9783161484100' });
  await createProduct(shop, {
    name: 'Editions',
    type: 'configurable',
    variants: [variant('P', '978 3161484100')],
  });
  await createProduct(shop, { name: 'Own', barcode: 'A-1 2' });
  for (const asked of [printed, '9783161484100', '978 3 16 148410 0', '09783161484100'])
    expect(await found(shop, asked), asked).toEqual(['Printed', 'Scanned', 'Editions']);
  expect([await found(shop, 'A-1 2'), await found(shop, 'A12'), await found(shop, 'A-12')]).toEqual([
    ['Own'],
    [],
    [],
  ]);
});

it('finds a product behind a hundred with its barcode that are not shown', async () => {
  const shop = await world();
  const lines = Array.from({ length: 101 }, (_, n) => `p-${n},Season ${n},1,${EAN},draft`);
  const file = ['Handle,Title,Variant Price,Variant Barcode,Status', ...lines].join('\n');
  expect(await importFile(shop, `${file}\n`)).toMatchObject({ created: 101 });
  await createProduct(shop, { name: 'Pen', barcode: EAN });
  expect(await found(shop, EAN)).toEqual(['Pen']);
  expect(await found(shop, EAN, '&status=all')).toHaveLength(100);
});

it('has pages, and goes with what member_of goes with', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  for (const name of ['A', 'B', 'C']) await createProduct(shop, { name, barcode: 'X', prices: { USD: 1 } });
  const first = (await shop.get('/products?barcode=X&limit=2&currency=USD', NEWEST)).body;
  expect(first.data).toMatchObject([
    { name: 'A', price: 1 },
    { name: 'B', price: 1 },
  ]);
  expect(first.meta).toMatchObject({ total: 3, total_pages: 2 });
  expect(await found(shop, 'X', `&limit=2&cursor=${first.meta.next_cursor}`)).toEqual(['C']);
  expect(await found(shop, 'X', '&limit=2&page=2')).toEqual(['C']);
  for (const [query, field] of [
    ['barcode=X&q=a', 'q'],
    ['barcode=X&sort=oldest', 'sort'],
    ['barcode=', 'barcode'],
    [`barcode=${'1'.repeat(51)}`, 'barcode'],
  ] as const) {
    const refused = await shop.get(`/products?${query}`);
    expectProblem(refused, 422, 'validation_error');
    expect(Object.keys(refused.body.errors)).toEqual([field]);
  }
});

it('finds products behind one with many such variants, and behind a deleted one', async () => {
  const shop = await world();
  const many = Array.from({ length: 120 }, (_, n) => variant(`M-${n}`, EAN));
  const poster = await createProduct(shop, { name: 'Poster', type: 'configurable', variants: many });
  await createProduct(shop, { name: 'Card', type: 'configurable', variants: [variant('S', EAN)] });
  expect(await found(shop, EAN)).toEqual(['Poster', 'Card']);
  await shop.delete(`/products/${poster.body.id}`);
  expect(await found(shop, EAN)).toEqual(['Card']);
});

it('reads a bounded number of rows, however many products there are and have it', async () => {
  const shop = await world();
  const lines = Array.from({ length: 600 }, (_, n) => `p-${n},Pen ${n},1,${n < 300 ? 'N/A' : `B-${n}`}`);
  const file = ['Handle,Title,Variant Price,Variant Barcode', ...lines].join('\n');
  expect(await importFile(shop, `${file}\n`)).toMatchObject({ created: 600 });
  const read = (barcode: string) => measureDatabase(() => found(shop, barcode));
  // Not the 600 of the shop. With several shards the tenant's placement is among them.
  expect((await read('B-500')).read).toBeLessThan(60);
  expect((await read('N/A')).read).toBeLessThan(3_000);
  expect(await found(shop, 'N/A')).toHaveLength(100);
});
