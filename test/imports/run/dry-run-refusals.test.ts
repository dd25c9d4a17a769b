import { expect, it } from 'vitest';
import { countImportRows, importFile, outcome } from '../../support/fixtures/catalog/imports.ts';
import { setRemaining } from '../../support/fixtures/quotas.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { world } from '../../support/world.ts';

const HEADER = 'Handle,Title,Type,Variant SKU,Variant Price,Variant Inventory Qty,Variant Inventory Policy\n';
const DRY = '?dry_run=true';

it('names a SKU that two new products share, however far apart they are', async () => {
  const shop = await world();
  // More products than one run of an import reads.
  const between = Array.from({ length: 450 }, (_, n) => `p${n},P,,P-${n},5,1,deny\n`).join('');
  const checked = await importFile(
    shop,
    `${HEADER}cup,Cup,,SAME,5,1,deny\n${between}mug,Mug,,SAME,5,1,deny\n`,
    DRY,
  );
  expect(checked).toMatchObject({ created: 451, failed: 1 });
  expect(checked.errors).toEqual([
    { line: 453, sku: 'SAME', field: 'Variant SKU', message: 'Another product has the SKU "SAME".' },
  ]);
  expect(await countImportRows(shop)).toBe(0);
});

it('lets a product take the SKU that an earlier one gives up', async () => {
  const shop = await world();
  await importFile(shop, `${HEADER}cup,Cup,,FIRST,5,1,deny\n`);
  const file = `${HEADER}cup,Cup,,SECOND,5,1,deny\nmug,Mug,,FIRST,5,1,deny\n`;
  expect(await importFile(shop, file, DRY)).toMatchObject({ created: 1, updated: 1, failed: 0 });
  expect(await importFile(shop, file)).toMatchObject({ created: 1, updated: 1, failed: 0 });
});

it('leaves a product the SKU that it would give up, if it is refused', async () => {
  const shop = await world();
  await importFile(shop, `${HEADER}cup,Cup,,FIRST,5,1,deny\n`);
  await setRemaining(shop, 'categories', 0);
  const file = `${HEADER}cup,Cup,Plates,SECOND,5,1,deny\nmug,Mug,,FIRST,5,1,deny\n`;
  const checked = outcome(await importFile(shop, file, DRY));
  expect(checked).toMatchObject({ created: 0, updated: 0, failed: 2 });
  expect(checked.errors[1]).toMatchObject({ line: 3, message: 'Another product has the SKU "FIRST".' });
  expect(outcome(await importFile(shop, file))).toEqual(checked);
});

it('names the products that exceed the quota', async () => {
  const shop = await world();
  await setRemaining(shop, 'products', 2);
  const file = `${HEADER}${['a', 'b', 'c'].map((one) => `${one},${one},,${one},5,1,deny\n`).join('')}`;
  const checked = await importFile(shop, file, DRY);
  expect(checked).toMatchObject({ created: 2, failed: 1 });
  expect(checked.errors).toMatchObject([
    { line: 4, message: 'The plan allows no more than 100,000 products and variants.' },
  ]);
});

it('names the product whose new category exceeds the quota', async () => {
  const shop = await world();
  await setRemaining(shop, 'categories', 1);
  const file = `${HEADER}a,A,Cups,A,5,1,deny\nb,B,Mugs,B,5,1,deny\nc,C,Cups,C,5,1,deny\n`;
  const checked = await importFile(shop, file, DRY);
  expect(checked).toMatchObject({ created: 2, failed: 1 });
  expect(checked.errors).toMatchObject([
    { line: 3, field: 'Type', message: expect.stringContaining('no more than 5,000 categories') },
  ]);
  expect((await shop.get('/categories')).body.data).toEqual([]);
});

it('names a product whose backorders its new policy does not allow', async () => {
  const shop = await world();
  await importFile(shop, `${HEADER}cup,Cup,,CUP,5,1,continue\n`);
  await storeOf(shop)
    .prepare('UPDATE inventory_items SET reserved = 3 WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .run();
  const file = `${HEADER}cup,Cup,,CUP,5,1,deny\n`;
  const checked = await importFile(shop, file, DRY);
  expect(checked.errors).toMatchObject([
    { line: 2, message: `The policy can't be "deny": more units are sold or reserved than are in stock.` },
  ]);
  expect(await importFile(shop, file, `${DRY}&stock=set`)).toMatchObject({ updated: 1, failed: 0 });
});
