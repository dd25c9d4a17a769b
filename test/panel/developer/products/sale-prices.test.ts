/** Prices of variants on sale, which forms about something else leave as they are. */
import { expect, it } from 'vitest';
import { importFile } from '../../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../../support/fixtures/catalog/products.ts';
import { editor } from './editor.ts';

/** Variants by their size: an import lowered the price of S to that of its sale. L has a regular price of its own. */
async function shirtOnSale() {
  const size = (sku: string, fields: object) => ({ sku, attributes: { Size: sku }, price: 20, ...fields });
  const sale = { price: 15 };
  const variants = [size('S', { sale }), size('M', { price: 30 }), size('L', { sale, regular_price: 25 })];
  const edited = await editor({ name: 'Tee', slug: 'tee', sku: 'TEE', type: 'configurable', variants });
  const head = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Compare At Price';
  const lines = ['tee,Tee,Size,S,S,15,25', 'tee,,Size,M,M,30,', 'tee,,Size,L,L,20,25'];
  expect(await importFile(edited.shop, `${[head, ...lines].join('\n')}\n`)).toMatchObject({ updated: 1 });
  const [s, m] = edited.product.variants.map(({ id }: { id: number }) => id);
  return { ...edited, s, m };
}

type Shirt = Awaited<ReturnType<typeof shirtOnSale>>;

const FORMS: readonly [string, (shirt: Shirt) => readonly [page: string, changes: Record<string, string>]][] =
  [
    ['the grid', ({ m }) => ['/variants', { [`stock-${m}`]: '9' }]],
    ['another variant', ({ m }) => [`/variants/${m}`, { stock: '9', price: '31' }]],
    ['the variant itself', ({ s }) => [`/variants/${s}`, { stock: '9' }]],
    ['the options', () => ['/options', { 'options.0.values': 'S\nM\nL\nXL' }]],
  ];

it.each(FORMS)('are as they were after a change by the form of %s', async (_, form) => {
  const shirt = await shirtOnSale();
  const [page, changes] = form(shirt);
  expect((await shirt.save(page, changes)).html).toContain('Saved.');
  const read = async () => (await shirt.shop.get(`/products/${shirt.id}`, NEWEST)).body.variants;
  const onSale = await read();
  expect([onSale[0], onSale[2]]).toMatchObject([
    { sku: 'S', price: 15, regular_price: 25 },
    { sku: 'L', price: 15, regular_price: 20 },
  ]);
  const items = ['S', 'L'].map((sku) => ({ sku, sale: null }));
  expect((await shirt.shop.post('/products/prices', { items })).status).toBe(200);
  const ended = await read();
  expect([ended[0], ended[2]]).toMatchObject([
    { sku: 'S', price: 15, regular_price: 25 },
    { sku: 'L', price: 20, regular_price: 25 },
  ]);
});
