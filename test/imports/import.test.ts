import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import {
  catalogVersion,
  countEvents,
  countImportRows,
  importFile,
  productsBySlug,
  stockBySku,
  upload,
} from '../support/fixtures/imports.ts';
import { type World, world } from '../support/world.ts';

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Image Position,Variant Image,Status';

/** A file such as Shopify exports it: two products, variants and images on lines of their own. */
const CATALOGUE = `\uFEFF${HEADER}\r
linen-shirt,Linen Shirt,"<p>Airy, ""soft"".</p>\r
<ul><li>Linen</li></ul>",Atelier 🪡,Apparel > Tops,,"summer, linen",true,Size,S,Colour,White,,3,49.90,59.90,,https://img.example/shirt-2.jpg,2,https://img.example/white.jpg,active\r
linen-shirt,,,,,,,,,M,,White,,0,49.90,59.90,,https://img.example/shirt-1.jpg,1,,\r
linen-shirt,,,,,,,,,M,,Blue,LS-M-BLUE,0,,,,,,,\r
linen-shirt,,,,,,,,,,,,,,,,,https://img.example/shirt-3.jpg,3,,\r
tea-towel,Tea Towel,,,,Kitchen,,true,Title,Default Title,,,,7,12,10,'0401234567890,,,,draft\r
`;

it('imports products, variants, categories and stock from a file', async () => {
  const shop = await world();
  const result = await importFile(shop, CATALOGUE);
  expect(result).toMatchObject({
    status: 'done',
    rows: 5,
    processed: 5,
    created: 2,
    updated: 0,
    unchanged: 0,
    failed: 0,
    errors: [],
  });
  const { 'linen-shirt': shirt, 'tea-towel': towel, ...others } = await productsBySlug(shop);
  expect(others).toEqual({});
  expect(shirt).toMatchObject({
    name: 'Linen Shirt',
    sku: 'linen-shirt',
    type: 'configurable',
    status: 'active',
    description: '<p>Airy, "soft".</p>\r\n<ul><li>Linen</li></ul>',
    vendor: 'Atelier 🪡',
    tags: ['summer', 'linen'],
    price: 49.9,
    regular_price: 59.9,
    stock: 3,
    images: [1, 2, 3].map((n) => `https://img.example/shirt-${n}.jpg`),
  });
  expect(shirt.categories).toMatchObject([{ name: 'Tops', slug: 'tops' }]);
  expect(shirt.variants).toMatchObject([
    { sku: 'linen-shirt_s_white', price: 49.9, stock: 3, attributes: { Size: 'S', Colour: 'White' } },
    { sku: 'linen-shirt_m_white', price: 49.9, stock: 0, attributes: { Size: 'M', Colour: 'White' } },
    { sku: 'LS-M-BLUE', price: 49.9, stock: 0, attributes: { Size: 'M', Colour: 'Blue' } },
  ]);
  expect(towel).toMatchObject({ type: 'simple', sku: 'tea-towel', status: 'inactive', price: 12, stock: 7 });
  expect(towel).toMatchObject({ barcode: '0401234567890', categories: [{ name: 'Kitchen' }] });
  expect(towel.regular_price).toBeNull();

  const { body: tree } = await shop.get('/categories');
  expect(tree.data).toMatchObject([
    { name: 'Apparel', children: [{ name: 'Tops', children: [] }] },
    { name: 'Kitchen', children: [] },
  ]);
  expect(await countImportRows(shop)).toBe(0);
});

it('changes nothing when the same file is imported again', async () => {
  const shop = await world();
  await importFile(shop, CATALOGUE);
  const before = [await countEvents(shop), await catalogVersion(shop), await productsBySlug(shop)];
  const result = await importFile(shop, CATALOGUE);
  expect(result).toMatchObject({ status: 'done', created: 0, updated: 0, unchanged: 2, failed: 0 });
  expect([await countEvents(shop), await catalogVersion(shop), await productsBySlug(shop)]).toEqual(before);
});

it('changes what differs, and keeps fields that have no column', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  await importFile(shop, CATALOGUE);
  const { 'tea-towel': towel } = await productsBySlug(shop);
  await shop.patch(`/products/${towel.id}`, {
    prices: { USD: 14 },
    tax_class: 'books',
    seo: { title: 'Towel' },
  });

  const result = await importFile(shop, 'Handle,Title,Variant Price,Tags\ntea-towel,Tea Towel XL,13,big\n');
  expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 0 });
  const { 'tea-towel': after, 'linen-shirt': shirt } = await productsBySlug(shop);
  expect(after).toMatchObject({
    id: towel.id,
    name: 'Tea Towel XL',
    price: 13,
    tags: ['big'],
    status: 'inactive',
    stock: 7,
    barcode: '0401234567890',
    tax_class: 'books',
    seo: { title: 'Towel' },
    categories: [{ name: 'Kitchen' }],
  });
  expect(shirt.name).toBe('Linen Shirt');
  expect((await shop.get(`/products/${towel.id}?status=all&currency=USD`)).body.price).toBe(14);
});

