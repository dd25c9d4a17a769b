import { expect, it } from 'vitest';
import { catalogVersion, importFile } from '../support/fixtures/catalog/imports.ts';
import { createPosters } from '../support/fixtures/catalog/large-products.ts';
import { largestResponse } from '../support/storage/database-usage.ts';
import { type Answer, world } from '../support/world.ts';

it('changes large products a few at a time, so that they fit into memory', async () => {
  const shop = await world();
  await createPosters(shop, 24);
  const lines = Array.from({ length: 24 }, (_, n) => `poster-${n},Poster ${n},${n + 10}\n`);
  let done: Answer['body'];
  const largest = await largestResponse(async () => {
    done = await importFile(shop, `Handle,Title,Price\n${lines.join('')}`);
  });
  expect(done).toMatchObject({ updated: 24, failed: 0, processed: 24 });
  expect(largest).toBeLessThan(10_000_000);
  const fresh = { headers: { 'x-catalog-version': String(await catalogVersion(shop)) } };
  for (let n = 0; n < 24; n++)
    expect((await shop.get(`/products/slug/poster-${n}`, fresh)).body.price).toBe(n + 10);
});
