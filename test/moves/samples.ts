import { env } from 'cloudflare:workers';
import { type MoveState, NO_PROGRESS } from '../../src/moves/progress.ts';
import type { Samples } from '../support/contract/sample.ts';
import { otherShard } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import type { World } from '../support/world.ts';

/** A move as one would be recorded: with one shard none can be made. No step may claim it. */
interface Recorded {
  readonly state: MoveState;
  readonly switchedAt?: number;
  readonly endedAt?: number;
}

/** Records a move of a tenant to the other shard, or from there once it has been switched. */
async function record(shop: World, { state, switchedAt, endedAt }: Recorded) {
  const { slug, tenantId } = shop;
  const id = `mov_${crypto.randomUUID().replaceAll('-', '')}`;
  const [home, other] = [await placedOn(shop), await otherShard(shop)];
  const [source, target] = switchedAt === undefined ? [home, other] : [other, home];
  await env.DB.prepare(
    `INSERT OR IGNORE INTO tenant_moves (id, tenant_id, source, target, state, progress, epoch, claimed_until, created_at,
      switched_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, 1, 9e15, 1, ?, ?)`,
  )
    .bind(
      id,
      tenantId,
      source,
      target,
      state,
      JSON.stringify(NO_PROGRESS),
      switchedAt ?? null,
      endedAt ?? null,
    )
    .run();
  return { slug, id };
}

const begun = (shop: World) => record(shop, { state: 'copying' });
/** Records a move that was cancelled. */
export const cancelled = (shop: World) => record(shop, { state: 'cancelled', endedAt: 1 });

/** A move whose undoing is under way. */
async function undone(shop: World) {
  await begun(shop);
  return record(shop, { state: 'switched', switchedAt: 1 });
}

export const samples: Samples = {
  // Of a move that is under way already.
  'POST /admin/v1/tenants/{slug}/moves': {
    params: begun,
    body: async (shop) => ({ shard: await otherShard(shop) }),
  },
  'GET /admin/v1/tenants/{slug}/moves': { params: async ({ slug }: World) => ({ slug }) },
  'GET /admin/v1/tenants/{slug}/moves/{id}': { params: cancelled, foreign: 'move_not_found' },
  'POST /admin/v1/tenants/{slug}/moves/{id}/cancel': { params: cancelled, foreign: 'move_not_found' },
  'POST /admin/v1/tenants/{slug}/moves/{id}/undo': { params: undone, foreign: 'move_not_found' },
};
