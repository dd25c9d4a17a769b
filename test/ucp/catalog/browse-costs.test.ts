import { expect, it } from 'vitest';
import { fill } from '../../catalog/list-index/filtered-list.ts';
import { forgetTenants, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { buildIndex } from '../../support/fixtures/catalog/list-index.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';

const PRODUCTS = 300;

it('browses by price and category from few rows of the database, as agents without proof may, however many match', async () => {
  const shop = await ucpShop();
  await fill(shop, PRODUCTS);
  const { body: first } = await shop.get('/products?limit=1');
  const { body: category } = await shop.post('/categories', { name: 'Cups' });
  await shop.post('/categories', { name: 'Small cups', parent_id: category.id });
  await shop.patch(`/products/${first.data[0].id}`, { category_ids: [category.id] });
  await buildIndex(shop);
  forgetTenants();
  const browse = (filters: object) => shop.rest('POST', '/catalog/search', { filters });
  await browse({ categories: ['Nothing'] });
  const found: number[] = [];
  const { read } = await measureDatabase(async () => {
    for (const filters of [{ price: { min: 200 } }, { price: { max: 1 } }, { categories: ['Cups'] }]) {
      const { body } = await browse(filters);
      found.push(body.pagination.total_count);
    }
  });
  const cheapest = Math.ceil(PRODUCTS / 7);
  expect(found).toEqual([PRODUCTS - cheapest, 0, 1]);
  expect(read).toBeLessThan(2 * PRODUCTS);
});

it('reads of a category with others below it no more than its products from a database without an index', async () => {
  const shop = await ucpShop();
  await fill(shop, PRODUCTS);
  const { body: first } = await shop.get('/products?limit=2');
  const [cup, small] = first.data.map(({ id }: { id: number }) => id);
  const { body: category } = await shop.post('/categories', { name: 'Cups' });
  const { body: below } = await shop.post('/categories', { name: 'Small cups', parent_id: category.id });
  await shop.patch(`/products/${cup}`, { category_ids: [category.id] });
  await shop.patch(`/products/${small}`, { category_ids: [below.id] });
  forgetTenants();
  const browse = (categories: string[]) => shop.rest('POST', '/catalog/search', { filters: { categories } });
  await browse(['Nothing']);
  const found: number[] = [];
  const { read } = await measureDatabase(async () => {
    for (const categories of [['Cups'], ['Cups', 'Small cups']]) {
      const { body } = await browse(categories);
      found.push(body.pagination.total_count);
    }
  });
  expect(found).toEqual([2, 2]);
  expect(read).toBeLessThan(PRODUCTS);
});
