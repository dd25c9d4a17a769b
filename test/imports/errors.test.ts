/** The list of an import's errors. */
import { expect, it } from 'vitest';
import { importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { send, world } from '../support/world.ts';

const HEADER = 'Handle,Title,Variant SKU,Variant Price,Variant Inventory Qty';
const csv = (lines: readonly string[]): string => `${[HEADER, ...lines].join('\n')}\n`;

it('names the SKU and the columns as the file has them', async () => {
  const shop = await world();
  const { id } = await importFile(
    shop,
    csv(['mug,Mug,MUG,5,3', 'cup,Cup,CUP,dear,few', 'cap,Cap,MUG,5,1', ',None,NONE,5,1', 'pan,Pan']),
  );
  const { body } = await shop.get(`/imports/${id}/errors`);
  expect(body).toMatchObject({
    data: [
      { line: 3, sku: 'CUP', field: 'Variant Price, Variant Inventory Qty' },
      { line: 4, sku: 'MUG', field: 'Variant SKU', message: 'Another product has the SKU "MUG".' },
      { line: 5, sku: null, field: 'Handle', message: 'The Handle is missing.' },
      { line: 6, sku: null, field: null, message: expect.stringContaining('Number of cells: 2') },
    ],
    next_after: null,
  });
  expect((await shop.get(`/imports/${id}`)).body.errors).toEqual(body.data);
});

it('has all of more errors than the status lists, in pages and as a file', async () => {
  const shop = await world();
  const lines = Array.from({ length: 1_150 }, (_, n) => `p${n},Product,SKU-${n},free,1`);
  const { id, failed, errors } = await importFile(shop, csv(lines));
  expect([failed, errors.length]).toEqual([1_150, 100]);
  const first = await shop.get(`/imports/${id}/errors`);
  expect([first.body.data.length, first.body.next_after]).toEqual([1_000, 1_000]);
  const last = await shop.get(`/imports/${id}/errors?after=1000`);
  expect(last.body.data).toHaveLength(150);
  expect(last.body.data.at(-1)).toMatchObject({ line: 1_151, sku: 'SKU-1149', field: 'Variant Price' });
  const file = await shop.get(`/imports/${id}/errors?limit=2`, { headers: { accept: 'text/csv' } });
  expect(file.headers.get('link')).toContain('after=2>; rel="next"');
});

it('is not there for another tenant', async () => {
  const [shop, other] = [await world(), await world()];
  const { id } = await importFile(shop, csv(['cup,Cup,CUP,dear,1']));
  expect((await other.get(`/imports/${id}/errors`)).status).toBe(404);
});

it('keeps the error of a file that is no product CSV', async () => {
  const shop = await world();
  const { id } = await importFile(shop, 'name;price\nCup;5\n');
  expect((await shop.get(`/imports/${id}/errors`)).body.data).toMatchObject([
    { line: 1, sku: null, field: null },
  ]);
});

it('names the scope that a token lacks for an import', async () => {
  const shop = await world();
  const { token } = await shop.register({ scopes: ['catalog:read'] });
  const refused = await send('POST', '/v1/imports/products', {
    token,
    raw: 'Handle,Title\nmug,Mug\n',
    headers: { 'content-type': 'text/csv' },
  });
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
  expect(refused.body.message).toContain('catalog:write');
});

it('skips a product that is larger than the catalogue takes', async () => {
  const shop = await world();
  const picture = (n: number) => `https://img.example.com/${n}-${'x'.repeat(2_000)}.jpg`;
  const lines = Array.from(
    { length: 250 },
    (_, n) => `mug,${n === 0 ? 'Mug' : ''},${n === 0 ? '5' : ''},${picture(n)}`,
  );
  const report = await importFile(shop, `Handle,Title,Price,Image Src\n${lines.join('\n')}\ncup,Cup,3,\n`);
  expect(report).toMatchObject({
    status: 'done',
    created: 1,
    errors: [
      { line: 2, message: 'The product is larger than 1000000 bytes. Most of them are in its images.' },
    ],
  });
});

it('says which levels of a category it ignores, and leaves a product where its category is called like that', async () => {
  const shop = await world();
  const file = (...lines: string[]) =>
    `Handle,Title,Variant SKU,Price,Product Category\n${lines.join('\n')}\n`;
  const dog = 'dog,Dog coat,DOG,5,Animals > Pets > Supplies > Dogs > Apparel > Coats > Warm';
  const message = 'The category has 7 levels, of which the first 5 are used: "Coats > Warm" is ignored.';
  const first = await importFile(
    shop,
    file(dog, 'cat,Cat coat,CAT,5,Animals > Pets > Supplies > Cats > Apparel'),
  );
  expect(first).toMatchObject({
    status: 'done',
    created: 2,
    failed: 1,
    errors: [{ line: 2, sku: 'DOG', field: 'Product Category', message }],
  });
  const products = await productsBySlug(shop);
  expect(products.dog.categories).toMatchObject([{ name: 'Apparel' }]);
  expect(await importFile(shop, file(dog))).toMatchObject({ unchanged: 1, failed: 1 });

  const { id } = (await shop.post('/categories', { name: 'A > B > C > D > E > F' })).body;
  expect((await shop.patch(`/products/${products.dog.id}`, { category_ids: [id] })).status).toBe(200);
  const again = await importFile(shop, file('dog,Dog coat,DOG,5,A > B > C > D > E > F'));
  expect(again).toMatchObject({ unchanged: 1, failed: 0 });
});
