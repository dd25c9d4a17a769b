import { describe, expect, it } from 'vitest';
import { noteRanked } from '../../../src/inventory/index.ts';
import { DAY, HOUR, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { batch } from '../../../src/kernel/data/database.ts';
import { createProduct, insertProducts, NEWEST } from '../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { contextOf, storeOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import type { Answer, World } from '../../support/world.ts';
import { world } from '../../support/world.ts';

/** Names of the products in the order of a list. */
async function listed(shop: World, query: string): Promise<string[]> {
  const { status, body } = await shop.get(`/products?${query}`, NEWEST);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
}

/** Sells this quantity of a product; returns the order's id. */
async function sell(shop: World, product: Answer, quantity: number): Promise<string> {
  const path = await checkoutPath(shop, await cartWith(shop, product, quantity));
  return readReturn(await submitCheckout(path, 'pay')).order_id;
}

const salesOf = async ({ tenantId }: World) =>
  (
    await storeOf({ tenantId })
      .prepare('SELECT count(*) AS n FROM product_sales WHERE tenant_id = ?')
      .bind(tenantId)
      .first<{ n: number }>()
  )?.n;

describe('best_selling', () => {
  it('sorts by what was paid for in the last 30 days, less refunds, counted every hour', async () => {
    const shop = await sandboxShop({ currencies: ['EUR', 'USD'] });
    const category = (await shop.post('/categories', { name: 'Kitchen' })).body.id;
    const make = (name: string) =>
      createProduct(shop, { name, stock: 100, prices: { USD: 11 }, category_ids: [category] });
    const [cup, mug, jug] = [await make('Cup'), await make('Mug'), await make('Jug')];
    await sell(shop, mug, 2);
    await sell(shop, cup, 1);
    const refunded = await sell(shop, jug, 5);
    expect(await listed(shop, 'sort=best_selling')).toEqual(['Jug', 'Mug', 'Cup']);

    await cron();
    expect(await listed(shop, 'sort=best_selling')).toEqual(['Jug', 'Mug', 'Cup']);
    for (const query of [`category_id=${category}`, 'currency=USD', 'status=all', 'q=j']) {
      expect((await listed(shop, `sort=best_selling&${query}`))[0]).toBe('Jug');
    }
    expect((await shop.post(`/orders/${refunded}/cancel`)).status).toBe(200);
    await sell(shop, cup, 2);
    await cron();
    expect((await listed(shop, 'sort=best_selling'))[0]).toBe('Jug');
    moveClock(HOUR);
    await cron();
    expect(await listed(shop, 'sort=best_selling')).toEqual(['Cup', 'Mug', 'Jug']);
    // A change of the product keeps its rank.
    await shop.patch(`/products/${cup.body.id}`, { description: 'New.' });
    expect((await listed(shop, 'sort=best_selling'))[0]).toBe('Cup');
    expect(await listed(shop, 'sort=best_selling&limit=1&page=2')).toEqual(['Mug']);

    moveClock(20 * DAY);
    await sell(shop, mug, 2);
    moveClock(11 * DAY);
    await cron();
    expect(await listed(shop, 'sort=best_selling')).toEqual(['Mug', 'Jug', 'Cup']);
    expect(await salesOf(shop)).toBe(1);
    moveClock(31 * DAY);
    await cron();
    expect([await salesOf(shop), await listed(shop, 'sort=best_selling')]).toEqual([
      0,
      ['Jug', 'Mug', 'Cup'],
    ]);
  });

  it('begins anew after an hour, also where a late step was written after the end', async () => {
    const shop = await sandboxShop();
    const [cup, mug] = [
      await createProduct(shop, { name: 'Cup', stock: 10 }),
      await createProduct(shop, { name: 'Mug', stock: 10 }),
    ];
    await sell(shop, mug, 2);
    await cron();
    const ctx = contextOf(shop);
    await batch(ctx.db, noteRanked(ctx, [cup.body.id, mug.body.id]));
    await sell(shop, cup, 3);
    moveClock(HOUR);
    await cron();
    expect(await listed(shop, 'sort=best_selling')).toEqual(['Cup', 'Mug']);
  });

  it('moves the catalogue version only when a rank changes', async () => {
    const shop = await sandboxShop();
    const cup = await createProduct(shop, { name: 'Cup', stock: 10 });
    await sell(shop, cup, 1);
    await cron();
    const version = async () =>
      (
        await storeOf(shop)
          .prepare('SELECT catalog_version AS v FROM tenants WHERE id = ?')
          .bind(shop.tenantId)
          .first<{ v: number }>()
      )?.v;
    const before = await version();
    moveClock(HOUR);
    await cron();
    expect(await version()).toBe(before);
  });

  it('ranks every product of a large shop', async () => {
    const shop = await world({ plan: 'enterprise' });
    const first = await insertProducts(shop, 620);
    const tenant = shop.tenantId;
    await storeOf(shop).batch([
      storeOf(shop)
        .prepare(
          `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 620)
          INSERT INTO product_sales (tenant_id, product_id, day, quantity)
          SELECT ?, ? + i, ?, 700 - i FROM n`,
        )
        .bind(tenant, first, Math.floor(now() / DAY)),
      storeOf(shop).prepare('INSERT INTO sales_rankings (tenant_id, due_at) VALUES (?, 0)').bind(tenant),
    ]);
    await cron();
    const { results } = await storeOf(shop)
      .prepare('SELECT sold FROM product_listings WHERE tenant_id = ? ORDER BY product_id')
      .bind(tenant)
      .all<{ sold: number }>();
    expect(results.map(({ sold }) => sold)).toEqual(Array.from({ length: 620 }, (_, n) => 700 - n));
  });
});

describe('sorted lists', () => {
  it('go from the oldest product to the newest', async () => {
    const shop = await world();
    for (const name of ['Cup', 'Mug', 'Jug']) await createProduct(shop, { name });
    expect(await listed(shop, 'sort=oldest')).toEqual(['Cup', 'Mug', 'Jug']);
    expect(await listed(shop, 'sort=newest')).toEqual(['Jug', 'Mug', 'Cup']);
    expect((await shop.get('/products?sort=cheapest')).body.errors).toHaveProperty('sort');
  });

  it.each(['newest', 'oldest', 'best_selling', 'price_asc', 'price_desc', 'name_asc', 'name_desc'])(
    'read the rows of their page from an index: %s',
    async (sort) => {
      const shop = await world({ plan: 'enterprise' });
      await insertProducts(shop, 1_000);
      const { read } = await measureDatabase(() => shop.get(`/products?sort=${sort}&limit=10`, NEWEST));
      expect(read).toBeLessThan(100);
    },
  );
});
