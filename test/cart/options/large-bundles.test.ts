/** Bundles of many members: what it costs to add one. */
import { expect, it } from 'vitest';
import { resolveOffers } from '../../../src/cart/options/resolve.ts';
import type { SellableView } from '../../../src/catalog/index.ts';
import { createProduct, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';

const MEMBERS = 20;

/** Returns the rows that are read to add a bundle whose members are in these categories. */
async function rowsReadToAdd(shop: World, category_ids: readonly number[]): Promise<number> {
  const items: { product_id: number }[] = [];
  for (let n = 0; n < MEMBERS; n++) {
    const { body } = await stockedProduct(shop, { name: `Part ${n}`, stock: 5, category_ids });
    items.push({ product_id: body.id });
  }
  const kit = await createProduct(shop, { type: 'bundled', bundle_groups: [{ title: 'Part', items }] });
  const [{ id, items: chosen }] = kit.body.bundle_groups;
  const options = { bundle_options: { [id]: [chosen[0].id] } };
  return (await measureDatabase(() => addToCart(shop, kit, { options }))).read;
}

it('reads no categories of the members, which are no lines of their own', async () => {
  const shop = await world();
  const ids: number[] = [];
  for (let n = 0; n < 20; n++) ids.push((await shop.post('/categories', { name: `Shelf ${n}` })).body.id);
  const few = await rowsReadToAdd(shop, []);
  expect((await rowsReadToAdd(shop, ids)) - few).toBeLessThan(MEMBERS * ids.length);
});

it('looks at each of a thousand members a few times, not once for each of the others', () => {
  let looks = 0;
  const product = {
    sku: 'part',
    name: 'Part',
    slug: 'part',
    image: null,
    status: 'active',
    prices: { EUR: 100 },
    reducedFrom: {},
    taxClass: null,
    weight: null,
    categoryIds: [],
    policy: 'untracked',
    stock: 0,
  } as const;
  const count = 1_000;
  const members = Array.from({ length: count }, (_, n) => ({
    ...product,
    type: 'simple' as const,
    get id() {
      looks += 1;
      return n + 1;
    },
  }));
  const items = members.map((_, n) => ({ id: n + 1, product_id: n + 1, quantity: 1, default: false }));
  const groups = Array.from({ length: 10 }, (_, n) => ({
    id: n + 1,
    title: 'Part',
    required: false,
    multiple: false,
    items: items.slice(n * 100, (n + 1) * 100),
  }));
  const view: SellableView = {
    product: { ...product, id: count + 1, type: 'bundled' },
    details: { bundle_groups: groups },
    variants: [],
    slots: [],
    members,
  };
  const options = { bundle_options: { 10: [1_000] } };
  expect(resolveOffers(view, { options, quantity: 1, at: 0 }).ok).toBe(true);
  expect(looks).toBeLessThan(10 * count);
});
