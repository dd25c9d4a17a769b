/** The page that uploads a file of products. */
import { expect, it } from 'vitest';
import { uploadUnqueued } from '../../imports/import-steps.ts';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import { importFile } from '../../support/fixtures/catalog/imports.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

const IMPORTS = '/developer/imports';

it('keeps what was ticked when a file is refused', async () => {
  const { slug } = await world();
  const developer = await asDeveloper(slug);
  await developer.get(IMPORTS);
  const form = new FormData();
  const fields = { _token: developer.token() ?? '', _once: 'refused-upload', dry_run: 'true' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new File([], 'empty.csv', { type: 'text/csv' }));
  const sent = await developer.send('POST', IMPORTS, form, { origin: 'https://api.example.com' });
  expect([sent.status, sent.html.includes('must not be empty')]).toEqual([422, true]);
  expect(sent.html).toMatch(/<input[^>]* name="dry_run"[^>]* checked/);
  expect(sent.html).not.toMatch(/<input[^>]* name="stock"[^>]* checked/);
});

it.each([
  [{}, 3],
  [{ stock: 'set' }, 9],
  [{ stock: 'set', dry_run: 'true' }, 3],
])('with %j ticked, a file with a stock of 9 leaves %i', async (ticked, stock) => {
  const shop = await world();
  const file = (count: number) => `Handle,Title,Variant Price,Variant Inventory Qty\nmug,Mug,12,${count}\n`;
  await importFile(shop, file(3));
  const developer = await asDeveloper(shop.slug);
  await developer.get(IMPORTS);
  const form = new FormData();
  const fields = { _token: developer.token() ?? '', ...ticked };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new File([file(9)], 'mugs.csv', { type: 'text/csv' }));
  const sent = await developer.send('POST', IMPORTS, form, { origin: 'https://api.example.com' });
  const id = sent.headers.get('location')?.split('/').at(-1);
  await expect.poll(async () => (await shop.get(`/imports/${id}`)).body.status).toBe('done');
  expect((await shop.get('/products', NEWEST)).body.data).toMatchObject([{ stock }]);
});

it('cancels an import, and offers that only while it runs', async () => {
  const shop = await world();
  const file = 'Handle,Title,Variant Price\nmug,Mug,12\n';
  const path = `${IMPORTS}/${await uploadUnqueued(shop, file)}`;
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(path)).html).toContain('>Cancel the import<');
  const cancelled = await developer.submit(`${path}/cancel`, {});
  expect(cancelled.html).toMatch(/state bad">cancelled<\/span> 0 of 1 line</);
  expect(cancelled.html).toContain('The rest of the file is not read.');
  expect(cancelled.html).not.toContain('>Cancel the import<');
  const { id } = await importFile(shop, file);
  expect((await developer.get(`${IMPORTS}/${id}`)).html).not.toContain('>Cancel the import<');
  const late = await developer.submit(`${IMPORTS}/${id}/cancel`, {});
  expect(late.html).toMatch(/state good">done<\/span> 1 of 1 line</);
});

it('counts one line as one', async () => {
  const shop = await world();
  const { id } = await importFile(shop, 'Handle,Title,Variant Price\nmug,Mug,12\n');
  const { html } = await (await asDeveloper(shop.slug)).get(`${IMPORTS}/${id}`);
  expect(html).toContain('1 of 1 line<');
});

it('says which of the past imports were only checks', async () => {
  const shop = await world();
  const file = 'Handle,Title,Variant Price\nmug,Mug,12\n';
  const { id: checked } = await importFile(shop, file, '?dry_run=true');
  const { id: imported } = await importFile(shop, file);
  const { html } = await (await asDeveloper(shop.slug)).get(IMPORTS);
  const rowOf = (id: string) => html.split('<tr').find((row) => row.includes(`${IMPORTS}/${id}`)) ?? '';
  expect(rowOf(checked)).toContain('check only');
  expect(rowOf(imported)).toContain('done');
  expect(rowOf(imported)).not.toContain('check only');
});

it('says how the lines of errors are counted', async () => {
  const shop = await world();
  const file = 'Handle,Title,Body (HTML),Variant Price\nmug,Mug,"Of\nclay.",12\ncup,Cup,,free\n';
  const { id } = await importFile(shop, file);
  const { html } = await (await asDeveloper(shop.slug)).get(`${IMPORTS}/${id}`);
  expect(html).toContain('<td data-label="Line" class="figure">4</td>');
  expect(html).toContain('a cell with line breaks takes several lines');
});
