import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { Browser } from '../../support/fixtures/browser.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { demoShop } from '../../support/fixtures/demo.ts';
import { pageWeight } from '../../support/fixtures/page-weight.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

/** The names of the products that a page lists. */
const listed = (html: string): string[] =>
  [...html.matchAll(/<h3 dir="auto"><a href="\/demo\/products\/\d+">([^<]*)</g)].map(([, name = '']) => name);

/** A category with a subcategory, and three products in it. */
async function clothing() {
  const shop = await demoShop();
  const all = (await shop.post('/categories', { name: 'Clothing' })).body;
  const tops = (await shop.post('/categories', { name: 'Tops', parent_id: all.id })).body;
  const tee = (name: string, colour: string, price: number, stock: number) =>
    stockedProduct(shop, {
      name,
      type: 'configurable',
      price,
      category_ids: [tops.id],
      vendor: 'Fjell & Co',
      variants: [{ sku: name, price, stock, attributes: { colour } }],
    });
  await tee('Red tee', 'Red', 20, 3);
  await tee('Blue tee', 'Blue, pale', 30, 0);
  await tee('Green tee', 'Green', 40, 3);
  return shop;
}

it('filters and sorts a category by what its products have', async () => {
  await clothing();
  const shopper = new Browser();
  const { html } = await shopper.get('/demo/categories/clothing');
  expect(listed(html)).toEqual(['Green tee', 'Blue tee', 'Red tee']);
  expect(html).toMatch(/<legend dir="auto">Colour<\/legend>/);
  expect(html).toContain('href="/demo/categories/tops"');
  const value = /name="attr\.colour" value="(Blue[^"]*)"/.exec(html)?.[1] ?? '';
  const blue = await shopper.get(
    `/demo/categories/clothing?attr.colour=${encodeURIComponent(value)}&attr.colour=Red`,
  );
  expect(listed(blue.html)).toEqual(['Blue tee', 'Red tee']);
  expect(blue.html).toMatch(/Remove <\/span>Blue, pale/);
  const path =
    /href="([^"]*)" dir="auto"><span class="hidden">Remove <\/span>Blue/.exec(blue.html)?.[1] ?? '';
  expect(listed((await shopper.get(path.replaceAll('&amp;', '&'))).html)).toEqual(['Red tee']);
  const sorted = await shopper.get('/demo/categories/tops?sort=price_asc&price_min=25&in_stock=true');
  expect(listed(sorted.html)).toEqual(['Green tee']);
  expect(sorted.html).toMatch(/value="price_asc" selected/);
  const unknown = await shopper.get('/demo/categories/tops?sort=constructor&price_min=25&in_stock=true');
  expect(listed(unknown.html)).toEqual(['Green tee']);
  const none = await shopper.get('/demo/categories/tops?price_min=90');
  expect(none.html).toContain('Nothing matches these filters.');
  const gone = await shopper.get(`/demo/categories/tops?vendor=${encodeURIComponent('Rie\\, Coper')}`);
  expect(gone.html).toContain('<span dir="auto">Rie, Coper</span>');
});

it('leads from a page past the end to the last one, and from a renamed category to its new address', async () => {
  const shop = await clothing();
  const shopper = new Browser();
  const past = await shopper.get('/demo/products?page=99');
  expect(past.html).toMatch(/There is no page 99\. <a href="\/demo\/products">Go to the last page/);
  const { data } = (await shop.get('/categories')).body;
  await shop.patch(`/categories/${data[0].id}`, { name: 'Garments', slug: 'garments' });
  await vi.waitFor(
    async () => {
      const moved = await shopper.get('/demo/categories/clothing?vendor=A&page=2');
      expect([moved.status, moved.headers.get('location')]).toEqual([
        301,
        '/demo/categories/garments?vendor=A&page=2',
      ]);
    },
    { timeout: 30_000, interval: 200 },
  );
  expect((await shopper.get('/demo/categories/made-up')).status).toBe(404);
});

it('keeps a list within 30 KiB, with stylesheets and script', async () => {
  const shop = await demoShop();
  const name = '"&<>'.repeat(60);
  for (let n = 0; n < 13; n++) {
    const attributes = { colour: `${n} ${'shade '.repeat(15)}`, size: `${n}` };
    const variants = [{ sku: `S-${n}`, price: 1e9, stock: 3, attributes }];
    await stockedProduct(shop, {
      name,
      type: 'configurable',
      vendor: `Brand ${n}`,
      tags: [`${n}`],
      variants,
    });
  }
  const shopper = new Browser();
  const { html } = await shopper.get('/demo/products');
  expect(html.match(/\.(css|js)\b/g)).toHaveLength(4);
  expect(await pageWeight(html)).toBeLessThanOrEqual(30 * 1024);
});

it('takes the bounds of a price in either order', async () => {
  const shop = await demoShop();
  for (const price of [10, 30, 60]) await stockedProduct(shop, { name: `Cup ${price}`, price });
  const { status, html } = await new Browser().get('/demo/products?price_min=50&price_max=20');
  expect([status, html]).toEqual([200, expect.stringContaining('>Cup 30</a>')]);
  expect(html).not.toMatch(/>Cup (10|60)</);
  expect(html).toMatch(/name="price_min"[^>]* value="20"[\s\S]*name="price_max"[^>]* value="50"/);
});

it('counts one suggestion as one', async () => {
  const shop = await demoShop();
  await stockedProduct(shop, { name: 'Kettle' });
  await vi.waitFor(
    async () => {
      const { html } = await new Browser().get('/demo/suggestions?q=kettle');
      expect(html).toMatch(/>1 suggestion<[\s\S]*Kettle/);
    },
    { timeout: 30_000, interval: 200 },
  );
});

it.each([
  ['29,5', '39,90'],
  ['２９，５', '３９．９０'],
])('takes a price as some keyboards have it: %s', async (min, max) => {
  await clothing();
  const asked = new URLSearchParams({ price_min: min, price_max: max });
  const { status, html } = await new Browser().get(`/demo/products?${asked}`);
  expect([status, listed(html)]).toEqual([200, ['Blue tee']]);
  expect(html).toMatch(/name="price_min"[^>]* value="29.5"/);
  const pattern = /name="price_min"[^>]* pattern="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(max).toMatch(new RegExp(`^(?:${pattern})$`, 'v'));
});

it("has a category's texts for search engines in its head, and the name as its heading", async () => {
  const shop = await demoShop();
  const seo = { title: 'Shirts and tees', description: 'Of cotton.' };
  await shop.post('/categories', { name: 'Tops', description: 'All tops.', seo });
  const { html } = await new Browser().get('/demo/categories/tops');
  expect(html).toContain('<title>Shirts and tees ·');
  expect(html).toContain('<meta name="description" content="Of cotton."');
  expect(html).toContain('<h1 dir="auto">Tops</h1>');
  expect(html).toContain('All tops.');
});
