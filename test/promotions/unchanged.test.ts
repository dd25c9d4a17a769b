import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { catalogVersion } from '../support/fixtures/catalog/imports.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { type Answer, type World, world } from '../support/world.ts';

/** Sends a promotion or coupon back as it was read; expects that nothing changes. */
async function sendBack(shop: World, path: string, made: Answer): Promise<void> {
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id, uses, created_at, updated_at, ...fields } = made.body;
  const version = await catalogVersion(shop);
  moveClock(1_000);
  const sent = await shop.patch(`${path}/${id}`, fields);
  expect([sent.status, sent.body]).toEqual([200, made.body]);
  expect(await catalogVersion(shop)).toBe(version);
}

it('a promotion or coupon stays as it is when it is sent back as it was read', async () => {
  const shop = await world();
  const product = (await createProduct(shop)).body.id;
  const effect = { kind: 'percent', value: 10 };
  const promotion = { name: 'Sale', trigger: 'automatic', effect };
  const conditions = { minimum_subtotal: 5, minimum_quantity: 2, product_ids: [product], first_order: true };
  const limits = { starts_at: '2026-01-01T00:00:00Z', max_uses: 3, max_uses_per_customer: 1 };
  for (const more of [{}, { conditions: { product_ids: [] } }, { conditions, ...limits }])
    await sendBack(shop, '/promotions', await shop.post('/promotions', { ...promotion, ...more }));
  const coupon = { kind: 'percent', value: 10 };
  for (const more of [{}, { category_ids: [] }, { product_ids: [product], minimum_subtotal: { EUR: 5 } }])
    await sendBack(
      shop,
      '/coupons',
      await shop.post('/coupons', { code: crypto.randomUUID(), ...coupon, ...more }),
    );
});
