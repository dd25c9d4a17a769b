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
