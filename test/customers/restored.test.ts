/** People who were erased, and came back with a database that was set back to an earlier point in time. */
import { expect, it } from 'vitest';
import { conditionOf, MOVED_TABLES } from '../../src/moves/copy/moved-tables.ts';
import { fiveCups } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { registerCustomer } from '../support/fixtures/selling/customers.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { dumpStores, storesWith } from '../support/storage/storage-dump.ts';
import type { World } from '../support/world.ts';

const NAMES = ['customer', 'order', 'outbox'];

/** Saves the tenant's rows that name people; returns a function that restores them. */
async function snapshot(shop: World): Promise<() => Promise<unknown>> {
  const db = storeOf(shop);
  const tables = MOVED_TABLES.filter(({ name }) => NAMES.some((one) => name.startsWith(one)));
  const saved = await db.batch<Record<string, unknown>>(
    tables.map((one) =>
      db.prepare(`SELECT * FROM ${one.name} WHERE ${conditionOf(one)}`).bind(shop.tenantId),
    ),
  );
  const puts = saved.flatMap(({ results }, n) =>
    results.map((row) =>
      db
        .prepare(
          `INSERT OR REPLACE INTO ${tables[n]?.name} (${Object.keys(row).join(', ')})
            VALUES (${Object.keys(row)
              .map(() => '?')
              .join(', ')})`,
        )
        .bind(...Object.values(row)),
    ),
  );
  return () => db.batch(puts);
}

it('are erased by the same calls once more', async () => {
  const shop = await sandboxShop();
  const [email, cup] = [`zenobia-${crypto.randomUUID()}@example.com`, await fiveCups(shop)];
  await submitCheckout(await checkoutPath(shop, await cartWith(shop, cup)), 'pay', { ...ADDRESS, email });
  const [order] = (await shop.get('/orders')).body.data;
  const ada = await registerCustomer(shop, { cart_token: await cartWith(shop, cup) });
  const restore = await snapshot(shop);
  const erase = async () => {
    expect((await shop.delete(`/customers/${ada.id}`)).status).toBe(204);
    expect((await shop.delete(`/orders/${order.id}/personal-data`)).status).toBe(204);
    expect(storesWith(await dumpStores(shop), [ada.email, email])).toEqual([]);
  };
  await erase();
  await restore();
  expect((await shop.get(`/customers/${ada.id}`)).body.email).toBe(ada.email);
  expect((await shop.get(`/orders/${order.id}`)).body.customer.email).toBe(email);
  await erase();
});
