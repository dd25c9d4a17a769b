import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { database, rows } from '../../../src/kernel/data/database.ts';
import type { Fault } from './rule.ts';

/**
 * Returns the events that a webhook without a filter has not delivered, or has stored without an event. Only for a
 * shop whose queue is empty and whose alarms have rung.
 */
export async function webhookFaults(tenantId: number): Promise<Fault[]> {
  const webhooks = await rows<{ id: number; events: string; created_at: number }>(
    database(env, tenantId),
    sql`SELECT id, events, created_at FROM webhooks
      WHERE tenant_id = ${tenantId} AND filter IS NULL AND agent IS NULL AND status = 'active'`,
  );
  const broken = webhooks.map(async (webhook) => {
    const [events, stored] = await Promise.all([
      eventsFor(tenantId, webhook.events),
      deliveriesOf(tenantId, webhook.id),
    ]);
    // An event of the moment before it was registered may reach it as well.
    const known = new Set(events.map(({ id }) => id));
    const wanted = events.filter(({ occurred_at }) => occurred_at >= webhook.created_at);
    const missing = wanted.map(({ id }) => id).filter((id) => stored.get(id) !== 'delivered');
    const unknown = [...stored.keys()].filter((id) => !known.has(id));
    return [...missing, ...unknown].map((event) => ({
      webhook: webhook.id,
      event,
      status: stored.get(event),
    }));
  });
  const faults = (await Promise.all(broken)).flat();
  return faults.length > 0
    ? [{ rule: 'a webhook has delivered each event, and no others', rows: faults }]
    : [];
}

const eventsFor = (tenantId: number, types: string): Promise<{ id: string; occurred_at: number }[]> =>
  rows(
    database(env, tenantId),
    sql`SELECT id, occurred_at FROM outbox
      WHERE tenant_id = ${tenantId} AND type IN (SELECT value FROM json_each(${types}))`,
  );

async function deliveriesOf(tenantId: number, webhookId: number): Promise<Map<string, string>> {
  const object = env.WEBHOOK_ENDPOINT.getByName(`${tenantId}:${webhookId}`);
  const list = await runInDurableObject(object, (_, { storage }) =>
    storage.sql
      .exec<{ eventId: string; status: string }>(
        "SELECT eventId, status FROM deliveries WHERE type <> 'ping'",
      )
      .toArray(),
  );
  return new Map(list.map(({ eventId, status }) => [eventId, status]));
}
