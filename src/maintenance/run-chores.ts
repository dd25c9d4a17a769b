import { MAX_SEND_BATCH } from '../events/index.ts';
import { MINUTE, now } from '../kernel/core/clock.ts';
import { log } from '../kernel/core/log.ts';
import type { NextSteps, Step } from '../kernel/data/chore.ts';
import { directory, shardDatabase } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/data/tenant-context.ts';
import { errorFields } from '../kernel/observe/error-fields.ts';
import { type ShardName, shardNames } from '../kernel/shards/shard-names.ts';
import { DIRECTORY_CHORES, SHARD_CHORES } from './chores.ts';
import { recordCron } from './health.ts';

/** A message of the queue `maintenance`: one step of a chore. */
export interface MaintenanceMessage extends Step {
  readonly chore: string;
  /** The shard that it works on; absent for the directory. */
  readonly shard?: ShardName;
  /**
   * The step enqueues its continuation until this time (ms since the epoch); then the next cron run takes
   * over.
   */
  readonly until: number;
}

/** Enqueues the first step of every chore, one message for each shard. Safe to run late or concurrently. */
export async function enqueueChores(env: Env): Promise<void> {
  const until = now() + MINUTE;
  await send(env, [
    ...Object.keys(DIRECTORY_CHORES).map((chore) => ({ body: { chore, until } })),
    ...shardNames(env).flatMap((shard) =>
      Object.keys(SHARD_CHORES).map((chore) => ({ body: { chore, shard, until } })),
    ),
  ]);
  await recordCron(env);
}

async function send(env: Env, messages: readonly MessageSendRequest<MaintenanceMessage>[]): Promise<void> {
  for (let start = 0; start < messages.length; start += MAX_SEND_BATCH) {
    await env.MAINTENANCE_QUEUE.sendBatch(messages.slice(start, start + MAX_SEND_BATCH));
  }
}

/** Returns the messages that follow a step. One that would begin after `until` is left to the next cron run. */
function following(
  { chore, shard, until }: MaintenanceMessage,
  { each = [], more, delaySeconds = 0 }: NextSteps,
): MessageSendRequest<MaintenanceMessage>[] {
  const body = (step: Step): MaintenanceMessage => ({ ...step, chore, until, ...(shard && { shard }) });
  const messages = each.map((step) => ({ body: body(step) }));
  const isInTime = now() + delaySeconds * 1_000 < until;
  return more && isInTime ? [...messages, { body: body(more), delaySeconds }] : messages;
}

/**
 * Consumes the queue `maintenance`: runs one step for each message, and enqueues the steps that follow. A
 * failed step is logged and acknowledged, because the next minute's cron enqueues its chore again.
 */
export async function consumeChores(
  { messages }: MessageBatch<MaintenanceMessage>,
  env: Env,
  ctx: ExecutionContext,
): Promise<void> {
  for (const message of messages) {
    const { chore, shard, tenantId, id } = message.body;
    try {
      const next = await runStep({ env, ctx }, message.body);
      if (next) await send(env, following(message.body, next));
    } catch (error) {
      log('chore_failed', { chore, shard, tenant: tenantId, id, ...errorFields(error) });
    }
    message.ack();
  }
}

/** Runs one step on the database that its message names. */
async function runStep(
  runtime: Runtime,
  { chore, shard, until: _, ...step }: MaintenanceMessage,
): Promise<NextSteps | undefined> {
  return shard === undefined
    ? DIRECTORY_CHORES[chore]?.({ ...runtime, db: directory(runtime.env) }, step)
    : SHARD_CHORES[chore]?.({ ...runtime, db: shardDatabase(runtime.env, shard), shard }, step);
}
