import { expect, it } from 'vitest';
import { stockedProduct } from '../../../../support/fixtures/catalog/products.ts';
import { measureDatabase } from '../../../../support/storage/database-usage.ts';
import { paidCups } from '../paid-cups.ts';

it("shows an order's pictures without reading what else the shop sells", async () => {
  const { shop, developer, here } = await paidCups();
  const variants = Array.from({ length: 300 }, (_, n) => ({
    ...{ sku: `tee-${n}`, price: 10, attributes: { size: String(n) } },
    image: `https://images.example.com/${n}.jpg`,
  }));
  const images = variants.slice(0, 1).map(({ image }) => image);
  await stockedProduct(shop, { name: 'Tee', type: 'configurable', images, variants });
  const { read } = await measureDatabase(async () => {
    expect((await developer.get(here)).status).toBe(200);
  });
  expect(read).toBeLessThan(200);
});
