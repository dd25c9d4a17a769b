/** How many rows of a table with large columns an export reads at once. */
import { expect, it } from 'vitest';
import { insertProducts } from '../support/fixtures/catalog/products.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { admin, type World, world } from '../support/world.ts';

/** Returns how many products each page of an export has, of those that have any. */
async function productsOfPages({ slug }: World): Promise<number[]> {
  const pages: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor && `?cursor=${cursor}`;
    const { status, body } = await admin('GET', `/tenants/${slug}/export${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const products = body.data.filter(({ table }: { table: string }) => table === 'products');
    if (products.length > 0) pages.push(products.length);
    cursor = body.meta.next_cursor;
  }
  return pages;
}

it.each([
  ['many small', 100, [200, 50]],
  // The last 30 have less than 4 MiB together.
  ['few large', 100_000, [...Array.from({ length: 11 }, () => 20), 30]],
])('exports %s products a page', async (_, bytes, expected) => {
  const shop = await world({ plan: 'enterprise' });
  await insertProducts(shop, 250);
  await storeOf(shop)
    .prepare('UPDATE products SET description = hex(zeroblob(?2 / 2)) WHERE tenant_id = ?1')
    .bind(shop.tenantId, bytes)
    .run();
  expect(await productsOfPages(shop)).toEqual(expected);
});
