import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importFile, outcome } from '../../support/fixtures/catalog/imports.ts';
import { setRemaining } from '../../support/fixtures/quotas.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

const HEADER =
  'Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty,Variant Inventory Policy';

/** A line with the product's own cells; SKUs are few, so that products share and exchange them. */
const variant = fc.record({
  sku: fc.constantFrom('', ...Array.from({ length: 8 }, (_, n) => `s${n}`)),
  price: fc.constantFrom('5', '7', '7', 'none'),
  quantity: fc.constantFrom('', '0', '3', '-1'),
});

/** A product of one to three lines; the handle repeats seldom, which is an error of its own. */
const product = fc.record({
  handle: fc.constantFrom(...Array.from({ length: 30 }, (_, n) => `h${n % 24}`)),
  type: fc.constantFrom('', 'Cups', 'Mugs', 'Cups > Small', 'Plates > Flat > Deep'),
  policy: fc.constantFrom('deny', 'continue'),
  variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
});

/** A file of up to 28 products: more than the 20 of one round, in some runs. */
const file = fc.array(product, { minLength: 1, maxLength: 28 }).map((products) => {
  const lines = products.flatMap(({ handle, type, policy, variants }) =>
    variants.map(({ sku, price, quantity }, n) => {
      const options = variants.length > 1 ? ['Size', `${n}`] : ['', ''];
      return [handle, handle.toUpperCase(), type, ...options, sku, price, quantity, policy].join(',');
    }),
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
});

/** Reserves two more than there are of every second item that may be backordered. */
const backorder = ({ tenantId }: World) =>
  storeOf({ tenantId })
    .prepare(
      `UPDATE inventory_items SET reserved = on_hand + 2
     WHERE tenant_id = ? AND policy = 'continue' AND derived = 'none' AND id % 2 = 0`,
    )
    .bind(tenantId)
    .run();

it('reports what the import then does: the same counts and the same errors', async () => {
  await fc.assert(
    fc.asyncProperty(
      file,
      file,
      fc.record({ items: fc.nat(20), categories: fc.nat(3), stock: fc.constantFrom('', '&stock=set') }),
      async (before, after, { items, categories, stock }) => {
        const shop = await world();
        await importFile(shop, before);
        await backorder(shop);
        await setRemaining(shop, 'products', items);
        await setRemaining(shop, 'categories', categories);
        const checked = outcome(await importFile(shop, after, `?dry_run=true${stock}`));
        expect(outcome(await importFile(shop, after, `?${stock}`))).toEqual(checked);
      },
    ),
    { numRuns: 10 },
  );
});
