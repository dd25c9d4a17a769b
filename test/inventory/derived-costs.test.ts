import { expect, it } from 'vitest';
import { createProduct, stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { world } from '../support/world.ts';

const PARTS = 40;
const BUNDLES = 5;
const KITS = 40;

it('computes the stock of each bundle once for a change of its part', async () => {
  const shop = await world();
  const items: { product_id: number }[] = [];
  for (let n = 0; n < PARTS; n++) {
    const { body } = await stockedProduct(shop, { name: `Part ${n}`, sku: `part-${n}`, stock: 5 });
    items.push({ product_id: body.id });
  }
  const bundles: number[] = [];
  for (let n = 0; n < BUNDLES; n++) {
    const bundle_groups = items.slice(0, 2).map((item, at) => ({
      title: `Choice ${at}`,
      items: [item, ...items.slice(2)],
    }));
    bundles.push((await createProduct(shop, { name: `Kit ${n}`, type: 'bundled', bundle_groups })).body.id);
  }
  const adjust = () => shop.post('/inventory/adjustments', { items: [{ sku: 'part-2', stock: 90 }] });
  // The statement reads two rows of each place; events that are relayed meanwhile read some too.
  const places = BUNDLES * 2 * (PARTS - 1);
  expect((await measureDatabase(adjust)).read).toBeLessThan(5.5 * places);
  for (const id of bundles) expect((await stockOf(id))?.on_hand).toBe(90);
});

it('looks for the reasons of parts only where a move has its own', async () => {
  const shop = await world();
  const { body: part } = await stockedProduct(shop, { name: 'Part', sku: 'part', stock: 5 });
  for (let n = 0; n < KITS; n++) {
    const bundle_groups = [{ title: 'Part', items: [{ product_id: part.id }] }];
    await createProduct(shop, { name: `Kit ${n}`, type: 'bundled', bundle_groups });
  }
  const read = async (item: object) => {
    const items = [{ sku: 'part', delta: 1, ...item }];
    return (await measureDatabase(() => shop.post('/inventory/adjustments', { items }))).read;
  };
  // An index and its row for each bundle, and the row that groups them.
  expect((await read({ reason: 'Count' })) - (await read({}))).toBeGreaterThan(3 * KITS);
});
