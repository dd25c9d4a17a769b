/** A step of a move makes fewer queries than D1 allows in one invocation (1,000), however much there is to do. */
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { advanceMove } from '../../src/moves/advance-move.ts';
import { MOVED_NAMES, movedTable } from '../../src/moves/copy/moved-tables.ts';
import { runtime, storeOf } from '../support/runtime/runtime.ts';
import { runMove, shownMove, startMove } from '../support/shards/moving.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { type World, world } from '../support/world.ts';

const MAX_QUERIES = 1_000;

/** Gives a tenant many rows of a small table. */
const fill = (shop: World, count: number) =>
  storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO coupon_guesses (tenant_id, address, wrong, since) SELECT ?1, i, 1, 1 FROM n`,
    )
    .bind(shop.tenantId, count)
    .run();

it('deletes a large copy in several steps', async () => {
  const shop = await world();
  await fill(shop, 7_000);
  const id = await startMove(shop);
  await runMove(shop, id);
  moveClock(DAY);
  const steps: number[] = [];
  while ((await shownMove(shop, id)).state !== 'ended') {
    const { statements } = await measureDatabase(() => advanceMove(runtime, id));
    steps.push(statements);
  }
  expect(Math.max(...steps)).toBeLessThan(MAX_QUERIES);
});

it('reads no more of the noted changes than a round copies, however many there are', async () => {
  const shop = await world();
  const id = await startMove(shop);
  while ((await shownMove(shop, id)).state !== 'catching_up') await advanceMove(runtime, id);
  const noted = 8_000;
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO move_changes (tenant_id, name, key) SELECT ?1, 'coupon_guesses', json_array(?1, 'a' || i) FROM n`,
    )
    .bind(shop.tenantId, noted)
    .run();
  // Ten rounds of 200 changes.
  const { read } = await measureDatabase(() => advanceMove(runtime, id));
  expect(read).toBeLessThan(6 * noted);
  expect((await runMove(shop, id)).state).toBe('switched');
});

it('copies few large rows in a round', async () => {
  const shop = await world();
  const id = await startMove(shop);
  while ((await shownMove(shop, id)).state !== 'catching_up') await advanceMove(runtime, id);
  const before = (await shownMove(shop, id)).progress.changed_rows;
  await storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO import_chunks (tenant_id, import_id, n, base64)
        SELECT ?1, 'imp_' || ?1, i, hex(zeroblob(150000)) FROM n`,
    )
    .bind(shop.tenantId)
    .run();
  await advanceMove(runtime, id);
  // So few are left then that the step ends after one round.
  expect((await shownMove(shop, id)).progress.changed_rows - before).toBeLessThanOrEqual(20);
  expect((await runMove(shop, id)).state).toBe('switched');
});

it.each(['catching_up', 'comparing', 'holding'])(
  'makes few queries in a step although every table has changes (%s)',
  async (state) => {
    const shop = await world();
    const id = await startMove(shop);
    while ((await shownMove(shop, id)).state !== state) await advanceMove(runtime, id);
    // Of rows that are gone, so that the keys need not fit: each round has some of every table.
    const names = JSON.stringify(MOVED_NAMES.filter((name) => movedTable(name).group === undefined));
    await storeOf(shop)
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO move_changes (tenant_id, name, key)
          SELECT ?1, value, json_array('none', i, i, i, i) FROM n, json_each(?2) ORDER BY i`,
      )
      .bind(shop.tenantId, names)
      .run();
    for (let step = 0; step < 4; step++) {
      const { statements } = await measureDatabase(() => advanceMove(runtime, id));
      expect(statements).toBeLessThan(MAX_QUERIES);
    }
    expect((await runMove(shop, id)).state).toBe('switched');
  },
);
