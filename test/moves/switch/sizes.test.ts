/** The sizes of both copies are compared while a tenant writes, and not while its writes are held. */
import { expect, it } from 'vitest';
import { DATABASES, interceptBindings } from '../../support/faults/bindings.ts';
import { watchStatements } from '../../support/faults/database.ts';
import { storeOf } from '../../support/runtime/runtime.ts';
import { otherShard, runMove, shardNamed, startMove } from '../../support/shards/moving.ts';
import { placedOn } from '../../support/shards/rows.ts';
import { type World, world } from '../../support/world.ts';
import { takeOrders } from './order-rows.ts';

/** The orders before the move: more than it loses meanwhile. */
const EARLIER = 1_000;

/** Returns the ids of the orders that a shard has lines of. */
async function orders(shop: World, shard: string): Promise<unknown[]> {
  const query = shardNamed(shard).prepare(
    'SELECT order_id FROM order_lines WHERE tenant_id = ? ORDER BY order_id',
  );
  return (await query.bind(shop.tenantId).all()).results;
}

/** Returns a shop with a few orders, and bindings with which it takes one and loses one before each size is read. */
async function busyShop() {
  const shop = await world();
  await takeOrders(shop, EARLIER);
  let taken = EARLIER;
  const change = async () => {
    taken += 1;
    await takeOrders(shop, 1, taken);
    await storeOf(shop)
      .prepare("DELETE FROM order_lines WHERE tenant_id = ?1 AND order_id = format('ord_%d_%d', ?1, ?2)")
      .bind(shop.tenantId, taken - EARLIER)
      .run();
  };
  // Refused while writes are held, and from then on.
  const bindings = interceptBindings(DATABASES, (name, call) =>
    name.endsWith('.first')
      ? change()
          .catch(() => undefined)
          .then(call)
      : call(),
  );
  return { shop, bindings, source: await placedOn(shop), target: await otherShard(shop) };
}

it('counts no rows while writes are held, also of tables that change all the time', async () => {
  const { shop, bindings, source, target } = await busyShop();
  const counted = { before: 0, held: 0 };
  let held = false;
  const unwatch = watchStatements((text) => {
    held ||= /INSERT INTO tenant_fences[\s\S]*'held'/.test(text);
    if (/count\(\*\) AS n FROM order_lines/.test(text)) counted[held ? 'held' : 'before'] += 1;
  });
  const moved = await runMove(shop, await startMove(shop), { bindings });
  unwatch();
  expect(moved).toMatchObject({ state: 'switched', progress: { repaired_rows: 0, held: 1 } });
  expect(counted.before).toBeGreaterThan(0);
  expect(counted.held).toBe(0);
  expect(await orders(shop, target)).toEqual(await orders(shop, source));
});

const COLUMNS = 'product_id, sku, name, options, quantity, unit_price, subtotal, discount, tax, links';

it.each([
  ['lacks a row', "DELETE FROM order_lines WHERE tenant_id = ?1 AND order_id = format('ord_%d_1000', ?1)"],
  [
    'has a row more',
    `INSERT INTO order_lines (tenant_id, order_id, id, ${COLUMNS})
      SELECT tenant_id, 'ord_x', id, ${COLUMNS} FROM order_lines WHERE tenant_id = ?1 LIMIT 1`,
  ],
])('finds that the copy %s of a table that changes all the time', async (_, sql) => {
  const { shop, bindings, source, target } = await busyShop();
  const changes = [shardNamed(target).prepare(sql).bind(shop.tenantId)];
  const between = async (state: string) => {
    if (state === 'indexing' && changes.length > 0) await shardNamed(target).batch(changes.splice(0));
  };
  const moved = await runMove(shop, await startMove(shop), { bindings, between });
  expect(moved).toMatchObject({ state: 'switched', progress: { repaired_rows: 1, held: 2 } });
  expect(await orders(shop, target)).toEqual(await orders(shop, source));
});