it('sets the weights of products and variants, and keeps them without the column', async () => {
  const shop = await world();
  const header = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Grams';
  const lines = ['mug,Mug,,,5,350', 'tee,Tee,Size,S,20,180', 'tee,,,M,20,'];
  await importFile(shop, [header, ...lines].join('\n'));
  const read = async () => {
    const { mug, tee } = await productsBySlug(shop);
    return [mug.weight, tee.weight, ...tee.variants.map(({ weight }: { weight: number }) => weight)];
  };
  expect(await read()).toEqual([350, null, 180, null]);
  const again = await importFile(shop, [header, ...lines].join('\n').replaceAll(/,[^,\n]*$/gm, ''));
  expect(again).toMatchObject({ status: 'done', unchanged: 2 });
  expect(await read()).toEqual([350, null, 180, null]);
});

it('does not undo sales, unless asked to set stock', async () => {
  const shop = await world();
  await importFile(shop, CATALOGUE);
  const sold = [
    { sku: 'tea-towel', delta: -3, reason: 'sold' },
    { sku: 'linen-shirt_s_white', delta: -1, reason: 'sold' },
  ];
  expect((await shop.post('/inventory/adjustments', { items: sold })).status).toBe(200);

  expect(await importFile(shop, CATALOGUE)).toMatchObject({ updated: 0, unchanged: 2 });
  expect(await stockBySku(shop)).toMatchObject({
    'tea-towel': 4,
    'linen-shirt': 2,
    'linen-shirt_s_white': 2,
  });

  expect(await importFile(shop, CATALOGUE, '?stock=set')).toMatchObject({ updated: 2, unchanged: 0 });
  expect(await stockBySku(shop)).toMatchObject({
    'tea-towel': 7,
    'linen-shirt': 3,
    'linen-shirt_s_white': 3,
  });
  expect(await importFile(shop, CATALOGUE, '?stock=set')).toMatchObject({ updated: 0, unchanged: 2 });
});

it('shows the stock it has set to every reader without waiting for the cron', async () => {
  const shop = await world();
  const file = (stock: number) => `Handle,Title,Price,Inventory quantity\nmug,Mug,12,${stock}\n`;
  await importFile(shop, file(5));
  const { id } = (await productsBySlug(shop)).mug;
  const shown = async () => {
    // A lease knows of a change within two seconds.
    moveClock(2_000);
    return (await shop.get(`/products/${id}`)).body.stock;
  };
  expect(await shown()).toBe(5);
  await importFile(shop, file(7), '?stock=set');
  // Changes of stock alone are gathered for some seconds, which end now.
  await runDurableObjectAlarm(env.TENANT.getByName(String(shop.tenantId)));
  expect(await shown()).toBe(7);
});

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

