import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { searchSourcesAfter } from '../../catalog/index.ts';
import { commit, noteFailures } from '../../events/index.ts';
import { retryDelay } from '../../kernel/async/retry.ts';
import { log } from '../../kernel/core/log.ts';
import { placedDatabase, type Runtime } from '../../kernel/data/tenant-context.ts';
import { errorFields } from '../../kernel/observe/error-fields.ts';
import { slugsOf } from '../../kernel/shards/placements.ts';
import { advanceVersion, type BackgroundWork, backgroundWork } from '../../tenants/index.ts';
import { type PlacedWork, placed } from '../database.ts';
import { catchUp } from './catch-up.ts';
import { beginRun, endRun, keepRun } from './progress.ts';
import { type RebuildCursor, rebuildStep } from './rebuild.ts';

/** Indexes a tenant's changes since the last catch-up. */
interface CatchUpMessage {
  readonly tenantId: number;
  readonly catchUp: true;
}

/** Starts a rebuild of a tenant's index, or runs its next step. */
export interface RebuildMessage {
  readonly tenantId: number;
  readonly rebuild: RebuildCursor | 'start';
  /** The rebuild that the step belongs to; for `start`, the rebuild that it replaces. */
  readonly run?: string;
}

/** A message of the search queue. */
export type SearchMessage = CatchUpMessage | RebuildMessage;

/**
 * Slices that one batch of messages (of at most 50 tenants) indexes, in total and for one tenant: D1 allows 1,000 queries.
 */
const MAX_SLICES_PER_BATCH = 50;
const MAX_SLICES_PER_TENANT = 10;

/**
 * Consumes the search queue: indexes changes and runs rebuild steps. If one fails, all messages of that
 * tenant are retried with growing delays; other tenants are unaffected.
 */
export async function consumeSearchQueue(
  batch: MessageBatch<SearchMessage>,
  env: Env,
  ctx: Runtime['ctx'],
): Promise<void> {
  const byTenant = Map.groupBy(batch.messages, (message) => message.body.tenantId);
  // Each tenant gets one slice, and those with more changes share the others.
  let further = Math.max(0, MAX_SLICES_PER_BATCH - byTenant.size);
  for (const [tenantId, messages] of byTenant) {
    const work = backgroundWork({ env, ctx }, tenantId);
    try {
      const changed = messages.some(({ body }) => !('rebuild' in body));
      if (changed) further -= (await index(work, Math.min(MAX_SLICES_PER_TENANT, 1 + further))) - 1;
      for (const { id, body } of messages) if ('rebuild' in body) await runStep(work, id, body);
      for (const message of messages) message.ack();
    } catch (error) {
      log('search_index_failed', { tenant: tenantId, ...errorFields(error) });
      for (const message of messages) message.retry({ delaySeconds: retryDelay(message.attempts) });
      await noteFailures(env, { queue: 'search-index', messages, error });
    }
  }
}

/** Indexes up to `most` slices of changes and enqueues the rest. Returns the number of slices. */
async function index(work: BackgroundWork, most: number): Promise<number> {
  // The queue's consumer has just asked for the shards of all tenants of the batch.
  const { ctx, index: own } = await placed(work.ctx, placedDatabase);
  for (let slices = 1; slices <= most; slices++) {
    if (!(await catchUp(ctx, own)).complete) continue;
    await work.charge();
    return slices;
  }
  await sendAfterPause(work, { tenantId: work.ctx.tenantId, catchUp: true });
  return most;
}

const send = (env: Env, message: SearchMessage): Promise<unknown> => env.SEARCH_QUEUE.send(message);

/**
 * Charges the work's database time and enqueues its next message after the pause. The consumer itself doesn't wait:
 * other tenants' messages are in its batch. Delays are whole seconds; what is below one stays charged to the next step.
 */
async function sendAfterPause({ ctx, charge }: BackgroundWork, message: SearchMessage): Promise<void> {
  const delaySeconds = Math.floor((await charge()) / 1_000);
  await ctx.env.SEARCH_QUEUE.send(message, { delaySeconds });
}

/** Enqueues a rebuild of a tenant's index, one message for each step. One runs at a time. */
export const startRebuild = (env: Env, tenantId: number): Promise<unknown> =>
  send(env, { tenantId, rebuild: 'start' });

/**
 * Runs a step of a rebuild and enqueues the next. A new rebuild takes the message's id as its own, so a retry
 * continues it. Steps without `run` belong to no rebuild: the deletion of unused words.
 */
async function runStep(
  work: BackgroundWork,
  messageId: string,
  { tenantId, rebuild, run }: RebuildMessage,
): Promise<void> {
  const placedWork = await placed(work.ctx);
  const { ctx, index } = placedWork;
  const source = (after: number, limit: number) => searchSourcesAfter(ctx, after, limit);
  const isStart = rebuild === 'start';
  const name = isStart ? messageId : run;
  const active = isStart
    ? await beginRun(index, messageId, run ?? null)
    : run === undefined || (await keepRun(index, run));
  if (!active) return;
  const next = await rebuildStep(index, source, isStart ? undefined : rebuild);
  if (next)
    await sendAfterPause(work, { tenantId, rebuild: next, ...(name === undefined ? {} : { run: name }) });
  else if (name !== undefined) await finishRebuild(placedWork, name);
}

/**
 * Ends the rebuild `run`, or begins the one that was requested meanwhile. The catalogue version advances: responses
 * that were cached before the rebuild may have been wrong. A suspended tenant's version advances when it is
 * activated; till then its rows stay as they were imported.
 */
async function finishRebuild({ ctx, index }: PlacedWork, run: string): Promise<void> {
  const { env, tenantId } = ctx;
  await commit(ctx, { statements: [advanceVersion(ctx, sql`status = 'active'`)], mayAdvance: true });
  await send(env, { tenantId, catchUp: true });
  if (!(await endRun(index, run))) await send(env, { tenantId, rebuild: 'start', run });
}

const DeadMessage = z.union([
  z.object({ tenantId: z.int(), catchUp: z.literal(true) }),
  // The format before `catchUp` was added.
  z.object({ tenantId: z.int(), queue: z.literal('search-index') }),
  z.object({ tenantId: z.int(), rebuild: z.unknown(), run: z.string().optional() }),
]);

/**
 * Handles the search queue's dead letters: one rebuild for each tenant covers what they would have indexed.
 * Ignores other queues' messages, and tenants without a placement, whose rebuild would be the next dead letter.
 */
export async function rebuildForDead({ messages }: MessageBatch, env: Env): Promise<void> {
  const dead = new Map<number, string | undefined>();
  for (const { body } of messages) {
    const message = DeadMessage.safeParse(body).data;
    if (message === undefined) continue;
    const run = 'run' in message ? message.run : undefined;
    dead.set(message.tenantId, run ?? dead.get(message.tenantId));
  }
  const placedTenants = dead.size > 0 ? await slugsOf(env, [...dead.keys()]) : new Map<number, string>();
  for (const [tenantId, run] of dead) {
    if (!placedTenants.has(tenantId)) continue;
    await send(env, { tenantId, rebuild: 'start', ...(run === undefined ? {} : { run }) });
  }
}
