import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { auditTenant } from '../support/auditor/index.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { promote } from '../support/fixtures/selling/promotions.ts';
import { refund } from '../support/fixtures/selling/refunds.ts';
import { until } from '../support/fixtures/webhooks.ts';
import { databaseOf, storeOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

/** The auditor finds nothing in a shop that works, and each thing that is wrong by the name of its rule. */

let shop: World;
let item: number;
let sold: string;

beforeAll(async () => {
  shop = await sandboxShop();
  const cup = await createProduct(shop, { stock: 10 });
  item = cup.body.id;
  await promote(shop, { max_uses: 5 });
  const pay = async (quantity: number) =>
    readReturn(await submitCheckout(await checkoutPath(shop, await cartWith(shop, cup, quantity)), 'pay'))
      .order_id;
  sold = await pay(3);
  const cancelled = await pay(2);
  expect(
    (await refund({ shop, id: sold }, { items: [{ line_id: 1, quantity: 1, restock: true }] })).status,
  ).toBe(201);
  expect((await shop.post(`/orders/${sold}/fulfilments`, {})).status).toBe(201);
  expect((await shop.post(`/orders/${cancelled}/cancel`)).status).toBe(200);
  await cron();
  await until(async () => expect(await auditTenant(shop)).toEqual([]));
});

it('finds nothing in a shop that sold, sent, refunded and cancelled', async () => {
  expect(await auditTenant(shop)).toEqual([]);
});

/** What a case corrupts: ids of the tenant, of its item, and of the order that was sold. */
interface Shop {
  readonly tenant: number;
  readonly item: number;
  readonly order: string;
}

const CASES: readonly (readonly [name: string, corrupt: (shop: Shop) => SQL, rule: RegExp])[] = [
  [
    'a lost unit',
    ({ item }) => sql`UPDATE inventory_items SET on_hand = on_hand - 1 WHERE id = ${item}`,
    /^an item has what it began with/,
  ],
  [
    'stock reserved for nobody',
    ({ item }) => sql`UPDATE inventory_items SET reserved = 1 WHERE id = ${item}`,
    /^an item reserves/,
  ],
  [
    'a lost movement',
    ({ item }) =>
      sql`DELETE FROM stock_movements WHERE id = (SELECT id FROM stock_movements
        WHERE item_id = ${item} AND old_stock <> new_stock ORDER BY id LIMIT 1 OFFSET 1)`,
    /^each movement begins/,
  ],
  [
    'a lost event',
    ({ tenant }) =>
      sql`DELETE FROM outbox WHERE position = (SELECT max(position) FROM outbox WHERE tenant_id = ${tenant} AND type = 'stock.changed')`,
    /^each change of stock/,
  ],
  [
    'a sale that was not counted',
    ({ tenant }) => sql`UPDATE product_sales SET quantity = quantity - 1 WHERE tenant_id = ${tenant}`,
    /^the sales of a product/,
  ],
  [
    'a number left out',
    ({ order }) => sql`UPDATE orders SET number = number + 10 WHERE id = ${order}`,
    /^orders are numbered/,
  ],
  [
    'a reservation released after the sale',
    ({ order }) =>
      sql`UPDATE reservations SET status = 'released' WHERE id = (SELECT reservation_id FROM orders WHERE id = ${order})`,
    /^an order that stands/,
  ],
  [
    'a second payment',
    ({ order }) =>
      sql`INSERT INTO payments SELECT 'pay_twice', tenant_id, order_id, provider, 'twice', NULL, state, amount, currency, created_at, updated_at FROM payments WHERE order_id = ${order}`,
    /^a paid order has one payment/,
  ],
  [
    'a payment of nothing',
    ({ order }) => sql`DELETE FROM payments WHERE order_id = ${order}`,
    /^a paid order has one payment/,
  ],
  [
    'an event of the order sent twice',
    ({ order }) =>
      sql`INSERT INTO outbox (id, tenant_id, type, resource, sequence, data, occurred_at, batch, relayed_at) SELECT 'evt_twice', tenant_id, type, resource, sequence, data, occurred_at, batch, relayed_at FROM outbox WHERE resource = 'order:' || ${order} AND type = 'order.paid'`,
    /^each change of an order/,
  ],
  [
    'a redemption that was lost',
    ({ order }) => sql`DELETE FROM promotion_redemptions WHERE order_id = ${order}`,
    /^an order has redeemed/,
  ],
  [
    'a use that was counted twice',
    ({ tenant }) => sql`UPDATE promotions SET uses = uses + 1 WHERE tenant_id = ${tenant}`,
    /^a promotion is used/,
  ],
  [
    'a parcel that was lost',
    ({ order }) => sql`DELETE FROM order_fulfilments WHERE order_id = ${order}`,
    /^no more of a line is sent/,
  ],
  [
    'a payment status of another sum',
    ({ order }) => sql`UPDATE orders SET payment_status = 'paid' WHERE id = ${order}`,
    /^no more of an order is refunded/,
  ],
  [
    'units left of an order that cost nothing and is refunded',
    ({ order }) => sql`UPDATE orders SET grand_total = 0, payment_status = 'refunded' WHERE id = ${order}`,
    /^an order for which nothing was paid/,
  ],
  [
    'a total that does not add up',
    ({ order }) => sql`UPDATE orders SET grand_total = grand_total + 1 WHERE id = ${order}`,
    /^the lines of an order/,
  ],
  [
    'a discount that no promotion gives',
    ({ order }) => sql`UPDATE orders SET promotions = '[]' WHERE id = ${order}`,
    /^what promotions deduct/,
  ],
  [
    'an event of another total',
    ({ order }) => sql`UPDATE outbox SET data = json_set(data, '$.totals.grand_total', 1)
      WHERE resource = 'order:' || ${order} AND type = 'order.paid'`,
    /^each event of an order says/,
  ],
  [
    'an allowance that was freed',
    ({ order }) => sql`UPDATE refund_allowances SET used = used - 1 WHERE order_id = ${order} AND used > 0`,
    /^a payment allows/,
  ],
  [
    'a refund without an event',
    ({ order }) => sql`DELETE FROM outbox WHERE resource = 'order:' || ${order} AND type = 'order.refunded'`,
    /^each refund that succeeded/,
  ],
  [
    'a refund that never ends',
    ({ order }) => sql`UPDATE refunds SET status = 'pending' WHERE order_id = ${order}`,
    /^no payment and no refund is open/,
  ],
  [
    'an order that waits',
    ({ order }) => sql`UPDATE orders SET status = 'pending' WHERE id = ${order}`,
    /^no order waits/,
  ],
  [
    'an event that was not enqueued',
    ({ tenant }) => sql`UPDATE outbox SET relayed_at = NULL WHERE tenant_id = ${tenant}`,
    /^every event is relayed/,
  ],
  [
    'another order than the cart knows',
    ({ order }) => sql`UPDATE orders SET status = 'cancelled' WHERE id = ${order}`,
    /^a cart is locked/,
  ],
];

const TABLES = [
  ...['inventory_items', 'stock_movements', 'product_sales', 'orders', 'reservations', 'payments', 'refunds'],
  ...['refund_allowances', 'promotions', 'promotion_redemptions', 'order_fulfilments', 'outbox'],
];

/** Returns the statements that put the tenant's rows of all tables back as they are now. */
async function undoing({ tenantId }: World): Promise<D1PreparedStatement[]> {
  const undo = TABLES.map(async (table) => {
    const { results } = await storeOf({ tenantId })
      .prepare(`SELECT * FROM ${table} WHERE tenant_id = ?`)
      .bind(tenantId)
      .all();
    const inserts = results.map((row) => {
      const places = Object.keys(row).map(() => '?');
      return storeOf({ tenantId })
        .prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`)
        .bind(...Object.values(row));
    });
    return [
      storeOf({ tenantId }).prepare(`DELETE FROM ${table} WHERE tenant_id = ?`).bind(tenantId),
      ...inserts,
    ];
  });
  return (await Promise.all(undo)).flat();
}

it.each(CASES)('names the rule that is broken: %s', async (_, corrupt, rule) => {
  const undo = await undoing(shop);
  await databaseOf(shop).run(corrupt({ tenant: shop.tenantId, item, order: sold }));
  const found = (await auditTenant(shop)).map((fault) => fault.rule);
  await storeOf(shop).batch(undo);
  expect(found).toEqual(expect.arrayContaining([expect.stringMatching(rule)]));
  expect(await auditTenant(shop)).toEqual([]);
});
