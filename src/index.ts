import { serve } from './app.ts';
import { consumeRelistings } from './catalog/index.ts';
import { type EventMessage, recordDeadLetters } from './events/index.ts';
import { abandonImports, consumeImports } from './imports/index.ts';
import { retryDelay } from './kernel/async/retry.ts';
import { errorName, log } from './kernel/core/log.ts';
import { learnShardsNow } from './kernel/shards/shard-map.ts';
import { consumeChores, enqueueChores, type MaintenanceMessage } from './maintenance/index.ts';
import { consumeSearchQueue, rebuildForDead, type SearchMessage } from './search/index.ts';
import { orderEventRequest } from './ucp/index.ts';
import { fanOut, WebhookEndpoint as WebhookEndpointBase } from './webhooks/index.ts';

export { RateLimiter, RequestLog } from './access/index.ts';
export { Cart } from './cart/index.ts';
export { ListIndex, SaleSchedule } from './catalog/index.ts';
export { LoginGate, LoginGuard } from './customers/index.ts';
export { StockWriter } from './inventory/index.ts';
export { Tenant } from './tenants/index.ts';
export { PlatformDirectory } from './ucp/index.ts';

/** Delivers events to webhooks, and those of agents' orders to their platforms in the protocol's form (UCP). */
export class WebhookEndpoint extends WebhookEndpointBase {
  protected override readonly agentRequest = orderEventRequest;
}

/** The consumer of each queue. */
const CONSUMERS: Readonly<
  Record<string, (batch: MessageBatch, env: Env, ctx: ExecutionContext) => Promise<void>>
> = {
  // Only the outbox's relay sends to this queue.
  'webhook-events': (batch, env) => fanOut(batch as MessageBatch<EventMessage>, env),
  // Only the relay, the catalogue, the Tenant object and search send to this queue.
  'search-index': (batch, env, ctx) => consumeSearchQueue(batch as MessageBatch<SearchMessage>, env, ctx),
  imports: consumeImports,
  // Only the cron and the chores send to this queue.
  maintenance: (batch, env, ctx) => consumeChores(batch as MessageBatch<MaintenanceMessage>, env, ctx),
  relistings: consumeRelistings,
  'dead-letters': consumeDeadLetters,
};

/**
 * Records dead letters, and does what each queue needs after one. If that fails, as while the directory can't be
 * reached, all of the batch are retried with growing delays: this queue has no dead letters of its own.
 */
async function consumeDeadLetters(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  try {
    await recordDeadLetters(batch, env);
    await abandonImports(batch, env, ctx);
    await rebuildForDead(batch, env);
  } catch (error) {
    log('dead_letters_not_recorded', { messages: batch.messages.length, name: errorName(error) });
    for (const message of batch.messages) message.retry({ delaySeconds: retryDelay(message.attempts) });
  }
}

/** Returns the tenants that the messages of a batch name. */
const tenantsOf = ({ messages }: MessageBatch): number[] =>
  messages.flatMap(({ body }) =>
    typeof body === 'object' && body !== null && 'tenantId' in body && typeof body.tenantId === 'number'
      ? [body.tenantId]
      : [],
  );

export default {
  fetch: serve,
  queue: async (batch, env, ctx) => {
    // One query for all. Where the directory can't be reached, each tenant's messages fail and are retried.
    await learnShardsNow(env, tenantsOf(batch)).catch(() => undefined);
    const consume = CONSUMERS[batch.queue];
    // Returning would acknowledge the messages.
    if (!consume) throw new Error(`Nothing consumes the queue ${batch.queue}`);
    await consume(batch, env, ctx);
  },
  scheduled: (_, env) => enqueueChores(env),
} satisfies ExportedHandler<Env>;
