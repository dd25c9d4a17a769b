/** What search engines and social networks read of the demo shop's pages. */

import { env } from 'cloudflare:workers';
import { afterEach, expect, it } from 'vitest';
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
