import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { forgetMovements, forgetReservations, releaseCart } from '../../src/inventory/index.ts';
import { DAY, moveClock, now } from '../../src/kernel/core/clock.ts';
import { deleteRows } from '../../src/kernel/data/chore.ts';
import { rows } from '../../src/kernel/data/database.ts';
import { reserveForCart } from '../support/fixtures/catalog/inventory.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { contextOf, databaseOf } from '../support/runtime/runtime.ts';
import { world } from '../support/world.ts';
import { turn } from './turn.ts';

it('deletes expired movements also behind newer ones with lower ids, which a tenant has brought from another shard', async () => {
  const shop = await world();
  const db = databaseOf(shop);
  const insert = (ids: ReturnType<typeof sql>, at: number) =>
    db.run(sql`INSERT INTO stock_movements (id, tenant_id, item_id, batch, reason, old_stock, new_stock, at)
      SELECT ${ids} - n, ${shop.tenantId}, n, 'batch' || ${at}, 'order', 1, 0, ${at}
      FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1100) SELECT n FROM c)`);
  const kept = async () => {
    const [found] = await rows<{ old: number; young: number }>(
      db,
      sql`SELECT sum(at < ${now() - 90 * DAY}) AS old, sum(at > ${now() - DAY}) AS young
        FROM stock_movements WHERE tenant_id = ${shop.tenantId}`,
    );
    return found;
  };
  await insert(sql`0`, now());
  await insert(sql`(SELECT max(id) FROM stock_movements) + 1101`, now() - 91 * DAY);
  expect(await kept()).toEqual({ old: 1100, young: 1100 });
  expect(await deleteRows(db, forgetMovements)).toBe(false);
  expect(await kept()).toEqual({ old: 0, young: 1100 });
  await db.run(sql`DELETE FROM stock_movements WHERE tenant_id = ${shop.tenantId}`);
});

it('deletes reservations a day after they ended, and keeps what orders have sold, for refunds to return', async () => {
  const shop = await world();
  const { id: cup } = (await createProduct(shop, { name: 'Cup', stock: 4 })).body;
  const [sold, left] = [
    await reserveForCart(shop, 'sold', [{ itemId: cup, quantity: 3 }]),
    await reserveForCart(shop, 'left', [{ itemId: cup, quantity: 1 }]),
  ];
  if (!sold.ok || !left.ok) throw new Error('not held');
  await turn(shop, sold.value.id, 'ordered');
  await turn(shop, sold.value.id, 'consumed');
  await releaseCart(contextOf(shop), 'left', 2);
  const db = databaseOf(shop);
  const forget = () => deleteRows(db, forgetReservations);
  const kept = async () =>
    (await rows<{ id: number }>(db, sql`SELECT id FROM reservations WHERE tenant_id = ${shop.tenantId}`))
      .length;
  await forget();
  expect(await kept()).toBe(2);
  moveClock(100 * DAY);
  await forget();
  expect(await kept()).toBe(1);
  await turn(shop, sold.value.id, 'released');
  expect(await stockOf(cup)).toEqual({ on_hand: 4, reserved: 0 });
});
