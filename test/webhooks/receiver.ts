import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import { batchEventIds, type EventType, outboxRow, relay } from '../../src/events/index.ts';
import { moveClock, now } from '../../src/kernel/core/clock.ts';
import { batch, database } from '../../src/kernel/data/database.ts';
import { listen, type Received, type Respond } from '../support/internet.ts';
import type { World } from '../support/world.ts';

/** A receiver with a host of its own. It keeps what came and answers 204, or what `respond` says. */
export class Receiver {
  readonly host = `${crypto.randomUUID()}.example.com`;
  readonly url = `https://${this.host}/hook`;
  readonly received: Received[] = [];
  respond: Respond = () => new Response(null, { status: 204 });

  constructor() {
    listen(this.host, (received) => {
      this.received.push(received);
      return this.respond(received);
    });
  }

  /** The `webhook-id` of everything that came, in order. */
  get ids(): (string | null)[] {
    return this.received.map(({ headers }) => headers.get('webhook-id'));
  }
}

/** Answers with this status from now on. */
export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  () =>
    new Response(code === 204 || code === 304 ? null : `answer ${code}`, { status: code, headers });

/** Verifies with the official package, at the moment that the test's clock shows. Answers the payload. */
export function verify(secret: string, { body, headers }: Received) {
  const real = Date.now;
  const at = now();
  Date.now = () => at;
  try {
    // A test reads fields of many shapes.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    return new Webhook(secret).verify(body, Object.fromEntries(headers)) as any;
  } finally {
    Date.now = real;
  }
}

/** Registers a webhook; answers it with its secret. */
export async function subscribe(
  shop: World,
  url: string,
  events: EventType[] = ['stock.changed'],
  more: object = {},
): Promise<{ id: number; secret: string }> {
  const made = await shop.post('/webhooks', { url, events, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

let sequence = 0;

/** Commits an event as a write would, and tells the queues. Answers its id. */
export async function emit(
  shop: World,
  type: EventType = 'stock.changed',
  data: Record<string, unknown> = { sku: 'A-1' },
): Promise<string> {
  const id = await commit(shop, type, data);
  await relay(env, [{ tenantId: shop.tenantId, eventId: id }]);
  return id;
}

/** Commits an event without telling the queues, as a crash after the commit would. Answers its id. */
export async function commit(
  shop: World,
  type: EventType = 'stock.changed',
  data: Record<string, unknown> = {},
): Promise<string> {
  sequence += 1;
  const db = database(env);
  const name = crypto.randomUUID();
  const event = { type, resource: 'item:1', sequence: sql`${sequence}`, data };
  await batch(db, [outboxRow(db, shop.tenantId, name, event)]);
  const [row] = await batchEventIds(db, shop.tenantId, name);
  if (!row) throw new Error('The event was not recorded');
  return row.id;
}

/** The object of a webhook. */
export const objectOf = (shop: World, webhookId: number) =>
  env.WEBHOOK_ENDPOINT.getByName(`${shop.tenantId}:${webhookId}`);

/** Lets `ms` pass, and lets the object do what is due then. */
export async function pass(shop: World, webhookId: number, ms: number): Promise<void> {
  moveClock(ms);
  await runDurableObjectAlarm(objectOf(shop, webhookId));
}

/** Waits until `check` passes, and answers what it does. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });

/** The deliveries of a webhook as its owner sees them, newest first. */
export async function deliveries(shop: World, webhookId: number, query = '') {
  const answer = await shop.get(`/webhooks/${webhookId}/deliveries${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

/** Waits until the newest delivery has this status; answers it. */
export const settled = (shop: World, webhookId: number, wanted: string) =>
  until(async () => {
    const [newest] = await deliveries(shop, webhookId);
    expect(newest?.status).toBe(wanted);
    return newest;
  }) as Promise<Awaited<ReturnType<typeof deliveries>>[number]>;
