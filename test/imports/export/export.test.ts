import { describe, expect, it } from 'vitest';
import { EXPORT_COLUMNS } from '../../../src/imports/export/product-rows.ts';
import { asDeveloper } from '../../support/fixtures/browser.ts';
import { importFile, productsBySlug } from '../../support/fixtures/catalog/imports.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type Answer, send, type World, world } from '../../support/world.ts';

const FILE = { headers: { accept: 'text/csv' } };
const url = (name: string) => `https://shop.example.com/${name}.jpg`;

/** A shop with what the format can express, and with what tends to break files. */
async function stocked(): Promise<World> {
  const shop = await world();
  const clothing = (await shop.post('/categories', { name: 'Clothing' })).body.id;
  const shirts = (await shop.post('/categories', { name: 'Shirts', parent_id: clothing })).body.id;
  const variant = (size: string, price: number, stock: number) => ({
    sku: `TEE-${size}`,
    price,
    stock,
    attributes: { Size: size, Colour: 'Red, "dark"' },
    barcode: `0040${size.length}`,
    weight: 180,
    image: url(`tee-${size}`),
  });
  const products = [
    {
      name: 'Tee',
      type: 'configurable',
      price: 20,
      regular_price: 30,
      category_ids: [shirts],
      variants: [variant('S', 20, 3), variant('M', 22, 0)],
      tags: ['cotton', 'summer'],
      vendor: 'Acme',
      images: [{ url: url('a'), alt: 'Front' }, { url: url('b') }, { url: url('c'), alt: 'Back' }],
    },
    {
      name: '=HYPERLINK("x")',
      slug: 'formula',
      type: 'simple',
      price: 5,
      stock: 4,
      description: '+1\nline, "two"',
    },
    { name: 'Voucher', type: 'virtual', price: 25, inventory_policy: 'untracked', status: 'inactive' },
    {
      name: 'Late',
      type: 'simple',
      price: 1,
      stock: 0,
      inventory_policy: 'continue',
      seo: { title: 'Late', description: 'Later' },
    },
  ];
  for (const product of products) {
    const made = await shop.post('/products', product);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  return shop;
}

const exported = async (shop: World, query = '') => shop.get(`/exports/products${query}`, FILE);

describe('an export of products', () => {
  it('changes nothing when it is imported again', async () => {
    const shop = await stocked();
    const file = await exported(shop);
    const done = await importFile(shop, String(file.body), '?stock=set');
    expect(done).toMatchObject({
      status: 'done',
      created: 0,
      updated: 0,
      unchanged: 4,
      failed: 0,
      errors: [],
    });
  });

  it('reads the categories of the page alone, however many the shop has', async () => {
    const shop = await stocked();
    const readRows = async () => (await measureDatabase(() => exported(shop))).read;
    const before = await readRows();
    for (let n = 0; n < 20; n++) await shop.post('/categories', { name: `Further ${n}` });
    expect(await readRows()).toBe(before);
  });

  it('makes the same products in another shop', async () => {
    const [shop, other] = [await stocked(), await world()];
    const done = await importFile(other, String((await exported(shop)).body));
    expect(done).toMatchObject({ created: 4, failed: 0 });
    const [before, after] = await Promise.all([productsBySlug(shop), productsBySlug(other)]);
    for (const [slug, product] of Object.entries(before)) {
      const fields = [
        'name',
        'type',
        'status',
        'price',
        'regular_price',
        'description',
        'images',
        'media',
        'tags',
        'vendor',
        'seo',
        'stock',
        'inventory_policy',
      ];
      for (const field of fields)
        expect([slug, field, after[slug][field]]).toEqual([slug, field, product[field]]);
      const variants = (of: {
        variants?: { sku: string; price: number; stock: number; attributes: object; barcode?: string }[];
      }) =>
        of.variants?.map(({ sku, price, stock, attributes, barcode }) => ({
          sku,
          price,
          stock,
          attributes,
          barcode,
        }));
      expect(variants(after[slug])).toEqual(variants(product));
      const path = (of: { categories?: { name: string }[] }) => of.categories?.map(({ name }) => name);
      expect(path(after[slug])).toEqual(path(product));
    }
  });

  it('keeps a spreadsheet from evaluating texts, and the text as it was', async () => {
    const shop = await stocked();
    expect(String((await exported(shop)).body)).toContain(`"'=HYPERLINK(""x"")"`);
    expect((await productsBySlug(shop)).formula.name).toBe('=HYPERLINK("x")');
  });

  it('comes in pages, in JSON too', async () => {
    const shop = await stocked();
    const first = await exported(shop, '?limit=3');
    const [, next = ''] =
      /^<https:\/\/[^/]+\/v1(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await shop.get(next, FILE);
    expect(second.headers.get('link')).toBeNull();
    expect([String(first.body), String(second.body)].map((text) => text.startsWith('Handle,Title'))).toEqual([
      true,
      true,
    ]);
    expect(String(second.body)).toContain('late,Late');
    const { body } = await shop.get('/exports/products?limit=1');
    expect(body.columns).toEqual([...EXPORT_COLUMNS]);
    const title = body.columns.indexOf('Title');
    expect(body.rows.map((row: string[]) => row[title])).toEqual(['Tee', '', '']);
    expect(body.next_after).toEqual(expect.any(Number));
  });

  it('has fewer products on a page if they are large, and each of them once', async () => {
    const shop = await world();
    const images = Array.from({ length: 250 }, (_, n) => url(`${n}-${'x'.repeat(1_900)}`));
    for (let n = 0; n < 20; n++) {
      expect((await shop.post('/products', { name: `P${n}`, type: 'simple', price: 1, images })).status).toBe(
        201,
      );
    }
    const pages: string[][] = [];
    for (let after: number | null = 0; after !== null; ) {
      const { body }: Answer = await shop.get(`/exports/products?after=${after}`);
      pages.push(body.rows.map(([handle = '']: string[]) => handle));
      after = body.next_after;
    }
    expect(pages.map((handles) => new Set(handles).size)).toEqual([17, 3]);
  });

  it.each([
    ['after', 'x'],
    ['after', '-1'],
    ['limit', '0'],
    ['limit', '101'],
  ])('refuses %s=%s by name', async (name, value) => {
    const refused = await (await world()).get(`/exports/products?${name}=${value}`);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [name]]);
  });

  it('shows nothing of another tenant', async () => {
    await stocked();
    expect((await (await world()).get('/exports/products')).body.rows).toEqual([]);
  });

  it('needs the scope to write the catalogue', async () => {
    const shop = await world();
    const { token } = await shop.register({ kind: 'storefront' });
    expect((await send('GET', '/v1/exports/products', { token })).body.details).toEqual({
      required_scope: 'catalog:write',
    });
  });

  it('is a download in the panel', async () => {
    const shop = await stocked();
    const file = await (await asDeveloper(shop.slug)).get('/developer/exports/products');
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="products.csv"',
    ]);
    expect(file.html.split('\r\n')).toHaveLength(8);
  });
});
