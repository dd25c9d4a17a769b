/** Large pages of products that agents ask for at once: anyone may ask. */
import { expect, it } from 'vitest';
import { stopClock } from '../../support/runtime/stop-clock.ts';
import { watchBatches } from '../../support/storage/watch-batches.ts';
import { ask, catalogShop } from './catalog-shop.ts';

it('reads large pages in turn', async () => {
  const { shop } = await catalogShop();
  const description = 'Long. '.repeat(10_000);
  for (let n = 0; n < 40; n++) {
    const made = await shop.post('/products', {
      name: `Book ${n}`,
      type: 'simple',
      price: 50,
      description,
    });
    expect(made.status).toBe(201);
  }
  const browse = (price: number) =>
    ask(shop, 'rest', 'search', { filters: { price: { min: price } }, pagination: { limit: 50 } });
  expect((await browse(4_000)).body.products).toHaveLength(41);
  // A slow machine would need longer than a request waits for its turn.
  stopClock();
  const pages = watchBatches(/product_listings/);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => browse(4_001 + n)));
  expect(answers.map(({ body }) => body.products.length)).toEqual(Array(8).fill(41));
  expect(pages.most).toBeLessThanOrEqual(3);
});
