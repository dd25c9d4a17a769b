import {
  type EventMessage,
  type EventSize,
  eventSizes,
  eventsById,
  noteFailures,
} from '../../events/index.ts';
import { retryDelay } from '../../kernel/async/retry.ts';
import { slicesBySize } from '../../kernel/core/lists.ts';
import { log } from '../../kernel/core/log.ts';
import { database } from '../../kernel/data/database.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { matchesFilter } from '../filter.ts';
import { type Subscription, subscriptions } from '../registrations/endpoint-store.ts';
import { endpointOf } from './endpoint-client.ts';
import { eventDelivery } from './envelope.ts';

/** Tenants processed concurrently; their slices are in memory together. */
const MAX_TENANTS_AT_ONCE = 4;
/** A tenant's WebhookEndpoint objects called concurrently; fewer when a slice is large. */
const MAX_OBJECTS_AT_ONCE = 25;
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024;
/** Object calls in one run (an invocation has 1,000 subrequests); the remaining messages are enqueued anew. */
const MAX_CALLS_PER_RUN = 500;
/** Payload of one call (RPC allows 32 MiB), unless a single event is larger; a D1 row has at most 2 MB. */
const MAX_SLICE_BYTES = 4 * 1024 * 1024;
/** Delay of messages that exceed the run's call budget. */
const LEFTOVER_DELAY_SECONDS = 1;

/** The context of the fan-out of one tenant's events. */
type FanOutContext = Omit<TenantContext, 'ctx'>;

/** Events of a tenant that did not reach every webhook, with the error, and those beyond the call budget. */
interface Outcome {
  readonly failed: Map<string, unknown>;
  readonly left: Set<string>;
}

/**
 * Consumes the queue `webhook-events`: hands each event to the WebhookEndpoint object of every subscribed
 * webhook, without waiting for receivers. Retries a message whose event did not reach every object; objects
 * deduplicate by event id. Makes at most `maxCalls` calls, and enqueues the rest; no tenant has more webhooks than that.
 */
export async function fanOut(
  batch: MessageBatch<EventMessage>,
  env: Env,
  maxCalls = MAX_CALLS_PER_RUN,
): Promise<void> {
  const budget = { calls: maxCalls };
  const leftovers: Message<EventMessage>[] = [];
  const tenants = [...Map.groupBy(batch.messages, (message) => message.body.tenantId)];
  await inGroups(tenants, MAX_TENANTS_AT_ONCE, async ([tenantId, messages]) => {
    const ids = [...new Set(messages.map((message) => message.body.eventId))];
    const { failed, left } = await fanOutTenant({ env, db: database(env, tenantId), tenantId }, ids, budget);
    for (const message of messages) {
      const { eventId } = message.body;
      if (failed.has(eventId)) message.retry({ delaySeconds: retryDelay(message.attempts) });
      else if (left.has(eventId)) leftovers.push(message);
      else message.ack();
    }
    const [reason] = failed.values();
    if (failed.size === 0) return;
    log('fan_out_failed', { tenant: tenantId, events: failed.size });
    const again = messages.filter((message) => failed.has(message.body.eventId));
    await noteFailures(env, { queue: 'webhook-events', messages: again, error: reason });
  });
  await enqueueAnew(env, leftovers);
}

/**
 * Enqueues messages once more in place of a retry, which would count as a failed attempt: of these a message has 100, and
 * each makes it wait longer.
 */
async function enqueueAnew(env: Env, messages: readonly Message<EventMessage>[]): Promise<void> {
  if (messages.length === 0) return;
  const later = { delaySeconds: LEFTOVER_DELAY_SECONDS };
  try {
    await env.WEBHOOK_QUEUE.sendBatch(
      messages.map(({ body }) => ({ body })),
      later,
    );
    for (const message of messages) message.ack();
  } catch {
    for (const message of messages) message.retry(later);
  }
}

/** Runs `work` for each item, `size` at a time. */
export async function inGroups<T>(
  list: readonly T[],
  size: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < list.length; start += size) {
    await Promise.all(list.slice(start, start + size).map(work));
  }
}

/** Fans out a tenant's events, slice by slice, within the call budget. Never throws. */
async function fanOutTenant(
  ctx: FanOutContext,
  ids: readonly string[],
  budget: { calls: number },
): Promise<Outcome> {
  const outcome: Outcome = { failed: new Map(), left: new Set() };
  try {
    const subscribed = await subscriptions(ctx);
    // Most tenants have no webhook: their events need not be read.
    if (subscribed.length === 0) return outcome;
    const sizes = await eventSizes(ctx, ids);
    const subscribedEvents = sizes.filter(({ type }) =>
      subscribed.some(({ events }) => events.includes(type)),
    );
    for (const slice of slicesOf(subscribedEvents)) {
      const subscribers = subscribed.filter(({ events }) => slice.some(({ type }) => events.includes(type)));
      if (subscribers.length > budget.calls) for (const { id } of slice) outcome.left.add(id);
      else {
        budget.calls -= subscribers.length;
        const undelivered = await deliverToEndpoints(ctx, slice, subscribers);
        for (const [id, error] of undelivered) outcome.failed.set(id, error);
      }
    }
  } catch (error) {
    for (const id of ids) outcome.failed.set(id, error);
  }
  return outcome;
}

/** Splits events, in order, into slices of at most {@link MAX_SLICE_BYTES}. */
export const slicesOf = (events: readonly EventSize[]): EventSize[][] =>
  slicesBySize(events, MAX_SLICE_BYTES, ({ bytes }) => bytes);

/** Returns how many objects are called concurrently with a slice, whose bytes are in memory once for each. */
export function objectsAtOnce(slice: readonly EventSize[]): number {
  const bytes = slice.reduce((sum, event) => sum + event.bytes, 1);
  return Math.min(MAX_OBJECTS_AT_ONCE, Math.max(1, Math.floor(MAX_BYTES_IN_FLIGHT / bytes)));
}

/** Hands a slice to each subscribed webhook. Returns the errors of undelivered events by event id. */
async function deliverToEndpoints(
  ctx: FanOutContext,
  slice: readonly EventSize[],
  subscribers: readonly Subscription[],
): Promise<Map<string, unknown>> {
  const { env, tenantId } = ctx;
  const failed = new Map<string, unknown>();
  const ids = slice.map(({ id }) => id);
  const deliveries = (await eventsById(ctx, ids)).map((row) => ({ row, delivery: eventDelivery(row) }));
  await inGroups(subscribers, objectsAtOnce(slice), async ({ id: webhookId, events, filter }) => {
    const name = { tenantId, webhookId };
    const own = deliveries.filter(({ row }) => events.includes(row.type) && matchesFilter(filter, row));
    if (own.length === 0) return;
    try {
      await endpointOf(env, name).accept(
        name,
        own.map(({ delivery }) => delivery),
      );
    } catch (error) {
      for (const { delivery } of own) failed.set(delivery.eventId, error);
    }
  });
  return failed;
}
