import { z } from '@hono/zod-openapi';
import { searchSourcesAfter } from '../catalog/index.ts';
import { noteFailures } from '../events/index.ts';
import { retryDelay } from '../kernel/core/retry-delay.ts';
import { database } from '../kernel/data/database.ts';
import { catchUp } from './catch-up.ts';
import { beginRun, endRun, keepRun } from './progress.ts';
import { type RebuildCursor, rebuildStep } from './rebuild.ts';

/** Makes search look at everything of a tenant that has changed since it last did. */
export interface CatchUpMessage {
  readonly tenantId: number;
  readonly catchUp: true;
}

/** Asks for a rebuild of a tenant's index, or for its next step. */
export interface RebuildMessage {
  readonly tenantId: number;
  readonly rebuild: RebuildCursor | 'start';
  /** Which rebuild goes on; of a start the one whose place it takes. */
  readonly run?: string;
}

/** What the search queue carries. */
export type SearchMessage = CatchUpMessage | RebuildMessage;

/** How many slices one batch of messages indexes, and of them for one tenant: D1 allows 1,000 queries. */
const MAX_SLICES = 50;
const MAX_TENANT_SLICES = 10;

/**
 * Takes the messages of the search queue: what has changed is indexed as it is now, and a rebuild goes one step
 * on. Messages of a tenant that fail are delivered again, later and later; others go on.
 */
export async function consumeSearchQueue(batch: MessageBatch<SearchMessage>, env: Env): Promise<void> {
  const byTenant = Map.groupBy(batch.messages, (message) => message.body.tenantId);
  let left = MAX_SLICES;
  for (const [tenantId, messages] of byTenant) {
    try {
      const changed = messages.some(({ body }) => !('rebuild' in body));
      if (changed) left -= await index(env, tenantId, Math.min(MAX_TENANT_SLICES, Math.max(1, left)));
      for (const { id, body } of messages) if ('rebuild' in body) await goOn(env, id, body);
      for (const message of messages) message.ack();
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      console.error(JSON.stringify({ event: 'search_index_failed', tenant: tenantId, name }));
      for (const message of messages) message.retry({ delaySeconds: retryDelay(message.attempts) });
      await noteFailures(env, 'search-index', messages, error);
    }
  }
}

/** Indexes what has changed, some slices of it; a message follows for the rest. Returns how many slices it was. */
async function index(env: Env, tenantId: number, most: number): Promise<number> {
  for (let slices = 1; slices <= most; slices++) {
    if ((await catchUp(env, tenantId)).complete) return slices;
  }
  await send(env, { tenantId, catchUp: true });
  return most;
}

const send = (env: Env, message: SearchMessage): Promise<unknown> => env.SEARCH_QUEUE.send(message);

/** Asks for a rebuild of a tenant's index: a step a message, until all is done. One runs at a time. */
export const startRebuild = (env: Env, tenantId: number): Promise<unknown> =>
  send(env, { tenantId, rebuild: 'start' });

/**
 * Takes a step of a rebuild; of one that begins under the message's id, so that a retry goes on with it. A step
 * of no rebuild is taken for itself: words that nobody uses are forgotten like that.
 */
async function goOn(env: Env, messageId: string, { tenantId, rebuild, run }: RebuildMessage): Promise<void> {
  const db = env.SEARCH_DB;
  const source = (after: number, limit: number) => searchSourcesAfter(database(env), tenantId, after, limit);
  const starts = rebuild === 'start';
  const name = starts ? messageId : run;
  const runs = starts
    ? await beginRun(db, tenantId, messageId, run ?? null)
    : run === undefined || (await keepRun(db, tenantId, run));
  if (!runs) return;
  const next = await rebuildStep(db, tenantId, source, starts ? undefined : rebuild);
  if (next) await send(env, { tenantId, rebuild: next, ...(name === undefined ? {} : { run: name }) });
  else if (name !== undefined && !(await endRun(db, tenantId, name)))
    await send(env, { tenantId, rebuild: 'start', run: name });
}

const DeadMessage = z.union([
  z.object({ tenantId: z.int(), catchUp: z.literal(true) }),
  // As messages were before they said `catchUp`.
  z.object({ tenantId: z.int(), queue: z.literal('search-index') }),
  z.object({ tenantId: z.int(), rebuild: z.unknown(), run: z.string().optional() }),
]);

/**
 * For messages that failed to the end of their retries: one rebuild for each tenant makes good what they meant.
 * What other queues have sent is left alone.
 */
export async function rebuildForDead({ messages }: MessageBatch, env: Env): Promise<void> {
  const dead = new Map<number, string | undefined>();
  for (const { body } of messages) {
    const message = DeadMessage.safeParse(body).data;
    if (message === undefined) continue;
    const run = 'run' in message ? message.run : undefined;
    dead.set(message.tenantId, run ?? dead.get(message.tenantId));
  }
  for (const [tenantId, run] of dead) {
    await send(env, { tenantId, rebuild: 'start', ...(run === undefined ? {} : { run }) });
  }
}
