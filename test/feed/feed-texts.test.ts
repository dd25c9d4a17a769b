/** The texts of items in product feeds, as their readers get them. */

import { expect, it } from 'vitest';
import { createFeed, feedShop, fetchFile, itemsOf, listed, problemsOf, textOf } from './feed-shop.ts';

it('has no control characters in a description, whichever way it has them', async () => {
  const shop = await feedShop();
  await listed(shop, { name: 'Cup', description: 'A&#0;b&#1;c\u0001d\u007fe&#x1f;' });
  const empty = (await listed(shop, { name: 'Mug', description: '<p>\u0002&#0;</p>' })).body;
  for (const format of ['xml', 'csv', 'jsonl']) {
    const text = await textOf(await fetchFile((await createFeed(shop, format)).path));
    expect(text).toContain('A b c d e');
    expect(text.replace(/[\t\r\n]/g, '')).not.toMatch(/\p{Cc}|\\u00/u);
  }
  expect(await problemsOf(shop)).toMatchObject([
    { product_id: empty.id, problems: [{ attribute: 'description' }] },
  ]);
});

it('tells variants apart by their titles, however long the name is', async () => {
  const shop = await feedShop();
  const name = 'Ä'.repeat(200);
  const variant = (Size: string) => ({
    sku: `${crypto.randomUUID()}`,
    price: 1,
    attributes: { Size, Colour: 'Red' },
  });
  const long = 'x'.repeat(150);
  const variants = ['S', 'M', long].map(variant);
  await listed(shop, { name, type: 'configurable', variants });
  const titles = (await itemsOf(shop)).map(({ title }) => title);
  expect(titles).toEqual([
    `${'Ä'.repeat(140)} - S / Red`,
    `${'Ä'.repeat(140)} - M / Red`,
    `${'Ä'.repeat(75)} - ${'x'.repeat(72)}`,
  ]);
});

it('cuts a long title between characters as people see them', async () => {
  const shop = await feedShop();
  const family = '👨‍👩‍👧‍👦';
  await listed(shop, { name: family.repeat(30) });
  await listed(shop, { name: 'की'.repeat(76) });
  const titles = (await itemsOf(shop)).map(({ title }) => title);
  expect(titles).toEqual([family.repeat(21), 'की'.repeat(75)]);
});

it('has the weight of what is shipped only, and of no bundle, which weighs what is chosen of it', async () => {
  const shop = await feedShop();
  const weight = 500;
  const cup = (await listed(shop, { weight })).body;
  await listed(shop, { type: 'virtual', weight });
  await listed(shop, { type: 'downloadable', weight });
  const items = [{ product_id: cup.id, quantity: 2 }];
  await listed(shop, { type: 'bundled', weight, bundle_groups: [{ title: 'Cups', required: true, items }] });
  const variants = [{ sku: `${crypto.randomUUID()}`, price: 1, attributes: { Size: 'S' } }];
  await listed(shop, { type: 'configurable', weight, variants });
  const weights = (await itemsOf(shop)).map(({ shipping_weight }) => shipping_weight);
  expect(weights).toEqual(['500 g', undefined, undefined, undefined, '500 g']);
});
