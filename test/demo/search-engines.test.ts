/** What search engines and social networks read of the demo shop's pages. */

import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
import { DAY, now } from '../../src/kernel/core/clock.ts';
import { Browser } from '../support/fixtures/browser.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { demoShop } from '../support/fixtures/demo.ts';

afterEach(() => {
  env.DEMO_TOKEN = 'none';
});

const NOINDEX = '<meta name="robots" content="noindex"';

/** Returns the address that a page gives as its own; undefined if it gives none. */
const canonicalOf = (html: string): string | undefined =>
  /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];

it('lists its shelves and products under one address each, whatever their filters and choices', async () => {
  const shop = await demoShop();
  await shop.post('/categories', { name: 'Чай' });
  const { body } = await stockedProduct(shop);
  const shopper = new Browser();
  const origin = 'https://api.example.com';
  const product = `/demo/products/${body.id}`;
  for (const [path, canonical] of [
    ['/demo', '/demo'],
    ['/demo/products?sort=name_asc&in_stock=true', '/demo/products'],
    ['/demo/products?page=2&vendor=A', '/demo/products?page=2'],
    [`/demo/categories/${encodeURIComponent('чай')}?page=1`, `/demo/categories/${encodeURIComponent('чай')}`],
    [`${product}?variant=${body.id}&page=2`, product],
  ] as const) {
    const { status, html } = await shopper.get(path);
    expect([path, status, canonicalOf(html)]).toEqual([path, 200, `${origin}${canonical}`]);
    expect(html).not.toContain(NOINDEX);
  }
});

it('keeps searches, carts, accounts and missing pages out of search engines', async () => {
  await demoShop();
  const shopper = new Browser();
  for (const path of [
    '/demo/search?q=mug',
    '/demo/cart',
    '/demo/account/login',
    '/demo/products/1',
    '/demo/x',
  ]) {
    const { html } = await shopper.get(path);
    expect(html, path).toContain(NOINDEX);
    expect(canonicalOf(html), path).toBeUndefined();
  }
});

/** Returns the content of each Open Graph tag by its property. */
const openGraph = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<meta property="og:(\w+)" content="([^"]*)"/g)].map(([, name = '', text = '']) => [
      name,
      text,
    ]),
  );

/** Returns the structured data of a page. */
const dataOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
    JSON.parse(json),
  );

it('describes a product for rich results, at the price and stock of the variant that is shown', async () => {
  const shop = await demoShop();
  const mugs = (await shop.post('/categories', { name: 'Mugs' })).body;
  const variant = (sku: string, price: number, stock: number) => ({
    sku,
    price,
    stock,
    attributes: { size: sku },
  });
  const { body } = await stockedProduct(shop, {
    name: 'Mug </script><b>',
    type: 'configurable',
    vendor: 'Fjell & Co',
    description: '<p>Of clay &amp; glass.</p>',
    images: ['https://img.example.com/1.jpg', 'https://img.example.com/2.jpg'],
    category_ids: [mugs.id],
    variants: [variant('S', 9, 4), variant('L', 12.5, 0)],
  });
  const address = `https://api.example.com/demo/products/${body.id}`;
  const { html } = await new Browser().get(`/demo/products/${body.id}?variant=${body.variants[1].id}`);
  const [product, crumbs, ...others] = dataOf(html);
  expect(others).toEqual([]);
  expect(product).toEqual({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Mug </script><b>',
    description: 'Of clay & glass.',
    image: ['https://img.example.com/1.jpg', 'https://img.example.com/2.jpg'],
    sku: 'L',
    brand: { '@type': 'Brand', name: 'Fjell & Co' },
    offers: {
      '@type': 'Offer',
      url: address,
      price: 12.5,
      priceCurrency: 'EUR',
      availability: 'https://schema.org/OutOfStock',
    },
  });
  const crumb = (position: number, name: string, path: string) => ({
    '@type': 'ListItem',
    position,
    name,
    item: `https://api.example.com${path}`,
  });
  expect(crumbs).toEqual({
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [crumb(1, 'Home', '/demo'), crumb(2, 'Mugs', '/demo/categories/mugs')],
  });
  expect(openGraph(html)).toMatchObject({
    type: 'product',
    url: address,
    description: 'Of clay &amp; glass.',
    image: 'https://img.example.com/1.jpg',
  });
});

it('says until when a reduced price holds', async () => {
  const shop = await demoShop();
  const ends_at = new Date(now() + DAY).toISOString();
  const { body } = await stockedProduct(shop, { price: 10, sale: { price: 7, ends_at } });
  const [product] = dataOf((await new Browser().get(`/demo/products/${body.id}`)).html);
  expect(product.offers).toMatchObject({ price: 7, priceValidUntil: ends_at });
});

it('shows social networks the picture and texts that are set for search engines', async () => {
  const shop = await demoShop();
  const seo = { title: 'Clay mugs', og_image: 'https://img.example.com/social.jpg' };
  const { body } = await stockedProduct(shop, { images: ['https://img.example.com/1.jpg'], seo });
  await shop.post('/categories', { name: 'Mugs', seo: { ...seo, title: 'All mugs' } });
  const shopper = new Browser();
  const product = openGraph((await shopper.get(`/demo/products/${body.id}`)).html);
  expect(product).toMatchObject({ title: 'Clay mugs', image: 'https://img.example.com/social.jpg' });
  const category = openGraph((await shopper.get('/demo/categories/mugs')).html);
  expect(category).toMatchObject({
    type: 'website',
    title: 'All mugs',
    image: 'https://img.example.com/social.jpg',
  });
  const cart = (await shopper.get('/demo/cart')).html;
  expect([openGraph(cart), dataOf(cart)]).toEqual([{}, []]);
});

it('names the shop once in a title that ends with its name already', async () => {
  const shop = await demoShop({ name: 'Pine & Harbour' });
  const titleOf = async (seo: object) => {
    const { body } = await stockedProduct(shop, { name: 'Mug', seo });
    const { html } = await new Browser().get(`/demo/products/${body.id}`);
    return /<title>([^<]*)/.exec(html)?.[1];
  };
  expect(await titleOf({ title: 'Clay mug | Pine & Harbour' })).toBe('Clay mug | Pine &amp; Harbour');
  expect(await titleOf({ title: 'Clay mug' })).toBe('Clay mug · Pine &amp; Harbour');
});
