import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

/** Variants that are no longer there. */

const variants = (...sizes: string[]) => sizes.map((size) => ({ sku: size, price: 5, attributes: { size } }));

/** Returns the SKUs of the rows that are kept of a product's variants, and of their stock. */
async function kept(shop: World, id: number): Promise<string[][]> {
  const tables = ['variants', 'inventory_items'].map(
    async (table) =>
      await storeOf(shop)
        .prepare(
          `SELECT sku FROM ${table} WHERE tenant_id = ? AND product_id = ? AND id <> product_id ORDER BY id`,
        )
        .bind(shop.tenantId, id)
        .all<{ sku: string }>(),
  );
  return (await Promise.all(tables)).map(({ results }) => results.map(({ sku }) => sku));
}

it('are forgotten 90 days later, once the product loses others', async () => {
  const shop = await world();
  const body = { name: 'Shirt', type: 'configurable', price: 5, variants: variants('S', 'M', 'L') };
  const { id } = (await shop.post('/products', body)).body;
  const lose = (...left: string[]) => shop.patch(`/products/${id}`, { variants: variants(...left) });
  await lose('M', 'L');
  moveClock(89 * DAY);
  await lose('L');
  expect(await kept(shop, id)).toEqual([
    ['S', 'M', 'L'],
    ['S', 'M', 'L'],
  ]);
  moveClock(2 * DAY);
  expect((await lose('XL')).body.variants).toMatchObject([{ sku: 'XL' }]);
  expect(await kept(shop, id)).toEqual([
    ['M', 'L', 'XL'],
    ['M', 'L', 'XL'],
  ]);
});

it('are not written again by later changes of the product', async () => {
  const shop = await world();
  const sizes = Array.from({ length: 100 }, (_, n) => `size-${n}`);
  const body = { name: 'Shirt', type: 'configurable', price: 5, variants: variants(...sizes) };
  const { id } = (await shop.post('/products', body)).body;
  await shop.patch(`/products/${id}`, { variants: variants('L') });
  const { written } = await measureDatabase(() => shop.patch(`/products/${id}`, { name: 'T-shirt' }));
  expect(written).toBeLessThan(100);
});
