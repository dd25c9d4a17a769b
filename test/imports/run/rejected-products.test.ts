import { expect, it } from 'vitest';
import { importFile, productsBySlug, stockBySku, upload } from '../../support/fixtures/catalog/imports.ts';
import { world } from '../../support/world.ts';
import { waitUntilOver } from '../import-steps.ts';

it('continues after a product that is rejected', async () => {
  const shop = await world();
  const file = (policy: string) => {
    const tee = (i: number) => `tee-${i},Tee ${i},Size,S,${policy},5,2\ntee-${i},,,M,${policy},5,2\n`;
    const header =
      'Handle,Title,Option1 Name,Option1 Value,Variant Inventory Policy,Inventory quantity,Price\n';
    return header + Array.from({ length: 22 }, (_, i) => tee(i)).join('');
  };
  await importFile(shop, file('continue'));
  const sold = [{ sku: 'tee-1_s', delta: -7 }];
  expect((await shop.post('/inventory/adjustments', { items: sold })).status).toBe(200);
  const done = await waitUntilOver(shop, await upload(shop, file('deny')));
  expect(done).toMatchObject({ status: 'done', rows: 44, processed: 44, updated: 21, failed: 1 });
  const message = expect.stringContaining('more units are sold or reserved than are in stock');
  expect(done.errors).toMatchObject([{ line: 4, message }]);
  expect(await stockBySku(shop)).toMatchObject({ 'tee-0_s': 5, 'tee-1_s': -2, 'tee-21_s': 5 });
});

it('reports why a product is rejected, and leaves it unchanged', async () => {
  const shop = await world();
  const { body: cup } = await shop.post('/products', { name: 'Cup', type: 'simple', price: 5, stock: 1 });
  const set = { name: 'Set', type: 'grouped', price: 0, grouped: [{ product_id: cup.id }] };
  const { body: grouped } = await shop.post('/products', set);
  const done = await importFile(
    shop,
    'Handle,Title,Option1 Name,Option1 Value,Price\ncup,Cup,Size,S,5\nmug,Mug,,,6\n',
  );
  const message = `The product can't be written: its type must stay simple or virtual: product ${grouped.id} contains it.`;
  expect(done).toMatchObject({ status: 'done', created: 1, failed: 1, errors: [{ line: 2, message }] });
  expect((await productsBySlug(shop)).cup).toMatchObject({ type: 'simple', stock: 1 });
});
