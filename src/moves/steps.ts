import { DAY, MINUTE, now } from '../kernel/core/clock.ts';
import { log } from '../kernel/core/log.ts';
import { batch } from '../kernel/data/database.ts';
import { claimIdRange } from '../kernel/data/ids.ts';
import { tenantObject } from '../kernel/data/jurisdiction.ts';
import { shardNumber } from '../kernel/shards/shard-names.ts';
import { catalogProgress, deleteIndexRound, startRebuild } from '../search/index.ts';
import { announceMove, expectSwitch, rememberShard } from '../tenants/index.ts';
import { createTriggers, dropTriggers } from './copy/change-log.ts';
import { areAllCompared, compareSizes } from './copy/compare-sizes.ts';
import { type Copy, claimFence, deleteRound, endCopy } from './copy/delete-copy.ts';
import {
  arrive,
  copyLastChanges,
  holdAndSeal,
  isSealed,
  release,
  type Sealing,
} from './copy/hold-and-seal.ts';
import { readSchema } from './copy/shard-rows.ts';
import { catchUp, compare, copy, countBehind, type Followed, indexPart, onceCaughtUp } from './copy-steps.ts';
import type { MoveState } from './progress.ts';
import type { ShardStores, Step, StepContext, StepEnd } from './step-context.ts';
import { allowSwitch, endEarlierMoves, lastSwitchOf, shareShard, switchTenant } from './store.ts';

/** The most rounds of one step that delete rows: each has a statement or more for each table of a tenant. */
const MAX_ROUNDS = 10;
/** How long (ms) the old copy is kept. */
export const OLD_COPY_RETENTION_MS = DAY;
/** The most times that a move tries a switch; then it is cancelled. */
const MAX_ATTEMPTS = 10;

/** How long (ms) after a switch every isolate knows of it: till then the old copy refuses writes. */
const SWITCH_KNOWN_AFTER_MS = MINUTE;

const copyAt = ({ move }: StepContext, { rows, inDirectory }: ShardStores): Copy => ({
  db: rows.$client,
  tenantId: move.tenantId,
  epoch: move.epoch,
  inDirectory,
});

/** Deletes a bounded part of a tenant's copy and its search index. Returns whether more may be left. */
async function deletePart(ctx: StepContext, shard: ShardStores): Promise<boolean> {
  const { tenantId } = ctx.move;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const rows = await deleteRound(copyAt(ctx, shard));
    const indexed = await deleteIndexRound({ db: shard.search, tenantId });
    if (!rows && !indexed) return false;
  }
  return true;
}

/** Makes the target ready: deletes an earlier copy there. Then the source begins to note changes. */
const prepare: Step = async (ctx) => {
  const { move, source, target, copyContext, directory } = ctx;
  const { progress } = move;
  await endEarlierMoves(directory, move);
  await release(copyContext);
  await dropTriggers(copyContext.target, move.tenantId);
  if (await deletePart(ctx, target)) return { state: 'preparing', progress };
  await batch(target.rows, [claimIdRange(target.rows, shardNumber(target.name))]);
  const since = await catalogProgress({ tenantId: move.tenantId, db: source.rows });
  await createTriggers(copyContext, await readSchema(copyContext.source));
  return { state: 'copying', progress: { ...progress, since } };
};

/** Returns how an attempt ends after which the tenant is where it was. */
function notSwitched({ move }: StepContext, reason: 'busy' | 'differs' | 'unnoted'): StepEnd {
  log('move_not_switched', { tenant: move.tenantId, move: move.id, reason });
  const problem = reason === 'busy' ? reason : 'differs';
  const progress = { ...move.progress, attempts: move.progress.attempts + 1 };
  if (progress.attempts >= MAX_ATTEMPTS) return { state: 'cancelling', progress: { ...progress, problem } };
  // After a hold that was too short, writes go on for a minute. Else what differs is found row by row.
  return reason === 'busy'
    ? { state: 'holding', progress, wait: true }
    : { state: 'comparing', progress: { ...progress, part: 0 } };
}

/** Compares the tables' sizes; then writes are held at once. */
const measure = async (ctx: StepContext, { schema, progress }: Followed): Promise<StepEnd> => {
  const part = await compareSizes(ctx.copyContext, schema, progress.part);
  if (part === 'differs') return notSwitched({ ...ctx, move: { ...ctx.move, progress } }, part);
  const compared = areAllCompared(part);
  const measured = part === progress.part && !compared ? countBehind(ctx.move, progress) : progress;
  return { state: compared ? 'holding' : 'indexing', progress: { ...measured, part }, urgent: compared };
};

/** Builds search at the target, then compares the tables' sizes. */
const index = onceCaughtUp(async (ctx, followed) => {
  const { progress } = followed;
  const indexed = progress.part === 0 ? await indexPart(ctx, progress) : null;
  return indexed === null
    ? measure(ctx, followed)
    : { state: 'indexing', progress: { ...progress, indexed } };
});

