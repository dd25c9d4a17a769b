import { expect, it } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { placedOrder } from '../../support/fixtures/selling/orders.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

/**
 * What makes an order large: 1 MB of options, of refunds or of parcels, as a hundred lines may have. Metadata may have
 * 100 KB, so a hundred orders of them are as large as ten here.
 */
const LARGE = {
  options: `UPDATE order_lines SET options = json_object('note', hex(zeroblob(500000))) WHERE tenant_id = ?`,
  metadata: `UPDATE orders SET metadata = json_object('note', hex(zeroblob(500000))) WHERE tenant_id = ?`,
  refunds: `INSERT INTO refunds (id, tenant_id, order_id, payment_id, provider, source, status, amount, currency,
      items, shipping, reason, requested_by, created_at, updated_at)
    SELECT 'ref_' || id, tenant_id, id, 'pay', 'sandbox', 'request', 'succeeded', 1, currency, '[]', 0,
      hex(zeroblob(500000)), '{"kind":"system"}', 1, 1 FROM orders WHERE tenant_id = ?`,
  parcels: `INSERT INTO order_fulfilments (id, tenant_id, order_id, position, state, items, tracking, created_at,
      updated_at)
    SELECT 'ful_' || id, tenant_id, id, 1, 'shipped', '[]',
      json_object('carrier', hex(zeroblob(500000)), 'number', NULL, 'url', NULL), 1, 1
    FROM orders WHERE tenant_id = ?`,
};

/** Places orders, each of 1 MB. */
async function largeOrders(shop: World, count: number, by: keyof typeof LARGE): Promise<void> {
  const cup = (await createProduct(shop, { stock: 100 })).body.id;
  for (let n = 0; n < count; n++) await placedOrder(shop, cup);
  await storeOf(shop).prepare(LARGE[by]).bind(shop.tenantId).run();
}

it.each(['options', 'metadata', 'refunds', 'parcels'] as const)(
  'ends a page of orders with very large %s early, and continues it by its cursor',
  async (by) => {
    const shop = await world();
    await largeOrders(shop, 10, by);
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
  },
);

it('shows all of a page of ordinary orders', async () => {
  const shop = await world();
  const cup = (await createProduct(shop, { stock: 100 })).body.id;
  for (let n = 0; n < 10; n++) await placedOrder(shop, cup);
  const { body } = await shop.get('/orders?limit=9');
  expect([body.data.length, typeof body.meta.next_cursor]).toEqual([9, 'string']);
  expect(body.data.every((order: { items: unknown[] }) => order.items.length === 1)).toBe(true);
});
