import { expect, it } from 'vitest';
import { countImportRows, importFile, productsBySlug } from '../support/fixtures/catalog/imports.ts';
import { type World, world } from '../support/world.ts';

it('reports invalid lines and continues', async () => {
  const shop = await world();
  const result = await importFile(
    shop,
    `Handle,Title,Variant SKU,Variant Price,Option1 Name,Option1 Value,Image Src
no-price,No Price,,,,,
mug,Mug,MUG,12.50,,,http://img.example/mug.jpg
tee,Tee,,20,Size,S,
tee,,,free,,M,
tee,,MUG,20,,L,
too,few
"broken,Broken,,1,,,
,No Handle,,1,,,
mug,Mug again,MUG-2,1,,,
cup,Cup,CUP,8,,,
cap,Cap,CUP,8,,,
`,
  );
  expect(result).toMatchObject({ status: 'done', rows: 11, processed: 11, created: 3, failed: 9 });
  expect(result.errors).toMatchObject([
    { line: 2, message: 'The price is missing.' },
    { line: 3, message: expect.stringContaining('"http://img.example/mug.jpg" is ignored') },
    { line: 5, message: 'The price is "free"; it must be an amount in EUR such as 12.50.' },
    { line: 6, message: 'Another product has the SKU "MUG".' },
    { line: 7, message: 'Number of cells: 2 on this line, 7 in the header.' },
    { line: 8, message: expect.stringContaining('a quotation mark is missing') },
    { line: 9, message: 'The Handle is missing.' },
    {
      line: 10,
      message: 'Lines of "mug" also begin on line 3: the lines of one product must be contiguous.',
    },
    { line: 12, message: 'Another product has the SKU "CUP".' },
  ]);
  const made = await productsBySlug(shop);
  expect(Object.keys(made).sort()).toEqual(['cup', 'mug', 'tee']);
  expect(made.tee.variants).toMatchObject([{ sku: 'tee_s' }]);
});

it('writes a product by its first lines only, where others of it come later', async () => {
  const shop = await world();
  const file = 'Handle,Title,Variant Price\nmug,Mug,12\ncup,Cup,5\nmug,Mug,13\n';
  const { created, failed, errors } = await importFile(shop, file);
  expect([created, failed, errors[0].line]).toEqual([2, 1, 4]);
  expect((await productsBySlug(shop)).mug.price).toBe(12);
});

it('counts every invalid line, and reports the first hundred', async () => {
  const shop = await world();
  const lines = Array.from({ length: 120 }, (_, i) => `p${i},P,x\n`);
  const result = await importFile(shop, `Handle,Title,Price\n${lines.join('')}`);
  expect(result).toMatchObject({ status: 'done', failed: 120, processed: 120, created: 0 });
  expect(result.errors).toHaveLength(100);
});

it('keeps variants that an invalid line may refer to', async () => {
  const shop = await world();
  const file = (...lines: string[]) =>
    `Handle,Title,Option1 Name,Option1 Value,Variant Price\ntee,Tee,Size,S,20\n${lines.join('\n')}\n`;
  await importFile(shop, file('tee,,,M,20', 'tee,,,L,20'));
  const ids = async () =>
    (await productsBySlug(shop)).tee.variants.map((variant: { id: number }) => variant.id);
  const [s, m, l] = await ids();
  expect(await importFile(shop, file('tee,,,M,x', 'tee,,,L,20'))).toMatchObject({ unchanged: 1, failed: 1 });
  expect(await ids()).toEqual([s, m, l]);
  expect(await importFile(shop, file('tee,,M', 'tee,,,L,21'))).toMatchObject({ updated: 1, failed: 1 });
  expect(await ids()).toEqual([s, m, l]);
  expect(await importFile(shop, file('tee,,,L,21'))).toMatchObject({ updated: 1, failed: 0 });
  expect(await ids()).toEqual([s, l]);
});

it('keeps the variants of a product that does not ship if only one of its lines is readable', async () => {
  const shop = await world();
  const file = (second: string) =>
    `Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Requires Shipping\ncourse,Course,Term,Spring,20,FALSE\n${second}\n`;
  await importFile(shop, file('course,,,Autumn,20,FALSE'));
  const { course: before } = await productsBySlug(shop);
  expect(before).toMatchObject({ type: 'configurable', variants: [{}, {}] });
  expect(await importFile(shop, file('course,,,Autumn'))).toMatchObject({ unchanged: 1, failed: 1 });
  expect((await productsBySlug(shop)).course).toEqual(before);
});

it.each([
  ['an unreadable line', 'tee,,M'],
  ['an option value of two lines', 'tee,,,"M\nL",20'],
  ['a line that another product parts from its head', 'mug,Mug,,,5\ntee,,,M,20'],
])('leaves a product with variants as it is if its head has no options, with %s', async (_, second) => {
  const shop = await world();
  const file = (head: string, line: string) =>
    `Handle,Title,Option1 Name,Option1 Value,Variant Price\n${head}\n${line}\n`;
  await importFile(shop, file('tee,Tee,Size,S,20', 'tee,,,M,20'));
  const { tee: before } = await productsBySlug(shop);
  const { updated, failed, errors } = await importFile(shop, file('tee,New Tee,,,25', second));
  expect([updated, failed, errors[0]]).toMatchObject([
    0,
    2,
    { line: 2, message: expect.stringContaining('The product has variants') },
  ]);
  expect((await productsBySlug(shop)).tee).toEqual(before);
});

it('keeps the price if the file has none', async () => {
  const shop = await world();
  await importFile(shop, 'Handle,Title,Price\nmug,Mug,12\n');
  expect(await importFile(shop, 'Handle,Title\nmug,Big Mug\ncup,Cup\n')).toMatchObject({
    updated: 1,
    failed: 1,
    errors: [{ line: 3, message: 'The price is missing.' }],
  });
  expect((await productsBySlug(shop)).mug).toMatchObject({ name: 'Big Mug', price: 12 });
});

const single = (shop: World, file: BodyInit) => importFile(shop, file);

it.each([
  ['', 'The file is empty.'],
  ['\r\n\r\n', 'The file is empty.'],
  ['{"products": []}', 'The file is JSON, not CSV.'],
  ['<!doctype html><title>Sign in</title>', 'The file is HTML or XML, not CSV.'],
  ['PK\x03\x04 a spreadsheet', 'The file is a spreadsheet or an archive. Save it as "CSV UTF-8".'],
  ['Handle;Title\nmug;Mug\n', 'The cells are separated by ";". Save the file with commas, as UTF-8.'],
  [
    '\uFEFF"Handle";"Title"\n"mug";"Mug"\n',
    'The cells are separated by ";". Save the file with commas, as UTF-8.',
  ],
  ['Handle\t"Title"\nmug\t"Mug"\n', 'The cells are separated by tabs. Save the file with commas, as UTF-8.'],
  [
    'Name,Email,Total\n#1001,a@b.example,12\n',
    'The file has no column "Handle": it is not a Shopify product CSV.',
  ],
  ['"Handle,Title\nmug,Mug\n', expect.stringContaining('a quotation mark is missing')],
])('fails with one clear error: %j', async (file, message) => {
  const shop = await world();
  const result = await single(shop, file);
  expect(result).toMatchObject({ status: 'failed', created: 0, failed: 1, errors: [{ line: 1, message }] });
  expect(await countImportRows(shop)).toBe(0);
});
