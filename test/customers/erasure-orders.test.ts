/** The erasure of a customer with many orders: no batch grows with their number. */
import { expect, it } from 'vitest';
import { beforeBatch, refuseBatch } from '../support/faults/database.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import { sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { registerCustomer } from '../support/fixtures/selling/customers.ts';
import { copyOrders, placedOrder } from '../support/fixtures/selling/orders.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';

/** The statement that ends a batch which erases the buyer of some orders. */
const ERASES_ORDERS = /update "orders" set .*"customer_id"/i;

/** A customer with so many paid orders, and a first and a last one that aren't. */
async function frequentBuyer(count: number) {
  const shop = await sandboxShop();
  const { id: cup } = (await fiveCups(shop)).body;
  const ada = await registerCustomer(shop);
  const customer = { customerId: ada.id, name: ada.name, email: ada.email, phone: null };
  const { row: first } = await placedOrder(shop, cup, { customer });
  await copyOrders(shop, count);
  const { row: last } = await placedOrder(shop, cup, { customer });
  const erase = () => shop.delete(`/customers/${ada.id}`);
  /** Returns how many orders still name the customer. */
  const left = () =>
    storeOf(shop)
      .prepare('SELECT count(*) AS n FROM orders WHERE tenant_id = ? AND customer_id = ?')
      .bind(shop.tenantId, ada.id)
      .first<number>('n');
  return { shop, ada, first, last, erase, left };
}

it('writes no more rows at once for many orders than for a few hundred', async () => {
  const { shop, ada, erase } = await frequentBuyer(1_000);
  const { mostWritten } = await measureDatabase(async () => expect((await erase()).status).toBe(204));
  expect(mostWritten).toBeLessThan(2_000);
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});

it('goes on where a call was interrupted', async () => {
  const { shop, ada, erase, left } = await frequentBuyer(600);
  beforeBatch(ERASES_ORDERS, async () => refuseBatch(ERASES_ORDERS));
  expect((await erase()).status).toBe(503);
  expect(await left()).toBeLessThan(602);
  expect((await shop.get(`/customers/${ada.id}`)).status).toBe(200);
  expect((await erase()).status).toBe(204);
  expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
});

it.each(['first', 'last'] as const)(
  'redacts an event of the %s order that is raised meanwhile',
  async (which) => {
    const { shop, ada, erase, ...made } = await frequentBuyer(600);
    beforeBatch(ERASES_ORDERS, async () => {
      expect((await shop.post(`/orders/${made[which].id}/cancel`)).status).toBe(200);
    });
    expect((await erase()).status).toBe(204);
    expect(storesWith(await dumpStores(shop), [ada.email])).toEqual([]);
  },
);
