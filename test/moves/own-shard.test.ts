/** A tenant that leaves the shard which it had for itself. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../src/kernel/core/clock.ts';
import { runMove, startMove } from '../support/shards/moving.ts';
import { placedOn, shopOn } from '../support/shards/rows.ts';
import { world } from '../support/world.ts';

it('gives the shard back to others once its old copy is deleted', async () => {
  const shop = await shopOn('SHARD_01', world);
  const measure = env.DB.prepare(
    'INSERT INTO shards (name, bytes, events, measured_at, owner_id) VALUES (?, ?, 0, ?, ?)',
  );
  await env.DB.batch([
    measure.bind('SHARD_01', 0, Date.now(), shop.tenantId),
    measure.bind('SHARD_02', 7 * 1024 ** 3, Date.now(), null),
  ]);
  try {
    const id = await startMove(shop);
    await runMove(shop, id);
    expect(await placedOn(await world())).toBe('SHARD_02');
    moveClock(DAY);
    expect((await runMove(shop, id)).state).toBe('ended');
    expect(await placedOn(await world())).toBe('SHARD_01');
  } finally {
    await env.DB.prepare('DELETE FROM shards').run();
  }
});
