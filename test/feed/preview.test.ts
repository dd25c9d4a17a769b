import { expect, it } from 'vitest';
import { asDeveloper } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';
import { createFeed, feedShop, itemsOf, listed } from './feed-shop.ts';

it('shows the first items as the file has them, without those that are left out', async () => {
  const shop = await feedShop();
  await listed(shop, { name: 'Without a picture', images: [] });
  for (let n = 1; n <= 6; n++) await listed(shop, { name: `Cup ${n}`, price: 10 + n });
  const { id } = await createFeed(shop);
  const { status, body } = await shop.get(`/feeds/${id}/preview`);
  expect(status).toBe(200);
  const items = body.data.map(({ item }: { item: object }) => item);
  expect(items).toEqual((await itemsOf(shop)).slice(0, 5));
  expect(items[0]).toMatchObject({ title: 'Cup 1', price: '11.00 EUR' });
  expect((await shop.get(`/feeds/${id}/preview?limit=2`)).body.data).toEqual(body.data.slice(0, 2));
});

it('is part of the page of a feed', async () => {
  const shop = await feedShop();
  const { id } = await createFeed(shop);
  const developer = await asDeveloper(shop.slug);
  expect((await developer.get(`/developer/feeds/${id}`)).html).toContain('The file has no items yet.');
  expect(developer.last.html).toContain('Links lead to ');
  const { body } = await listed(shop, { name: 'Cup <b>', regular_price: 15 });
  const { html } = await developer.get(`/developer/feeds/${id}`);
  expect(html).toContain(`<a href="/developer/products/${body.id}">Cup &lt;b&gt;</a>`);
  expect(html).toContain('10.00 EUR instead of 15.00 EUR');
  expect(html).toContain('in stock');
});

it('leads from the page of an empty feed to the setting that fills it', async () => {
  const shop = await world();
  const { id } = await createFeed(shop);
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get(`/developer/feeds/${id}`);
  expect(html).toContain('<a href="/developer/settings">address of a product in your shop</a>');
});
