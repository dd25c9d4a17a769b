/** Lists that must count all their rows count them once, with the first page: its cursor carries the total. */
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { run } from '../../../src/kernel/data/database.ts';
import { ADA, sell } from '../../orders/listing/three-orders.ts';
import { EVER } from '../../support/changes.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { copyOrders } from '../../support/fixtures/selling/orders.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type Answer, type World, world } from '../../support/world.ts';

const MANY = 500;

async function manyOrders(shop: World): Promise<void> {
  await sell(shop, [ADA]);
  await copyOrders(shop, MANY);
  const { tenantId } = shop;
  await run(
    databaseOf(shop),
    sql`UPDATE orders SET created_at = created_at - number WHERE tenant_id = ${tenantId}`,
  );
}

async function manyCustomers(shop: World): Promise<void> {
  const { id } = await registerCustomer(shop, { name: 'Ada' });
  await run(
    databaseOf(shop),
    sql`INSERT INTO customers (id, tenant_id, email, name, password, created_at, updated_at)
      SELECT customers.id + 1000000 + value, tenant_id, value || email, name, password, 1, 1 FROM customers
        JOIN json_each(${JSON.stringify([...Array(MANY).keys()])}) WHERE customers.id = ${id}`,
  );
}

async function manyVariants(shop: World): Promise<void> {
  const variants = Array.from({ length: MANY }, (_, n) => ({
    sku: `CUP-${n}`,
    price: 9,
    attributes: { no: `${n}` },
  }));
  await createProduct(shop, { type: 'configurable', variants });
}

it.each([
  [`/orders?updated_since=${EVER}`, manyOrders],
  ['/orders?created_from=2000-01-01T00:00:00Z', manyOrders],
  ['/customers?updated_since=1970-01-01T00:00:00Z', manyCustomers],
  [`/marketplace/products?updated_since=${EVER}`, manyVariants],
])('counts %s once', async (list, fill) => {
  const shop = await world();
  await fill(shop);
  const read = async (more: string) => {
    let page: Answer | null = null;
    const { read: rows } = await measureDatabase(
      async () => (page = await shop.get(`${list}&limit=5${more}`)),
    );
    return { rows, body: (page as Answer | null)?.body };
  };
  const first = await read('');
  expect([first.body.meta.total >= MANY, first.rows >= MANY]).toEqual([true, true]);
  const second = await read(`&cursor=${first.body.meta.next_cursor}`);
  expect([second.body.data.length, second.body.meta.page]).toEqual([5, 2]);
  expect(second.body.meta.total).toBe(first.body.meta.total);
  expect(second.rows).toBeLessThan(MANY / 2);
  const third = await read(`&cursor=${second.body.meta.next_cursor}`);
  expect([third.body.meta.page, third.body.meta.total]).toEqual([3, first.body.meta.total]);
});
