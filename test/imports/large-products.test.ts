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

it('writes products of many variants with the longest SKUs, as many at once as D1 takes', async () => {
  const shop = await world();
  const letter = (n: number) => String.fromCodePoint(0x1f400 + n);
  const sku = (n: number) => `${letter(0).repeat(62)}${letter(Math.floor(n / 100))}${letter(n % 100)}`;
  const lines = Array.from(
    { length: 16 * 500 },
    (_, n) => `t${Math.floor(n / 500)},T,5,${sku(n)},A,${n % 500}\n`,
  );
  const header = 'Handle,Title,Price,Variant SKU,Option1 Name,Option1 Value\n';
  expect(await importFile(shop, header + lines.join(''))).toMatchObject({
    status: 'done',
    created: 16,
    failed: 0,
  });
});