/** Holds the tenant's writes and seals the source, from which on any refused write completes the switch. */
async function seal({ env, move, copyContext, directory }: StepContext): Promise<Sealing | 'behind'> {
  const schema = await readSchema(copyContext.source);
  const tables = await copyLastChanges(copyContext, schema);
  if (tables === null) return 'behind';
  await expectSwitch(env, move.tenantId);
  await allowSwitch(directory, move);
  return holdAndSeal(copyContext, schema, tables);
}

/** Seals the source and switches the tenant. */
const hold: Step = async (ctx) => {
  const { move, directory, copyContext } = ctx;
  // What a crashed step has left.
  if (!(await isSealed(copyContext))) {
    if (!areAllCompared(move.progress.part)) return { state: 'indexing', progress: move.progress };
    const sealing = await seal(ctx);
    // That state's steps copy more changes; search and sizes are done.
    if (sealing === 'behind') return { state: 'indexing', progress: countBehind(move, move.progress) };
    // A migration has rebuilt tables: from now on their changes are noted again, and the comparison finds the earlier.
    if (sealing === 'unnoted') await createTriggers(copyContext, await readSchema(copyContext.source));
    if (sealing !== 'sealed') return notSwitched(ctx, sealing);
  }
  const progress = { ...move.progress, attempts: move.progress.attempts + 1 };
  if (!(await switchTenant(directory, move))) return { state: 'holding', progress, wait: true };
  return announce({ ...ctx, move: { ...move, progress, state: 'switched', switchedAt: now() } });
};

/** Announces the tenant's new shard, and opens the target for background work. */
async function announce(ctx: StepContext): Promise<StepEnd> {
  const { env, move, target, copyContext } = ctx;
  await announceMove(env, move.tenantId, target.name);
  await tenantObject(env.LIST_INDEX, { tenantId: move.tenantId }).reset();
  await arrive(copyContext);
  await env.SEARCH_QUEUE.send({ tenantId: move.tenantId, catchUp: true });
  // Products of categories that changed meanwhile were indexed again at the source, which left no trace.
  await startRebuild(env, move.tenantId);
  log('tenant_switched', { tenant: move.tenantId, move: move.id });
  return { state: 'switched', progress: { ...move.progress, announced: true, problem: null }, wait: true };
}

const keepOldCopy: Step = async (ctx) => {
  const { move } = ctx;
  if (!move.progress.announced) return announce(ctx);
  const over = (move.switchedAt ?? 0) + OLD_COPY_RETENTION_MS <= now();
  return { state: over ? 'deleting' : 'switched', progress: move.progress, wait: !over };
};

/** Deletes the old copy at the source. */
const deleteOld: Step = async (ctx) => {
  const { move, source } = ctx;
  const old = copyAt(ctx, source);
  if (await claimFence(old, 'moved')) {
    await dropTriggers(old.db, move.tenantId);
    if (await deletePart(ctx, source)) return { state: 'deleting', progress: move.progress };
    await shareShard(ctx.directory, move);
    await endCopy(old);
  }
  return { state: 'ended', progress: move.progress };
};

/** Opens the source again and deletes the copy at the target. */
const cancel: Step = async (ctx) => {
  const { env, move, copyContext, source, target } = ctx;
  await release(copyContext);
  await rememberShard(env, move.tenantId, source.name);
  await dropTriggers(copyContext.source, move.tenantId);
  await copyContext.source.prepare('DELETE FROM move_changes WHERE tenant_id = ?').bind(move.tenantId).run();
  const unwanted = copyAt(ctx, target);
  if (await claimFence(unwanted, 'arriving')) {
    if (await deletePart(ctx, target)) return { state: 'cancelling', progress: move.progress };
    await endCopy(unwanted);
  }
  return { state: 'cancelled', progress: move.progress };
};

/** Returns a step that works on the target, once it is known that the tenant doesn't live there. */
const onTarget =
  (step: Step): Step =>
  async (ctx) => {
    if (await claimFence(copyAt(ctx, ctx.target), 'arriving')) return step(ctx);
    throw new Error('The tenant lives on the shard that it is to move to');
  };

/**
 * Returns a step that waits until the tenant's last switch is announced, which ends with its move, and all know of it; the
 * old copy refuses writes till then.
 */
const onceSwitchIsKnown =
  (step: Step): Step =>
  async (ctx) => {
    const { state, progress, tenantId } = ctx.move;
    const last = await lastSwitchOf(ctx.directory, tenantId);
    if (!last.announced || last.at + SWITCH_KNOWN_AFTER_MS > now()) return { state, progress, wait: true };
    return step(ctx);
  };

/** The step of each state in which a move is not over. */
export const STEPS: Readonly<Record<Exclude<MoveState, 'ended' | 'cancelled'>, Step>> = {
  preparing: onceSwitchIsKnown(onTarget(prepare)),
  copying: onTarget(copy),
  catching_up: onTarget(catchUp),
  comparing: onTarget(compare),
  indexing: onTarget(index),
  holding: onTarget(hold),
  switched: keepOldCopy,
  deleting: deleteOld,
  cancelling: cancel,
};
