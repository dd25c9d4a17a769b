import { expect, it } from 'vitest';
import { SHOPIFY_COLUMNS, shopifyExport } from '../../../bench/world/shopify-export.ts';
import { importFile, listBySlug } from '../../support/fixtures/catalog/imports.ts';
import { world } from '../../support/world.ts';

it('imports an export with every column of Shopify’s, and finds nothing to change in it again', async () => {
  const shop = await world();
  const { csv, products, lines } = shopifyExport(300);
  expect(csv.slice(1).split('\n')[0]?.split(',')).toEqual([...SHOPIFY_COLUMNS]);
  const first = await importFile(shop, csv);
  const counts = { status: 'done', rows: lines, processed: lines, failed: 0, errors: [] };
  expect(first).toMatchObject({ ...counts, created: products, updated: 0 });
  const all = await listBySlug(shop);
  const { 'shopify-1': shirt, 'shopify-6': simple } = all;
  expect(Object.keys(all)).toHaveLength(products);
  expect(all['shopify-0']?.status).toBe('inactive');
  // The list leaves out what only a product's own page needs.
  expect((await shop.get(`/products/${simple.id}`)).body).toMatchObject({
    type: 'simple',
    sku: 'SHP-6-0',
    name: 'Crème “N° 6”, hand-made',
    vendor: 'Atelier 6',
    status: 'active',
    price: 16.95,
    regular_price: 26.95,
    weight: 106,
    barcode: '4000000000006',
    tags: ['tag-1', 'sale', 'ünïcode'],
    images: [0, 1].map((at) => `https://cdn.example.com/s/files/6-${at}.jpg?v=1700000000`),
    description: expect.stringContaining('你好 🪡'),
  });
  expect(shirt).toMatchObject({
    type: 'configurable',
    status: 'active',
    images: ['https://cdn.example.com/s/files/1-0.jpg?v=1700000000'],
  });
  expect(shirt.variants.map(({ attributes }: { attributes: object }) => attributes)).toEqual(
    ['Cream', 'Grün'].flatMap((Colour) => ['S', 'M', 'L'].map((Size) => ({ Colour, Size }))),
  );
  expect(shirt.categories).toMatchObject([{ name: 'Row 1' }]);
  const again = await importFile(shop, csv);
  expect(again).toMatchObject({ ...counts, created: 0, updated: 0, unchanged: products });
});

it('generates the same lines of the same size as those of the long run', () => {
  const [few, same] = [shopifyExport(1_000), shopifyExport(1_000)];
  expect(few).toEqual(same);
  // 100,000 lines of this size are within the 32 MiB that an upload may have.
  expect((new TextEncoder().encode(few.csv).length / few.lines) * 100_000).toBeLessThan(32 * 1024 * 1024);
});
