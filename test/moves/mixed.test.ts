/**
 * A shop at work moves to another shard while a twentieth of all calls fail; then the auditor reads all stores, and the
 * old copy must be what the new one was. `SEED` and `MOVES` choose the seeds.
 */
import { expect, inject, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { advanceMove } from '../../src/moves/advance-move.ts';
import { type Actor, runEpisode, type Size } from '../journeys/mixed/episode.ts';
import { silenceConsole } from '../support/fixtures/selling/shopper.ts';
import { runtime } from '../support/runtime/runtime.ts';
import { otherShard, runMove, shownMove, startMove } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import type { World } from '../support/world.ts';

const SIZE: Size = { shoppers: 4, rounds: 6, share: 0.05 };

/** A tenant that moves. */
interface Moving {
  readonly shop: World;
  readonly id: string;
  readonly target: string;
}

function movingOf(moving: Moving | null): Moving {
  if (!moving) throw new Error('Nothing has moved');
  return moving;
}

const seeds = inject('moves');

it('loses and doubles nothing while it moves', { timeout: seeds * 5 * MINUTE }, async () => {
  const log = console.info.bind(console);
  silenceConsole();
  vi.spyOn(console, 'log').mockReturnValue();
  const first = inject('seed');
  for (let at = first; at < first + seeds; at++) {
    let moving: Moving | null = null;
    // The first actor takes steps that may fail, the second one ends the move once nothing fails.
    const beside = async (shop: World, bindings: Env): Promise<Actor> => {
      const last = moving !== null;
      const { id } = moving ?? { id: await startMove(shop) };
      moving ??= { shop, id, target: await otherShard(shop) };
      const step = async () => {
        await advanceMove({ ...runtime, env: bindings }, id).catch(() => undefined);
        moveClock(MINUTE / 2);
      };
      return { act: last ? () => runMove(shop, id).then(() => undefined) : step };
    };
    const report = await runEpisode(at, SIZE, { beside });
    log(JSON.stringify({ seed: at, ...report }));
    expect(report.orders, `seed ${at}`).toBeGreaterThan(0);
    expect(report.statuses[500], `seed ${at}`).toBeUndefined();
    expect(report.faults, `seed ${at}`).toEqual([]);
    const { shop, id, target } = movingOf(moving);
    // The days of the recovery have ended the old copy, too.
    expect(await shownMove(shop, id), `seed ${at}`).toMatchObject({
      state: 'ended',
      progress: { repaired_rows: 0 },
    });
    expect(await placedOn(shop)).toBe(target);
  }
});
