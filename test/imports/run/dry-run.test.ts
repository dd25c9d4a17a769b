import { expect, it } from 'vitest';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

const FILE = `Handle,Title,Type,Variant SKU,Variant Price,Variant Inventory Qty
mug,Mug,Kitchen,MUG,5,3
cup,Cup,,CUP,7,2
bad,Bad,,BAD,none,1
low,Low,,LOW,5,few
`;

it('says what an import would do, and writes nothing', async () => {
  const shop = await world();
  await importFile(
    shop,
    'Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty\ncup,Cup,CUP,7,2\nmug,Old mug,MUG,5,3\n',
  );
  const version = (await shop.get('/products?status=all', NEWEST)).headers.get('x-catalog-version');
  const checked = await importFile(shop, FILE, '?dry_run=true');
  expect(checked).toMatchObject({
    dry_run: true,
    status: 'done',
    created: 0,
    updated: 1,
    unchanged: 1,
    failed: 2,
  });
  expect(checked.errors).toMatchObject([
    { line: 4, message: expect.stringContaining('The price is "none"') },
    { line: 5, message: expect.stringContaining('The quantity is "few"') },
  ]);
  const after = await shop.get('/products?status=all&sort=name_asc', NEWEST);
  expect(after.body.data.map(({ name }: { name: string }) => name)).toEqual(['Cup', 'Old mug']);
  expect(after.headers.get('x-catalog-version')).toBe(version);
  expect((await shop.get('/categories', NEWEST)).body.data).toEqual([]);
  expect(await importFile(shop, FILE)).toMatchObject({ dry_run: false, updated: 1, unchanged: 1, failed: 2 });
});

it('counts new products of many new categories', async () => {
  const shop = await world();
  const lines = Array.from({ length: 30 }, (_, n) => `p${n},Product ${n},Kind ${n},5`);
  const file = `Handle,Title,Type,Variant Price\n${lines.join('\n')}\n`;
  expect(await importFile(shop, file, '?dry_run=true')).toMatchObject({ created: 30, failed: 0 });
  expect((await shop.get('/products?status=all', NEWEST)).body.data).toEqual([]);
});

it('refuses another value by name', async () => {
  const shop = await world();
  const options = { raw: FILE, headers: { 'content-type': 'text/csv' } };
  const refused = await shop.post('/imports/products?dry_run=yes', undefined, options);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['dry_run']]);
});

it('downloads the errors in the panel, safe for a spreadsheet', async () => {
  const shop = await world();
  const { id } = await importFile(shop, FILE, '?dry_run=true');
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(`/developer/imports/${id}`)).html).toContain('only checked');
  const file = await developer.get(`/developer/imports/${id}/errors`);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="import-errors.csv"');
  expect(file.html.split('\r\n').slice(0, 2)).toEqual([
    '\ufeffline,sku,field,message',
    expect.stringMatching(/^4,BAD,Variant Price,"The price is/),
  ]);
});
