import { sql } from 'drizzle-orm';
import { DAY, now } from '../kernel/core/clock.ts';
import { log } from '../kernel/core/log.ts';
import { type Chore, deletes } from '../kernel/data/chore.ts';
import { directory, guardFailed } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/data/tenant-context.ts';
import { backgroundWork } from '../tenants/index.ts';
import { CopyDiffersError } from './copy/copy-changes.ts';
import { isOver } from './progress.ts';
import { type StepEnd, stepContext } from './step-context.ts';
import { STEPS } from './steps.ts';
import { claimMove, homeOf, saveStep, unfinishedMoves } from './store.ts';
import { type MoveRow, tenantMoves } from './tables.ts';

/**
 * Chore that takes each unfinished move a step further, one message a step. What a step takes of the databases is charged
 * as background work of the tenant, because others live on both shards; the next step's message comes after the pause.
 * Delays are whole seconds: what is below one stays charged to the next step.
 */
export const advanceMoves: Chore = async (runtime, { id, tenantId }) => {
  if (id === undefined || tenantId === undefined)
    return { each: await unfinishedMoves(directory(runtime.env)) };
  const work = backgroundWork(runtime, tenantId);
  const next = await advanceMove({ ...runtime, env: work.ctx.env }, id);
  const pauseMs = await work.charge();
  if (!next) return {};
  return { more: { id, tenantId }, delaySeconds: next === 'urgent' ? 0 : Math.floor(pauseMs / 1_000) };
};

/** How long (ms) a move that is over is shown. */
const MOVE_RETENTION_MS = 90 * DAY;

/** Sweep of moves that ended 90 days ago. */
export const forgetMoves = deletes(tenantMoves, () => sql`ended_at < ${now() - MOVE_RETENTION_MS}`);

/** Whether a further step may follow in this minute, and without a pause. */
type Following = false | 'paced' | 'urgent';

/**
 * Runs one bounded step of a move. Returns whether a further step may follow. A step may run twice, also concurrently:
 * its epoch makes what an earlier one still writes fail. A crashed one is repeated half a minute later.
 */
export async function advanceMove(runtime: Runtime, id: string): Promise<Following> {
  const db = directory(runtime.env);
  const move = await claimMove(db, id);
  if (!move || isOver(move.state)) return false;
  const misplaced = await endOf(runtime, move);
  try {
    const end = misplaced ?? (await STEPS[move.state](stepContext(runtime, move)));
    await saveStep(db, move, end);
    if (end.wait || isOver(end.state)) return false;
    return end.urgent ? 'urgent' : 'paced';
  } catch (error) {
    // A later step has taken over; or the copy is compared once more.
    if (guardFailed(error)) return false;
    if (!(error instanceof CopyDiffersError)) throw error;
    log('move_copy_differs', { tenant: move.tenantId, move: move.id, table: error.table });
    await saveStep(db, move, { state: 'cancelling', progress: { ...move.progress, problem: 'differs' } });
    return 'paced';
  }
}

/**
 * Returns how a move that the directory contradicts ends at once, else null. Never deletes the copy that the tenant
 * uses.
 */
async function endOf(
  { env }: Runtime,
  { tenantId, source, target, state, switchedAt, progress }: MoveRow,
): Promise<StepEnd | null> {
  const home = await homeOf(directory(env), tenantId);
  // A write that the sealed source refused has completed the switch, see `followSwitch`.
  if (state === 'holding' && home === target) return null;
  if (switchedAt === null) return home === source ? null : { state: 'cancelled', progress };
  return home === source ? { state: 'ended', progress } : null;
}
