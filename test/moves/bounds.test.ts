/** A step of a move makes fewer queries than D1 allows in one invocation (1,000), however much there is to do. */
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { advanceMove } from '../../src/moves/advance-move.ts';
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

it('deletes a large copy in several steps', { timeout: 120_000 }, async () => {
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
