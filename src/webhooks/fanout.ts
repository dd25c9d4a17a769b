import { now } from '../kernel/clock.ts';
import { database } from '../kernel/database.ts';
import type { NewDelivery } from './delivery.ts';
import { eventDelivery } from './envelope.ts';
import { type EventMessage, eventsById } from './outbox.ts';
import { recordDeadLetters, subscriptions } from './store.ts';
import type { OutboxRow } from './tables.ts';
import { endpointOf } from './tell.ts';

/** This many Endpoint objects are spoken to at once. */
const AT_ONCE = 25;
/** A message that could not be fanned out comes back after 5 s, 10 s, 20 s, … at most this many seconds. */
const MAX_DELAY = 3_600;

/** What one Endpoint object is to take in. */
interface Parcel {
  readonly tenantId: number;
  readonly webhookId: number;
  readonly events: OutboxRow[];
}

/**
 * The queue `webhook-events`: puts each event into the Endpoint object of every subscribed webhook. It
 * waits for no receiver. A message whose event did not reach all of them is retried; those that have it
 * take it once.
 */
export async function fanOut(batch: MessageBatch<EventMessage>, env: Env): Promise<void> {
  const byTenant = Map.groupBy(batch.messages, (message) => message.body.tenantId);
  await Promise.all(
    [...byTenant].map(async ([tenantId, messages]) => {
      const ids = [...new Set(messages.map((message) => message.body.eventId))];
      const failed = await fanOutTenant(env, tenantId, ids).catch(() => new Set(ids));
      if (failed.size > 0) {
        console.warn(JSON.stringify({ event: 'fan_out_failed', tenant: tenantId, events: failed.size }));
      }
      for (const message of messages) {
        if (failed.has(message.body.eventId)) message.retry({ delaySeconds: delay(message.attempts) });
        else message.ack();
      }
    }),
  );
}

const delay = (attempts: number): number => Math.min(5 * 2 ** (attempts - 1), MAX_DELAY);

/** Fans out a tenant's events; answers those that did not reach everybody. */
async function fanOutTenant(env: Env, tenantId: number, ids: readonly string[]): Promise<Set<string>> {
  const db = database(env);
  const [subscribed, events] = await Promise.all([
    subscriptions(db, tenantId),
    eventsById(db, tenantId, ids),
  ]);
  const parcels: Parcel[] = subscribed
    .map(({ id, events: types }) => ({
      tenantId,
      webhookId: id,
      events: events.filter(({ type }) => types.includes(type)),
    }))
    .filter((parcel) => parcel.events.length > 0);
  const failed = new Set<string>();
  for (let start = 0; start < parcels.length; start += AT_ONCE) {
    const some = parcels.slice(start, start + AT_ONCE);
    const sent = await Promise.allSettled(some.map((parcel) => hand(env, parcel)));
    for (const [i, parcel] of some.entries()) {
      if (sent[i]?.status === 'rejected') for (const { id } of parcel.events) failed.add(id);
    }
  }
  return failed;
}

async function hand(env: Env, { tenantId, webhookId, events }: Parcel): Promise<void> {
  const name = { tenantId, webhookId };
  const deliveries: NewDelivery[] = events.map(eventDelivery);
  await endpointOf(env, name).accept(name, deliveries);
}

/** The queue `dead-letters`: records what any queue gave up on, and says so in the log. */
export async function recordDead(batch: MessageBatch, env: Env): Promise<void> {
  const letters = batch.messages.map(({ id, body, timestamp }) => ({
    id,
    body,
    sentAt: timestamp.getTime(),
    recordedAt: now(),
  }));
  await recordDeadLetters(database(env), letters);
  console.error(JSON.stringify({ event: 'dead_letters', messages: letters.length }));
}
