import { expect, it } from 'vitest';
import { asDeveloper } from '../support/fixtures/browser.ts';
import { world } from '../support/world.ts';

it('says that a list has fewer pages, instead of calling it empty', async () => {
  const shop = await world();
  await shop.post('/products', { name: 'Mug', type: 'simple', price: 12 });
  const developer = await asDeveloper(shop.slug);
  const { html } = await developer.get('/developer/products?page=99');
  expect(html).toContain('There is no page 99.');
  expect(html).toMatch(/href="\/developer\/products\?page=1">Go to the last page, 1</);
  expect(html).not.toContain('No products');
});