it('matches a variant by its options when its SKU changes', async () => {
  const shop = await world();
  const file = (sku: string) =>
    `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\ntee,Tee,Size,S,${sku},20,5\n`;
  await importFile(shop, file(''));
  const before = (await productsBySlug(shop)).tee.variants[0];
  await shop.post('/inventory/adjustments', { items: [{ sku: 'tee_s', delta: -2, reason: 'sold' }] });
  await importFile(shop, file('T-1'));
  expect((await productsBySlug(shop)).tee.variants).toMatchObject([{ id: before.id, sku: 'T-1' }]);
  expect(await stockBySku(shop)).toEqual({ tee: 3, 'T-1': 3 });
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

it('turns a simple product into a configurable one and back', async () => {
  const shop = await world();
  const header = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty\n';
  await importFile(shop, `${header}tee,Tee,Title,Default Title,20,4\n`);
  const { id } = (await productsBySlug(shop)).tee;
  await importFile(shop, `${header}tee,Tee,Size,S,20,1\ntee,,,M,18,2\n`);
  expect((await productsBySlug(shop)).tee).toMatchObject({ id, type: 'configurable', price: 18, stock: 3 });
  await importFile(shop, `${header}tee,Tee,Title,Default Title,20,9\n`);
  expect((await productsBySlug(shop)).tee).toMatchObject({ id, type: 'simple', price: 20, stock: 9 });
});

it('keeps the type of a product that was changed to booking', async () => {
  const shop = await world();
  const booking = {
    timezone: 'Europe/Berlin',
    slots: [{ from: '2100-01-01T10:00:00Z', to: '2100-01-01T12:00:00Z', capacity: 5 }],
  };
  await shop.post('/products', { name: 'Pottery class', type: 'booking', price: 60, booking });
  await importFile(shop, 'Handle,Title,Price,Tags\npottery-class,Pottery Class,10,clay\n');
  expect((await productsBySlug(shop))['pottery-class']).toMatchObject({
    name: 'Pottery Class',
    type: 'booking',
    price: 60,
    tags: ['clay'],
    booking: { slots: [{ capacity: 5 }] },
  });
});

it("adds the file's category to those that were assigned otherwise", async () => {
  const shop = await world();
  const { body: sale } = await shop.post('/categories', { name: 'Sale' });
  const file = (type: string) => `Handle,Title,Price,Type\nmug,Mug,12,${type}\n`;
  await importFile(shop, file('Cups'));
  const { mug } = await productsBySlug(shop);
  const [{ id: cups }] = mug.categories;
  await shop.patch(`/products/${mug.id}`, { category_ids: [cups, sale.id] });
  expect(await importFile(shop, file('CUPS'))).toMatchObject({ unchanged: 1 });
  expect(await importFile(shop, file('')), 'an empty Type takes nothing away').toMatchObject({
    unchanged: 1,
  });
  expect(await importFile(shop, file('Bowls'))).toMatchObject({ updated: 1 });
  expect((await productsBySlug(shop)).mug.categories).toMatchObject([{ name: 'Bowls' }]);
});

it('gives categories of the same name under different parents distinct slugs', async () => {
  const shop = await world();
  await importFile(
    shop,
    'Handle,Title,Price,Product Category\na,A,1,Women > Shoes\nb,B,1,Men > Shoes\nc,C,1,women > shoes\n',
  );
  const { a, b, c } = await productsBySlug(shop);
  expect(a.categories[0].slug).toBe('shoes');
  expect(b.categories[0].slug).toBe(`shoes-${b.categories[0].id}`);
  expect(c.categories[0].id).toBe(a.categories[0].id);
});

const single = (shop: World, file: BodyInit) => importFile(shop, file);

it.each([
  ['', 'The file is empty.'],
  ['\r\n\r\n', 'The file is empty.'],
  ['{"products": []}', 'The file is JSON, not CSV.'],
  ['<!doctype html><title>Sign in</title>', 'The file is HTML or XML, not CSV.'],
  ['PK\x03\x04 a spreadsheet', 'The file is a spreadsheet or an archive. Save it as "CSV UTF-8".'],
  ['Handle;Title\nmug;Mug\n', 'The cells are separated by ";". Save the file with commas.'],
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

it('finishes immediately with a file of only a header', async () => {
  const shop = await world();
  expect(await single(shop, `${HEADER}\n`)).toMatchObject({
    status: 'done',
    rows: 0,
    processed: 0,
    errors: [],
  });
});

it('accepts a file of 32 MiB and not one byte more, with or without Content-Length', async () => {
  const shop = await world();
  const send = (size: number) => {
    const block = new Uint8Array(64 * 1024).fill(10);
    let left = size;
    const raw = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        const piece = block.subarray(0, Math.min(left, block.length));
        left -= piece.length;
        if (piece.length > 0) stream.enqueue(piece);
        else stream.close();
      },
    });
    return shop.post('/imports/products', undefined, {
      raw,
      headers: { 'content-type': 'text/csv', 'idempotency-key': 'large' },
    });
  };
  const most = 32 * 1024 * 1024;
  const refused = await send(most + 1);
  expect(refused.status).toBe(413);
  expect(refused.body).toMatchObject({ code: 'payload_too_large', details: { max_bytes: most } });
  expect(await countImportRows(shop)).toBe(0);
  // What is too large is no use of its key.
  expect((await send(most)).status).toBe(202);
});

it('requires a CSV, the scope and the tenant', async () => {
  const [shop, other] = [await world(), await world()];
  const json = await shop.post('/imports/products', { products: [] });
  expect(json.status).toBe(415);
  expect(json.body.code).toBe('unsupported_media_type');
  const storefront = await shop.register();
  const asStorefront = { token: storefront.token, raw: CATALOGUE, headers: { 'content-type': 'text/csv' } };
  expect((await shop.post('/imports/products', undefined, asStorefront)).status).toBe(403);
  const wrong = await shop.post('/imports/products?stock=keep', undefined, {
    raw: CATALOGUE,
    headers: { 'content-type': 'text/csv' },
  });
  expect(wrong.status).toBe(422);
  expect(wrong.body.errors).toHaveProperty('stock');

  const id = await upload(shop, CATALOGUE);
  const foreign = await other.get(`/imports/${id}`);
  expect(foreign.status).toBe(404);
  expect(foreign.body.code).toBe('import_not_found');
  expect((await shop.get('/imports/imp_nothing')).status).toBe(404);
});

it('starts one import per Idempotency-Key', async () => {
  const shop = await world();
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'import-1' };
  const first = await shop.post('/imports/products', undefined, { raw: CATALOGUE, headers });
  const again = await shop.post('/imports/products', undefined, { raw: CATALOGUE, headers });
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.body.id).toBe(first.body.id);
});
