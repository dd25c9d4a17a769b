import { expect, it } from 'vitest';
import { asDeveloper, type Browser } from '../support/fixtures/browser.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { world } from '../support/world.ts';

/** Returns the titles that the browser's tabs show for these pages. */
async function titlesOf(developer: Browser, paths: readonly string[]): Promise<string[]> {
  const titles: string[] = [];
  for (const path of paths) {
    const [, title = ''] = /<title>(.*?)<\/title>/.exec((await developer.get(path)).html) ?? [];
    titles.push(title);
  }
  return titles;
}

it('names the part of its subject that a page shows in its title', async () => {
  const shop = await world();
  const { id } = (await createProduct(shop, { name: 'Mug' })).body;
  const developer = await asDeveloper(shop.slug);
  const [settings, orders, product] = ['settings', 'orders', `products/${id}`].map(
    (it) => `/developer/${it}`,
  );
  const titles = await titlesOf(developer, [
    '/developer',
    ...['', '/tax', '/shipping', '/checkout', '/agents'].map((path) => `${settings}${path}`),
    ...['', '?status=pending', '?tag=gift'].map((path) => `${orders}${path}`),
    ...['', '/pictures', '/organisation', '/search-engines'].map((path) => `${product}${path}`),
  ]);
  const [, name = ''] = / · (Tenant .*)/.exec(titles[0] ?? '') ?? [];
  expect(titles.map((title) => title.replace(` · ${name}`, ''))).toEqual([
    'Overview',
    'General · Settings',
    'Tax · Settings',
    'Shipping · Settings',
    'Checkout and payments · Settings',
    'Agents · Settings',
    'Orders',
    'Waiting for payment · Orders',
    'Orders',
    'Mug',
    'Pictures · Mug',
    'Organisation · Mug',
    'Search engines · Mug',
  ]);
});
