/** What it costs to count facets: D1 charges each row that it reads, and other tenants wait for the same database. */
import { expect, it } from 'vitest';
import { fetchWith } from '../../support/faults/bindings.ts';
import { countStorageCalls } from '../../support/storage/storage-calls.ts';
import { world } from '../../support/world.ts';

const VARIANTS = 100;

it.each([
  ['an attribute of variants', 'attr.size'],
  ['an attribute of the product', 'attr.material'],
  ['tags', 'tag'],
])('reads the values of %s once for a product, not once for each of its variants', async (_, facet) => {
  const shop = await world();
  const variants = Array.from({ length: VARIANTS }, (_, n) => ({
    sku: `shirt-${n}`,
    price: 10,
    stock: 1,
    attributes: { size: `Size ${n}`, color: 'Black' },
  }));
  const made = await shop.post('/products', {
    name: 'Shirt',
    type: 'configurable',
    price: 10,
    variants,
    tags: Array.from({ length: 50 }, (_, n) => `Tag ${n}`),
    attributes: { material: Array.from({ length: 20 }, (_, n) => `Cloth ${n}`) },
  });
  expect(made.status).toBe(201);
  const { env, calls } = countStorageCalls();
  const response = await fetchWith(env, 'GET', `/v1/products?price_min=1&facets=${facet}`, shop.token);
  const { meta } = await response.json<{ meta: { facets: Record<string, { count: number }[]> } }>();
  expect(meta.facets[facet]?.every(({ count }) => count === 1)).toBe(true);
  expect(meta.facets[facet]?.length).toBeGreaterThan(2);
  expect(calls.read).toBeLessThan(15 * VARIANTS);
});

it('matches the products once for all facets, each of which leaves out its own filter', async () => {
  const shop = await world();
  const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
  const variants = Array.from({ length: VARIANTS }, (_, n) => ({
    sku: `shirt-${n}`,
    price: 10,
    stock: 1,
    attributes: { size: `${n}`, ...Object.fromEntries(names.map((name, at) => [name, `${(n + at) % 20}`])) },
  }));
  await shop.post('/products', { name: 'Shirt', type: 'configurable', price: 10, variants });
  const { env, calls } = countStorageCalls();
  const values = Array.from({ length: 20 }, (_, n) => n).join();
  const filters = names.map((name) => `attr.${name}=${values}`).join('&');
  const facets = names.map((name) => `attr.${name}`).join();
  const response = await fetchWith(env, 'GET', `/v1/products?${filters}&facets=${facets}`, shop.token);
  const { meta } = await response.json<{ meta: { facets: Record<string, unknown[]> } }>();
  expect(names.map((name) => meta.facets[`attr.${name}`]?.length)).toEqual(names.map(() => 20));
  expect(calls.read).toBeLessThan(600 * VARIANTS);
});
