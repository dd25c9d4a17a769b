/** Rows that are not the same at the target, whatever the cause. */
import { afterEach, expect, it, vi } from 'vitest';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { otherShard, runMove, shardNamed, startMove } from '../../support/shards/moving.ts';
import { placedOn } from '../../support/shards/rows.ts';
import { world } from '../../support/world.ts';

/** A shop with three products, and its move, whose target is changed by `sql` before it is compared. */
async function movedBeside(sql: (tenantId: number, ids: readonly number[]) => readonly string[]) {
  const shop = await world();
  const ids: number[] = [];
  for (const name of ['Cup', 'Mug', 'Jug']) ids.push((await createProduct(shop, { name })).body.id);
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const changes = sql(shop.tenantId, ids).map((text) => shardNamed(target).prepare(text));
  const id = await startMove(shop);
  const between = async (state: string) => {
    if (state === 'comparing' && changes.length > 0) await shardNamed(target).batch(changes.splice(0));
  };
  const move = await runMove(shop, id, { between });
  const names = async () => {
    const read = await Promise.all(ids.map((product) => shop.get(`/products/${product}`)));
    return read.map(({ body }) => body.name);
  };
  return { shop, source, target, move, names };
}

const BROKEN = 'differing_test';
afterEach(async () => {
  for (const name of ['SHARD_01', 'SHARD_02'])
    await shardNamed(name).prepare(`DROP TRIGGER IF EXISTS ${BROKEN}`).run();
});

it('copies rows again that differ at the target, and those that it lacks', async () => {
  const { move, names, shop, target } = await movedBeside((tenantId, [cup, mug]) => [
    `UPDATE products SET name = 'Broken' WHERE tenant_id = ${tenantId} AND id = ${cup}`,
    `DELETE FROM products WHERE tenant_id = ${tenantId} AND id = ${mug}`,
  ]);
  expect(move).toMatchObject({ state: 'switched', progress: { repaired_rows: 2 } });
  expect(await placedOn(shop)).toBe(target);
  expect(await names()).toEqual(['Cup', 'Mug', 'Jug']);
});

it('cancels a move to a shard that keeps changing what is copied, and logs the table', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const { move, names, shop, source, target } = await movedBeside((tenantId, [cup]) => [
    `DELETE FROM products WHERE tenant_id = ${tenantId} AND id = ${cup}`,
    `CREATE TRIGGER ${BROKEN} AFTER INSERT ON products WHEN new.tenant_id = ${tenantId}
      BEGIN UPDATE products SET name = 'Broken' WHERE tenant_id = new.tenant_id AND id = new.id; END`,
  ]);
  expect(move.state).toBe('cancelled');
  const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines).toContainEqual({
    event: 'move_copy_differs',
    tenant: shop.tenantId,
    move: move.id,
    table: 'products',
  });
  expect(await placedOn(shop)).toBe(source);
  expect(await names()).toEqual(['Cup', 'Mug', 'Jug']);
  const left = shardNamed(target).prepare('SELECT count(*) AS n FROM products WHERE tenant_id = ?');
  expect(await left.bind(shop.tenantId).first('n')).toBe(0);
});
