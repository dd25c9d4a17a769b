/** Nothing of a tenant stays on the shard that it has left, however much it imported there. */
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { otherShard, runMove, startMove } from '../support/shards/moving.ts';
import { placedOn, rowsByDatabase } from '../support/shards/rows.ts';
import { world } from '../support/world.ts';

/** More than one round of a deletion takes of a table. */
const LINES = 700;

it('deletes the products and errors of an import with the old copy', async () => {
  const shop = await world();
  const { status, body } = await shop.post('/imports/products', undefined, {
    raw: 'Handle,Title,Variant Price\nmug,Mug,5\n',
    headers: { 'content-type': 'text/csv' },
  });
  expect(status, JSON.stringify(body)).toBe(202);
  for (const [table, columns, values] of [
    ['import_products', 'slug, line', 'i, i'],
    ['import_errors', 'n, line, message', "1000 + i, i, 'is wrong'"],
  ]) {
    await storeOf(shop)
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
        INSERT INTO ${table} (tenant_id, import_id, ${columns}) SELECT ?1, ?2, ${values} FROM n`,
      )
      .bind(shop.tenantId, body.id, LINES)
      .run();
  }
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const id = await startMove(shop);
  await runMove(shop, id);
  moveClock(DAY);
  expect((await runMove(shop, id)).state).toBe('ended');
  for (const table of ['imports', 'import_products', 'import_errors']) {
    const rows = await rowsByDatabase(shop, table);
    expect([table, rows[source]]).toEqual([table, 0]);
    expect([table, rows[target]]).not.toEqual([table, 0]);
  }
});
