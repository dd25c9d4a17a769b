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
} from '../support/fixtures/catalog/imports.ts';
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

const single = (shop: World, file: BodyInit) => importFile(shop, file);

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
