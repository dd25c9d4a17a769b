import {
  type EventMessage,
  type EventSize,
  type EventType,
  eventSizes,
  eventsById,
  noteFailures,
} from '../../events/index.ts';
import { retryDelay } from '../../kernel/core/retry-delay.ts';
import { type Database, database } from '../../kernel/data/database.ts';
import { subscriptions } from '../registrations/store.ts';
import { endpointOf } from './endpoint-client.ts';
import { eventDelivery } from './envelope.ts';

/** So many tenants are served at once: their slices are in memory together. */
const MAX_TENANTS_AT_ONCE = 4;
/** So many WebhookEndpoint objects of a tenant are called at once, fewer where a slice is large. */
const MAX_OBJECTS_AT_ONCE = 25;
const MAX_BYTES_IN_FLIGHT = 8 * 1024 * 1024;
/** One run calls objects so often (an invocation has 1,000 subrequests); what is left over comes again. */
const MAX_CALLS_PER_RUN = 500;
/** One call hands over at most this much (RPC takes 32 MiB), or one event: a row of D1 has 2 MB at most. */
const MAX_SLICE_BYTES = 4 * 1024 * 1024;
/** What a run had no calls left for comes back after this many seconds. */
const LEFTOVER_DELAY = 1;

type Subscription = { readonly id: number; readonly events: readonly EventType[] };

/** What became of a tenant's events: why some reached not every webhook, and which were left over. */
interface Outcome {
  readonly failed: Map<string, unknown>;
  readonly left: Set<string>;
}

/**
 * The queue `webhook-events`: puts each event into the WebhookEndpoint object of every subscribed webhook. It
 * waits for no receiver. A message whose event did not reach all of them is retried; those that have it
 * take it once. At most `maxCalls` objects are called; no tenant has more webhooks than that.
 */
export async function fanOut(
  batch: MessageBatch<EventMessage>,
  env: Env,
  maxCalls = MAX_CALLS_PER_RUN,
): Promise<void> {
  const budget = { calls: maxCalls };
  const tenants = [...Map.groupBy(batch.messages, (message) => message.body.tenantId)];
  await inGroups(tenants, MAX_TENANTS_AT_ONCE, async ([tenantId, messages]) => {
    const ids = [...new Set(messages.map((message) => message.body.eventId))];
    const { failed, left } = await fanOutTenant(env, tenantId, ids, budget);
    for (const message of messages) {
      const { eventId } = message.body;
      if (failed.has(eventId)) message.retry({ delaySeconds: retryDelay(message.attempts) });
      else if (left.has(eventId)) message.retry({ delaySeconds: LEFTOVER_DELAY });
      else message.ack();
    }
    const [reason] = failed.values();
    if (failed.size === 0) return;
    console.warn(JSON.stringify({ event: 'fan_out_failed', tenant: tenantId, events: failed.size }));
    const again = messages.filter((message) => failed.has(message.body.eventId));
    await noteFailures(env, 'webhook-events', again, reason);
  });
}

/** Runs `work` for each, so many at once. */
async function inGroups<T>(list: readonly T[], size: number, work: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < list.length; start += size) {
    await Promise.all(list.slice(start, start + size).map(work));
  }
}

/** Fans out a tenant's events, slice by slice, as far as the run's calls reach. Never throws. */
async function fanOutTenant(
  env: Env,
  tenantId: number,
  ids: readonly string[],
  budget: { calls: number },
): Promise<Outcome> {
  const outcome: Outcome = { failed: new Map(), left: new Set() };
  try {
    const db = database(env);
    const [subscribed, sizes] = await Promise.all([
      subscriptions(db, tenantId),
      eventSizes(db, tenantId, ids),
    ]);
    const wanted = sizes.filter(({ type }) => subscribed.some(({ events }) => events.includes(type)));
    for (const slice of slicesOf(wanted)) {
      const takers = subscribed.filter(({ events }) => slice.some(({ type }) => events.includes(type)));
      if (takers.length > budget.calls) for (const { id } of slice) outcome.left.add(id);
      else {
        budget.calls -= takers.length;
        await deliverToEndpoint({ env, db, tenantId }, slice, takers, outcome.failed);
      }
    }
  } catch (error) {
    for (const id of ids) outcome.failed.set(id, error);
  }
  return outcome;
}

/** Events in their order, cut into slices that one call can carry. */
export function slicesOf(events: readonly EventSize[]): EventSize[][] {
  const slices: EventSize[][] = [];
  let room = 0;
  for (const event of events) {
    if (event.bytes > room) {
      slices.push([]);
      room = MAX_SLICE_BYTES;
    }
    slices.at(-1)?.push(event);
    room -= event.bytes;
  }
  return slices;
}

interface Shop {
  readonly env: Env;
  readonly db: Database;
  readonly tenantId: number;
}

/** Hands a slice to each webhook that takes some of it; notes which events did not reach one of them, and why. */
async function deliverToEndpoint(
  { env, db, tenantId }: Shop,
  slice: readonly EventSize[],
  takers: readonly Subscription[],
  failed: Map<string, unknown>,
): Promise<void> {
  const ids = slice.map(({ id }) => id);
  const deliveries = (await eventsById(db, tenantId, ids)).map((row) => ({
    subscribedAs: row.type,
    delivery: eventDelivery(row),
  }));
  const bytes = slice.reduce((sum, event) => sum + event.bytes, 1);
  const atOnce = Math.min(MAX_OBJECTS_AT_ONCE, Math.max(1, Math.floor(MAX_BYTES_IN_FLIGHT / bytes)));
  await inGroups(takers, atOnce, async ({ id: webhookId, events }) => {
    const name = { tenantId, webhookId };
    const own = deliveries.filter(({ subscribedAs }) => events.includes(subscribedAs));
    try {
      await endpointOf(env, name).accept(
        name,
        own.map(({ delivery }) => delivery),
      );
    } catch (error) {
      for (const { delivery } of own) failed.set(delivery.eventId, error);
    }
  });
}
