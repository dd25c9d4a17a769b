import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, inject, it, vi } from 'vitest';
import { type EventMessage, outboxRow } from '../../src/events/index.ts';
import { relay } from '../../src/events/relay.ts';
import worker from '../../src/index.ts';
import { HOUR, MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { assertInBatch, batch } from '../../src/kernel/data/database.ts';
import { Dispatcher } from '../../src/webhooks/object/dispatcher.ts';
import { runCron } from '../support/cron.ts';
import { eventIdsOf, objectOf, subscribe, verify } from '../support/fixtures/webhooks.ts';
import { listen } from '../support/runtime/internet.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import { random as randomFrom } from '../support/seeded-random.ts';
import { type World, world } from '../support/world.ts';

/** `EVENTS=10000 vitest run test/journeys/webhook-pipeline.test.ts` runs it at full size. */
const EVENTS = inject('events');
const RECEIVERS = 10;
const FAILING = 3;
/** Each round lets this much time pass; the receivers that fail do so for the first two hours. */
const ROUNDS = [
  10_000,
  MINUTE,
  6 * MINUTE,
  40 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  17 * HOUR,
  24 * HOUR,
];

/** The private parts in which an object can die: after the POST, before it noted how it went. */
const mortal = Dispatcher.prototype as unknown as {
  parts: { ctx: DurableObjectState };
  record(...args: unknown[]): void;
};

/** Everything that can go wrong, with the shares that were promised. */
function breakThings(random: () => number) {
  const queued: EventMessage[] = [];
  const send = vi.spyOn(env.WEBHOOK_QUEUE, 'sendBatch').mockImplementation(async (messages) => {
    const fails = random() < 0.1;
    // Some sends arrive although they fail.
    if (!fails || random() < 0.5) for (const { body } of messages) queued.push(body);
    if (fails) throw new Error('The queue did not answer');
    return undefined as never;
  });
  const record = mortal.record;
  const die = vi.spyOn(mortal, 'record').mockImplementation(function (this: typeof mortal, ...args) {
    if (random() < 0.05) this.parts.ctx.abort('died after the POST');
    return record.apply(this, args);
  });
  const quiet = (['log', 'warn', 'error'] as const).map((way) => vi.spyOn(console, way).mockReturnValue());
  return { queued, restore: () => [send, die, ...quiet].map((spy) => spy.mockRestore()) };
}

interface Endpoints {
  readonly ids: number[];
  /** For each webhook: event id → how often it came. */
  readonly came: Map<string, number>[];
  /** For each webhook: how many requests it got, answered well or not. */
  readonly posts: number[];
  mended: boolean;
}

/** Webhooks of which some fail for a while, in every way that a receiver can. */
async function endpoints(shop: World, random: () => number): Promise<Endpoints> {
  const all: Endpoints = { ids: [], came: [], posts: [], mended: false };
  const failures = [
    () => new Response('no', { status: 500 }),
    () => new Response(null, { status: 429, headers: { 'retry-after': '30' } }),
    () => new Response(null, { status: 301, headers: { location: 'https://example.com' } }),
    () => {
      throw new TypeError('Connection refused');
    },
  ];
  for (let i = 0; i < RECEIVERS; i++) {
    const host = `${crypto.randomUUID()}.example.com`;
    const { id, secret } = await subscribe(shop, `https://${host}/hook`);
    const came = new Map<string, number>();
    all.posts.push(0);
    listen(host, (received) => {
      all.posts[i] = (all.posts[i] ?? 0) + 1;
      const { id: eventId } = verify(secret, received);
      expect(received.headers.get('webhook-id')).toBe(eventId);
      const failure = failures[Math.floor(random() * failures.length)];
      if (i < FAILING && !all.mended && failure) return failure();
      came.set(eventId, (came.get(eventId) ?? 0) + 1);
      return new Response(null, { status: 204 });
    });
    all.ids.push(id);
    all.came.push(came);
  }
  return all;
}

/** Commits events in batches; some fail, some crash before they are enqueued. Returns what was committed. */
async function commitAll(shop: World, random: () => number): Promise<Set<string>> {
  const db = databaseOf(shop);
  const committed = new Set<string>();
  for (let done = 0; done < EVENTS; ) {
    const size = Math.min(EVENTS - done, 1 + Math.floor(random() * 50));
    const name = crypto.randomUUID();
    const events = Array.from({ length: size }, (_, i) =>
      outboxRow(
        db,
        { tenantId: shop.tenantId, batch: name },
        {
          type: 'stock.changed',
          resource: `item:${i}`,
          sequence: sql`${done + i}`,
          data: { n: done + i },
        },
      ),
    );
    if (random() < 0.05) {
      await batch(db, [...events, assertInBatch(db, sql`0`)]).catch(() => undefined);
      continue;
    }
    await batch(db, events);
    const rows = await eventIdsOf(shop.tenantId, name);
    for (const { id } of rows) committed.add(id);
    done += size;
    if (random() < 0.05) continue;
    await relay(
      env,
      db,
      rows.map(({ id: eventId }) => ({ tenantId: shop.tenantId, eventId, type: 'stock.changed' as const })),
    ).catch(() => undefined);
  }
  return committed;
}

/** Hands the consumer what is queued; what it retries stays there. */
async function drain(queued: EventMessage[]): Promise<void> {
  const waiting: EventMessage[] = [];
  while (queued.length > 0) {
    const bodies = queued.splice(0, 100);
    const messages = bodies.map((body, i) => ({ id: String(i), timestamp: new Date(), attempts: 1, body }));
    const [letters, ctx] = [createMessageBatch('webhook-events', messages), createExecutionContext()];
    await worker.queue(letters, env, ctx);
    const { explicitAcks } = await getQueueResult(letters, ctx);
    waiting.push(...bodies.filter((_, i) => !explicitAcks.includes(String(i))));
  }
  queued.push(...waiting);
}

/** Runs the objects' alarms until nothing is sent any more; one that dies begins again. */
async function deliver(shop: World, { ids, posts }: Endpoints): Promise<void> {
  await Promise.all(
    ids.map(async (id, i) => {
      for (let calm = 0; calm < 2; ) {
        const before = posts[i];
        await runDurableObjectAlarm(objectOf(shop, id)).catch(() => undefined);
        calm = posts[i] === before ? calm + 1 : 0;
      }
    }),
  );
}

it('delivers every event to every receiver, and no others, while calls fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = randomFrom(seed);
      const shop = await world();
      const all = await endpoints(shop, random);
      const { queued, restore } = breakThings(random);
      try {
        const committed = await commitAll(shop, random);
        for (const round of ROUNDS) {
          await drain(queued);
          await deliver(shop, all);
          moveClock(round);
          all.mended ||= round > HOUR;
          await runCron();
        }
        await drain(queued);
        await deliver(shop, all);
        const [ids, expected] = [all.came.map((came) => [...came.keys()].sort()), [...committed].sort()];
        for (const arrived of ids) expect(arrived).toEqual(expected);
        expect(committed.size).toBe(EVENTS);
      } finally {
        restore();
      }
    }),
    { numRuns: 1, endOnFailure: true },
  );
}, 3_600_000);
