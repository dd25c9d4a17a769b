import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { askNewest, ringIndex } from '../../support/fixtures/catalog/list-index.ts';
import { countStorageCalls } from '../../support/storage/storage-calls.ts';
import { world } from '../../support/world.ts';

it('serves the filtered lists of a tenant with few products that have many variants', async () => {
  const shop = await world();
  for (const name of ['Shirt', 'Trousers']) {
    const variants = Array.from({ length: 500 }, (_, n) => ({
      sku: `${name}-${n}`,
      price: 10,
      stock: 1,
      attributes: { size: `Size ${n}` },
    }));
    const made = await shop.post('/products', { name, type: 'configurable', price: 10, variants });
    expect(made.status).toBe(201);
  }
  const list = async (price: number) => {
    const { env, calls } = countStorageCalls();
    const path = `/v1/products?price_min=${price}&facets=price,attr.size`;
    const response = await fetchWith(env, 'GET', path, shop.token);
    const { meta } = await response.json<{ meta: { total: number } }>();
    expect(meta.total).toBe(2);
    return calls.read;
  };
  expect(await list(1)).toBeGreaterThan(1_000);
  for (let rings = 0; typeof (await askNewest(shop)) === 'string' && rings < 10; rings++)
    await ringIndex(shop);
  // For a second the isolate doesn't ask an index that was being built.
  moveClock(2_000);
  expect(await list(2)).toBeLessThan(100);
});
