import { log } from '../kernel/core/log.ts';
import { indexCopy } from '../search/index.ts';
import { copyChanges } from './copy/copy-changes.ts';
import { comparePage, copyPage } from './copy/copy-rows.ts';
import { readSchema, type Schema } from './copy/shard-rows.ts';
import type { MoveProgress } from './progress.ts';
import type { Step, StepContext, StepEnd } from './step-context.ts';
import type { MoveRow } from './tables.ts';

/** The most pages of one step. */
const MAX_PAGES = 20;
/**
 * The most rounds of one step that copy changes, and the tables of which they copy, each counted once a round: with some
 * statements for each, a step stays below the 1,000 queries that D1 allows in an invocation.
 */
const MAX_ROUNDS = 10;
const MAX_ROUND_TABLES = 160;
/** Changes are copied after the first copy until no more than this are left. */
const FEW_CHANGES = 200;

/** Takes pages until one is the last or the step is long enough. Returns the progress, and whether it was the last. */
async function pages(
  from: MoveProgress,
  page: (progress: MoveProgress) => Promise<MoveProgress | null>,
): Promise<{ readonly progress: MoveProgress; readonly done: boolean }> {
  let progress = from;
  for (let n = 0; n < MAX_PAGES; n++) {
    const next = await page(progress);
    if (!next) return { progress: { ...progress, part: 0, after: [] }, done: true };
    progress = next;
  }
  return { progress, done: false };
}

/** Copies pages of rows. */
export const copy: Step = async ({ move, copyContext }) => {
  const schema = await readSchema(copyContext.source);
  const { progress, done } = await pages(move.progress, (at) => copyPage(copyContext, schema, at));
  return { state: done ? 'catching_up' : 'copying', progress };
};

/** A move says that its tenant is busy once so many steps, each of up to 2,000 changes, have left more. */
const MAX_BEHIND_STEPS = 500;

/** Counts a step that left more changes than the move goes on with. Logs each time that there were too many of them. */
export function countBehind({ id, tenantId }: MoveRow, progress: MoveProgress): MoveProgress {
  const behind = (progress.behind ?? 0) + 1;
  if (behind % MAX_BEHIND_STEPS === 0) {
    log('move_not_switched', { tenant: tenantId, move: id, reason: 'behind' });
  }
  return { ...progress, behind, ...(behind >= MAX_BEHIND_STEPS && { problem: 'busy' }) };
}

/** A step that has copied changes: the columns of the tables, its progress, and whether few changes are left. */
export interface Followed {
  readonly schema: Schema;
  readonly progress: MoveProgress;
  readonly few: boolean;
}

async function followChanges({ copyContext, move }: StepContext): Promise<Followed> {
  const { progress } = move;
  const schema = await readSchema(copyContext.source);
  let [{ changed }, tables, few] = [progress, 0, false];
  // A round is expected to have as many tables as the one before.
  for (let round = 0, last = 0; round < MAX_ROUNDS && tables + last <= MAX_ROUND_TABLES && !few; round++) {
    const copied = await copyChanges(copyContext, schema);
    last = copied.tables;
    changed += copied.copied;
    tables += last;
    few = copied.total - copied.copied <= FEW_CHANGES;
  }
  const followed = { ...progress, changed };
  return { schema, progress: few ? followed : countBehind(move, followed), few };
}

/** Copies changes until few are left. */
export const catchUp: Step = async (ctx) => {
  const { progress, few } = await followChanges(ctx);
  return { state: few ? 'comparing' : 'catching_up', progress };
};

/** Returns a step that copies changes, and does its work once few are left: a busy tenant's would gather meanwhile. */
export const onceCaughtUp =
  (work: (ctx: StepContext, followed: Followed) => Promise<StepEnd>): Step =>
  async (ctx) => {
    const followed = await followChanges(ctx);
    return followed.few ? work(ctx, followed) : { state: ctx.move.state, progress: followed.progress };
  };

/** Compares pages of rows. */
export const compare = onceCaughtUp(async ({ copyContext }, followed) => {
  const { progress, done } = await pages(followed.progress, (at) =>
    comparePage(copyContext, followed.schema, at),
  );
  return { state: done ? 'indexing' : 'comparing', progress };
});

/** Builds a part of search at the target. Returns the last indexed product, or null once all are. */
export const indexPart = (
  { move: { tenantId }, target }: StepContext,
  { indexed: after, since }: MoveProgress,
): Promise<number | null> =>
  indexCopy({ tenantId, db: target.rows }, { tenantId, db: target.search }, { after, since });
