import { forgetAudit, forwardAudit } from '../audit/index.ts';
import {
  forgetListChanges,
  forgetPrices,
  forgetProducts,
  rankBestSellers,
  resumeIndexing,
  resumeRelistings,
  resumeSales,
} from '../catalog/index.ts';
import { expireOrders, forgetCheckouts, retryNotices, retryRefunds } from '../checkout/index.ts';
import { forgetErased, forgetResets, forgetSessions } from '../customers/index.ts';
import {
  forgetDeadLetters,
  forgetEvents,
  forgetFailures,
  MAX_SEND_BATCH,
  measureShard,
  relayLostEvents,
} from '../events/index.ts';
import { forgetImports, resumeImports } from '../imports/index.ts';
import { forgetCalls, forgetItemDays, forgetItemHours, forgetSales } from '../insights/index.ts';
import { beginSlots, expireReservations, forgetMovements, forgetReservations } from '../inventory/index.ts';
import { MINUTE, now } from '../kernel/core/clock.ts';
import { errorName, log } from '../kernel/core/log.ts';
import type { Chore, Next, ShardContext, Step } from '../kernel/data/chore.ts';
import { directory, shardDatabase } from '../kernel/data/database.ts';
import { forgetOldKeys } from '../kernel/data/idempotency-keys.ts';
import type { Runtime } from '../kernel/data/tenant-context.ts';
import { type ShardName, shardNames } from '../kernel/shards/shard-names.ts';
import { endUnfinishedMedia } from '../media/index.ts';
import { advanceMoves, forgetMoves } from '../moves/index.ts';
import { forgetAbandonedOrders } from '../orders/index.ts';
import { forgetGuesses, forgetPromotions } from '../promotions/index.ts';
import { forgetGoneDocuments, forgetWords } from '../search/index.ts';
import { endCreations, followStock, settleClaims } from '../tenants/index.ts';
import { forgetKeys } from '../ucp/index.ts';
import { forgetPanelGuesses, forgetPanelSessions } from '../web/index.ts';
import { forgetPlatforms } from '../webhooks/index.ts';
import { recordCron } from './health.ts';

/** The background work on what both the directory and the shards hold. */
const COMMON_CHORES = {
  oldIdempotencyKeys: forgetOldKeys,
  oldAuditEntries: forgetAudit,
} satisfies Readonly<Record<string, Chore>>;

/** The background work of every minute on each shard: resumes work interrupted by a crash, and deletes expired data. */
const SHARD_CHORES: Readonly<Record<string, Chore<ShardContext>>> = {
  shardMeasure: measureShard,
  events: relayLostEvents,
  stock: followStock,
  search: resumeIndexing,
  sales: resumeSales,
  slots: beginSlots,
  reservations: expireReservations,
  orders: expireOrders,
  refunds: retryRefunds,
  cartNotices: retryNotices,
  imports: resumeImports,
  relistings: resumeRelistings,
  bestSellers: rankBestSellers,
  oldImports: forgetImports,
  oldCheckouts: forgetCheckouts,
  oldSessions: forgetSessions,
  oldPasswordResets: forgetResets,
  erasedCustomers: forgetErased,
  oldCouponGuesses: forgetGuesses,
  deletedPromotions: forgetPromotions,
  deletedProducts: forgetProducts,
  endedPrices: forgetPrices,
  oldListChanges: forgetListChanges,
  unfinishedMedia: endUnfinishedMedia,
  goneDocuments: forgetGoneDocuments,
  unusedWords: forgetWords,
  abandonedOrders: forgetAbandonedOrders,
  releasedReservations: forgetReservations,
  oldMovements: forgetMovements,
  oldEvents: forgetEvents,
  oldSalesHours: forgetSales,
  oldCallHours: forgetCalls,
  oldItemHours: forgetItemHours,
  oldItemDays: forgetItemDays,
  endedUcpKeys: forgetKeys,
  endedPlatforms: forgetPlatforms,
  ...COMMON_CHORES,
};

/** The background work of every minute on the directory. */
const DIRECTORY_CHORES: Readonly<Record<string, Chore>> = {
  tenantCreations: endCreations,
  tenantHosts: settleClaims,
  auditEntries: forwardAudit,
  moves: advanceMoves,
  oldMoves: forgetMoves,
  oldPanelSessions: forgetPanelSessions,
  oldPanelGuesses: forgetPanelGuesses,
  oldDeadLetters: forgetDeadLetters,
  oldQueueFailures: forgetFailures,
  ...COMMON_CHORES,
};

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
    ...Object.keys(DIRECTORY_CHORES).map((chore) => ({ chore, until })),
    ...shardNames(env).flatMap((shard) =>
      Object.keys(SHARD_CHORES).map((chore) => ({ chore, shard, until })),
    ),
  ]);
  await recordCron(env);
}

async function send(env: Env, messages: readonly MaintenanceMessage[]): Promise<void> {
  for (let start = 0; start < messages.length; start += MAX_SEND_BATCH) {
    await env.MAINTENANCE_QUEUE.sendBatch(
      messages.slice(start, start + MAX_SEND_BATCH).map((body) => ({ body })),
    );
  }
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
    const { chore, shard, until, tenantId } = message.body;
    try {
      const next = await runStep({ env, ctx }, message.body);
      const more = next?.more && now() < until ? [next.more] : [];
      await send(
        env,
        [...(next?.each ?? []), ...more].map((one) => ({ ...one, chore, until, ...(shard && { shard }) })),
      );
    } catch (error) {
      log('chore_failed', { chore, shard, tenant: tenantId, name: errorName(error) });
    }
    message.ack();
  }
}

/** Runs one step on the database that its message names. */
async function runStep(
  runtime: Runtime,
  { chore, shard, until: _, ...step }: MaintenanceMessage,
): Promise<Next | undefined> {
  return shard === undefined
    ? DIRECTORY_CHORES[chore]?.({ ...runtime, db: directory(runtime.env) }, step)
    : SHARD_CHORES[chore]?.({ ...runtime, db: shardDatabase(runtime.env, shard), shard }, step);
}
