import { expect, it } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

/** Places orders, each with options of 1 MB: as many as a cart with a hundred lines may have. */
async function largeOrders(shop: World, count: number): Promise<void> {
  const cup = (await createProduct(shop, { stock: 100 })).body.id;
  for (let n = 0; n < count; n++) await placedOrder(shop, cup);
  await storeOf(shop)
    .prepare(
      `UPDATE order_lines SET options = json_object('note', hex(zeroblob(500000))) WHERE tenant_id = ?`,
    )
    .bind(shop.tenantId)
    .run();
}

it('ends a page of very large orders early, and continues it by its cursor', async () => {
  const shop = await world();
  await largeOrders(shop, 10);
  const numbers: number[] = [];
  const pages: number[] = [];
  let query = 'limit=100&sort=oldest';
  for (let cursor: string | null = ''; cursor !== null; query = `limit=100&sort=oldest&cursor=${cursor}`) {
    const { status, body } = await shop.get(`/orders?${query}`);
    expect([status, body.meta.total]).toEqual([200, 10]);
    numbers.push(...body.data.map((order: { number: number }) => order.number));
    pages.push(body.data.length);
    cursor = body.meta.next_cursor;
  }
  expect(pages).toEqual([8, 2]);
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, n) => 1001 + n));
});

it('shows all of a page of ordinary orders', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { stock: 100 })).body.id;
  for (let n = 0; n < 10; n++) await placedOrder(shop, cup);
  const { body } = await shop.get('/orders?limit=9');
  expect([body.data.length, typeof body.meta.next_cursor]).toEqual([9, 'string']);
  expect(body.data.every((order: { items: unknown[] }) => order.items.length === 1)).toBe(true);
});
