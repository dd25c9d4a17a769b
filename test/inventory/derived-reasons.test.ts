import { expect, it } from 'vitest';
import { world } from '../support/world.ts';

interface Adjusted {
  sku: string;
  reason: string;
}

/** A shop with a cup in a group, and a shirt in two sizes. */
async function cupAndShirt() {
  const shop = await world();
  const { body: cup } = await shop.post('/products', { name: 'Cup', type: 'simple', price: 5, stock: 3 });
  await shop.post('/products', { name: 'Set', type: 'grouped', price: 0, grouped: [{ product_id: cup.id }] });
  const variants = ['S', 'M'].map((size) => ({ sku: `T-${size}`, price: 9, stock: 2, attributes: { size } }));
  await shop.post('/products', { name: 'Tee', type: 'configurable', price: 1, variants });
  return shop;
}

/** Adds one unit of each item in one call. Returns the reasons of the events by SKU. */
async function adjusted(items: readonly Adjusted[]): Promise<Record<string, string>> {
  const shop = await cupAndShirt();
  const adjustments = items.map((item) => ({ ...item, delta: 1 }));
  expect((await shop.post('/inventory/adjustments', { items: adjustments })).status).toBe(200);
  const { body } = await shop.get('/events?types=stock.changed');
  return Object.fromEntries(body.data.map(({ data }: { data: Adjusted }) => [data.sku, data.reason]));
}

it('gives derived stock the reason that its parts share, else a general one', async () => {
  const reasons = ['Delivery', 'Count'].map(async (reason) =>
    adjusted([
      { sku: 'T-S', reason: 'Delivery' },
      { sku: 'T-M', reason },
    ]),
  );
  expect((await Promise.all(reasons)).map(({ tee }) => tee)).toEqual(['Delivery', 'adjustment']);
});

it('gives each product the reason of its own parts, whatever else the call adjusts', async () => {
  const reasons = await adjusted([
    { sku: 'cup', reason: 'Delivery' },
    { sku: 'T-S', reason: 'Count' },
  ]);
  expect(reasons).toEqual({ cup: 'Delivery', set: 'Delivery', 'T-S': 'Count', tee: 'Count' });
});
