import { DAY, MINUTE, now } from '../kernel/core/clock.ts';
import { log } from '../kernel/core/log.ts';
import { batch } from '../kernel/data/database.ts';
import { claimIdRange } from '../kernel/data/ids.ts';
import { tenantObject } from '../kernel/data/jurisdiction.ts';
import { shardNumber } from '../kernel/shards/shard-names.ts';
import { catalogProgress, deleteIndexRound, indexCopy, startRebuild } from '../search/index.ts';
import { announceMove, expectSwitch, rememberShard } from '../tenants/index.ts';
import { createTriggers, dropTriggers } from './copy/change-log.ts';
import { copyChanges } from './copy/copy-changes.ts';
import { comparePage, copyPage } from './copy/copy-rows.ts';
import { type Copy, claimFence, deleteRound, endCopy } from './copy/delete-copy.ts';
import { arrive, holdAndSeal, isSealed, release, type Sealing } from './copy/hold-and-seal.ts';
import { readSchema, type Schema } from './copy/shard-rows.ts';
import type { MoveProgress, MoveState } from './progress.ts';
import type { ShardStores, StepContext, StepEnd } from './step-context.ts';
import { allowSwitch, endEarlierMoves, lastSwitchOf, shareShard, switchTenant } from './store.ts';

/** The most pages of one step. */
const MAX_PAGES = 20;
/**
 * The most rounds of one step that delete rows or copy changes: with a statement or more for each table of a tenant, a
 * step stays below the 1,000 queries that D1 allows in an invocation.
 */
const MAX_ROUNDS = 10;
/** Changes are copied after the first copy until no more than this are left. */
const FEW_CHANGES = 200;
/** How long (ms) the old copy is kept. */
export const OLD_COPY_RETENTION_MS = DAY;
/** The most times that a move holds the tenant's writes without a switch; then it is cancelled. */
const MAX_ATTEMPTS = 10;

/** How long (ms) after a switch every isolate knows of it: till then the old copy refuses writes. */
const SWITCH_KNOWN_AFTER_MS = MINUTE;

type Step = (ctx: StepContext) => Promise<StepEnd>;

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

/** Takes pages until one is the last or the step is long enough. Returns the progress, and whether it was the last. */
async function pages(
  ctx: StepContext,
  page: (schema: Schema, progress: MoveProgress) => Promise<MoveProgress | null>,
): Promise<{ readonly progress: MoveProgress; readonly done: boolean }> {
  const schema = await readSchema(ctx.copyContext.source);
  let { progress } = ctx.move;
  for (let n = 0; n < MAX_PAGES; n++) {
    const next = await page(schema, progress);
    if (!next) return { progress: { ...progress, part: 0, after: [] }, done: true };
    progress = next;
  }
  return { progress, done: false };
}

const copy: Step = async (ctx) => {
  const { progress, done } = await pages(ctx, (schema, at) => copyPage(ctx.copyContext, schema, at));
  return { state: done ? 'catching_up' : 'copying', progress };
};

/** Copies changes. Returns how many, and whether few are left. */
async function followChanges(ctx: StepContext): Promise<{ readonly changed: number; readonly few: boolean }> {
  const schema = await readSchema(ctx.copyContext.source);
  let changed = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { copied, total } = await copyChanges(ctx.copyContext, schema);
    changed += copied;
    if (total - copied <= FEW_CHANGES) return { changed, few: true };
  }
  return { changed, few: false };
}

const counted = (progress: MoveProgress, changed: number): MoveProgress => ({
  ...progress,
  changed: progress.changed + changed,
});

const catchUp: Step = async (ctx) => {
  const { changed, few } = await followChanges(ctx);
  return { state: few ? 'comparing' : 'catching_up', progress: counted(ctx.move.progress, changed) };
};

const compare: Step = async (ctx) => {
  const { changed } = await followChanges(ctx);
  const { progress, done } = await pages(ctx, (schema, at) => comparePage(ctx.copyContext, schema, at));
  return { state: done ? 'indexing' : 'comparing', progress: counted(progress, changed) };
};

const index: Step = async (ctx) => {
  const { move, target } = ctx;
  const { changed } = await followChanges(ctx);
  const progress = counted(move.progress, changed);
  const rows = { tenantId: move.tenantId, db: target.rows };
  const { indexed: after, since } = progress;
  const next = await indexCopy(rows, { tenantId: move.tenantId, db: target.search }, { after, since });
  return next === null
    ? { state: 'holding', progress }
    : { state: 'indexing', progress: { ...progress, indexed: next } };
};

/** Holds the tenant's writes and seals the source, from which on any refused write completes the switch. */
async function seal({ env, move, copyContext, directory }: StepContext): Promise<Sealing> {
  // What a crashed step has left.
  if (await isSealed(copyContext)) return 'sealed';
  await expectSwitch(env, move.tenantId);
  await allowSwitch(directory, move);
  return holdAndSeal(copyContext, await readSchema(copyContext.source));
}

/** Seals the source and switches the tenant. */
const hold: Step = async (ctx) => {
  const { move, directory } = ctx;
  const progress = { ...move.progress, attempts: move.progress.attempts + 1 };
  const sealing = await seal(ctx);
  if (sealing === 'sealed') {
    if (!(await switchTenant(directory, move))) return { state: 'holding', progress, wait: true };
    return announce({ ...ctx, move: { ...move, progress, state: 'switched', switchedAt: now() } });
  }
  log('move_not_switched', { tenant: move.tenantId, move: move.id, reason: sealing });
  if (progress.attempts >= MAX_ATTEMPTS) return { state: 'cancelling', progress };
  // What differs is found row by row. After a hold that was too short, writes go on for a minute.
  return { state: sealing === 'differs' ? 'comparing' : 'holding', progress, wait: sealing === 'busy' };
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
  return { state: 'switched', progress: { ...move.progress, announced: true }, wait: true };
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
