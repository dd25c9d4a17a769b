import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, vi } from 'vitest';
import { relay } from '../../../src/events/relay.ts';
import worker, { WebhookEndpoint } from '../../../src/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import type { SearchMessage } from '../../../src/search/index.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { beforeBatch, failStatements } from '../../support/faults/database.ts';
import { asAdmin, fieldsOf } from '../../support/fixtures/browser.ts';
import { commitEvent, Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { admin, send, type World, world } from '../../support/world.ts';

// Letters are the platform's, and the retries of a queue take all of them.
beforeEach(() =>
  env.DB.batch(['dead_letters', 'queue_failures'].map((table) => env.DB.prepare(`DELETE FROM ${table}`))),
);

type Sent = { body: unknown; attempts?: number; id?: string };

/** Hands messages to the Worker as a queue would; returns which it acked. */
async function consume(name: string, messages: readonly Sent[]) {
  const batch = createMessageBatch(
    name,
    messages.map(({ body, attempts = 1, id = crypto.randomUUID() }) => ({
      id,
      attempts,
      body,
      timestamp: new Date(),
    })),
  );
  const ctx = createExecutionContext();
  await worker.queue(batch, env, ctx);
  return (await getQueueResult(batch, ctx)).explicitAcks;
}

/** Returns the queue messages of an event. */
async function messagesOf(shop: World, eventId: string) {
  const sent: Record<string, unknown> = {};
  const spies = (['WEBHOOK_QUEUE', 'SEARCH_QUEUE'] as const).map((name) =>
    vi.spyOn(env[name] as Queue, 'sendBatch').mockImplementation(async ([message]) => {
      sent[name] = message?.body;
      return undefined as never;
    }),
  );
  await relay(env, contextOf(shop).db, [{ tenantId: shop.tenantId, eventId, type: 'stock.changed' }]);
  for (const spy of spies) spy.mockRestore();
  return sent;
}

const letters = async (query = '') => (await admin('GET', `/dead-letters?limit=100${query}`)).body.data;
const letterOf = async (text: string) =>
  (await letters()).find((letter: object) => JSON.stringify(letter).includes(text));

it('shows queue, error and attempts, and completes the work when retried', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  await subscribe(shop, receiver.url);
  const eventId = await commitEvent(shop);
  const { WEBHOOK_QUEUE: body } = await messagesOf(shop, eventId);
  const down = vi.spyOn(WebhookEndpoint.prototype, 'accept').mockImplementation(async () => {
    throw new TypeError('The object is overloaded by "ada@example.com"');
  });
  for (const attempts of [1, 2, 3, 101]) {
    expect(await consume('webhook-events', [{ body, attempts }])).toEqual([]);
  }
  await consume('dead-letters', [{ body, id: 'letter-1' }]);
  down.mockRestore();
  const letter = await letterOf(eventId);
  expect(letter).toMatchObject({
    id: 'letter-1',
    queue: 'webhook-events',
    attempts: 101,
    error: expect.stringMatching(/overloaded by …$/),
    message: { tenantId: shop.tenantId, eventId },
  });
  expect(JSON.stringify(letter)).not.toContain('ada@');
  expect(await letters('&queue=imports')).toEqual([]);
  expect((await admin('POST', '/dead-letters/letter-1/retry')).status).toBe(204);
  await until(() => expect(receiver.ids).toEqual([eventId]));
  expect(await letterOf(eventId)).toBeUndefined();
  expectProblem(await admin('POST', '/dead-letters/letter-1/retry'), 404, 'dead_letter_not_found');
  const noted = await env.DB.prepare('SELECT count(*) AS n FROM queue_failures').first();
  expect(noted).toEqual({ n: 0 });
});

it('distinguishes the two queues that carry the same event', async () => {
  const shop = await world();
  const eventId = await commitEvent(shop, 'product.updated', { id: 7 });
  const bodies = await messagesOf(shop, eventId);
  const restore = failStatements(/outbox|search_progress|webhooks/);
  for (const [name, body] of [
    ['search-index', bodies.SEARCH_QUEUE],
    ['webhook-events', bodies.WEBHOOK_QUEUE],
  ] as const) {
    expect(await consume(name, [{ body, attempts: 11 }])).toEqual([]);
  }
  restore();
  const error = vi.spyOn(console, 'error').mockReturnValue();
  await consume('dead-letters', [{ body: bodies.SEARCH_QUEUE }, { body: bodies.WEBHOOK_QUEUE }]);
  expect(error.mock.calls.map(([line]) => JSON.parse(line))).toEqual([
    { event: 'dead_letters', messages: 2, queues: ['search-index', 'webhook-events'] },
  ]);
  error.mockRestore();
  const mine = `"tenantId":${shop.tenantId},`;
  const found = (await letters()).filter((one: object) => JSON.stringify(one).includes(mine));
  expect(found.map(({ queue, attempts }: Record<string, unknown>) => [queue, attempts]).sort()).toEqual([
    ['search-index', 11],
    ['webhook-events', 11],
  ]);
  const sent = vi.spyOn(env.SEARCH_QUEUE, 'sendBatch');
  const { id } = found.find((one: { queue: string }) => one.queue === 'search-index');
  expect((await admin('POST', `/dead-letters/${id}/retry`)).status).toBe(204);
  expect(sent.mock.calls).toEqual([[[{ body: bodies.SEARCH_QUEUE }]]]);
  sent.mockRestore();
});

it('keeps a letter that its queue rejected, and one whose deletion failed', async () => {
  const shop = await world();
  await consume('dead-letters', [{ id: 'kept', body: { tenantId: shop.tenantId, rebuild: 'start' } }]);
  const down = vi.spyOn(env.SEARCH_QUEUE, 'sendBatch').mockRejectedValue(new Error('The queue is down'));
  expectProblem(await admin('POST', '/dead-letters/kept/retry'), 503, 'unavailable');
  expectProblem(await admin('POST', '/dead-letters/retry', { queue: 'search-index' }), 503, 'unavailable');
  down.mockRestore();
  beforeBatch(/delete from "dead_letters"/i, async () => {
    throw new Error('D1_ERROR: Network connection lost.');
  });
  expect((await admin('POST', '/dead-letters/kept/retry')).status).toBe(503);
  expect(await letterOf('kept')).toMatchObject({ queue: 'search-index', attempts: null, error: null });
  expect((await admin('POST', '/dead-letters/kept/retry')).status).toBe(204);
});

it('retries all letters of a queue in steps of a hundred, once for an Idempotency-Key', async () => {
  const shop = await world();
  const bodies = Array.from({ length: 130 }, (_, n) => ({ tenantId: shop.tenantId, importId: `imp_${n}` }));
  await consume(
    'dead-letters',
    bodies.slice(0, 100).map((body) => ({ body })),
  );
  moveClock(1_000);
  await consume(
    'dead-letters',
    bodies.slice(100).map((body) => ({ body })),
  );
  await consume('dead-letters', [{ id: 'strange', body: { hello: 'world' } }]);
  const sent: unknown[] = [];
  const spy = vi.spyOn(env.IMPORT_QUEUE, 'sendBatch').mockImplementation(async (messages) => {
    for (const { body } of messages) sent.push(body);
    return undefined as never;
  });
  const step = () =>
    send('POST', '/admin/v1/dead-letters/retry', {
      token: env.SUPER_ADMIN_TOKEN,
      body: { queue: 'imports' },
      headers: { 'idempotency-key': 'all' },
    });
  expect((await step()).body).toEqual({ retried: 100, remaining: 30 });
  // The oldest first.
  expect(new Set(sent)).toEqual(new Set(bodies.slice(0, 100)));
  expect((await step()).body).toEqual({ retried: 100, remaining: 30 });
  const again = () => admin('POST', '/dead-letters/retry', { queue: 'imports' });
  expect((await again()).body).toEqual({ retried: 30, remaining: 0 });
  expect((await again()).body).toEqual({ retried: 0, remaining: 0 });
  spy.mockRestore();
  expect(sent).toHaveLength(130);
  expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(130);
  expect(await letterOf('strange')).toMatchObject({ queue: null, message: { hello: 'world' } });
  expectProblem(await admin('POST', '/dead-letters/strange/retry'), 409, 'conflict');
});

it('shows them to the super-admin, with buttons to retry one or all of a queue', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  await subscribe(shop, receiver.url);
  const ids = [await commitEvent(shop), await commitEvent(shop), await commitEvent(shop)];
  for (const [n, eventId] of ids.entries()) {
    const { WEBHOOK_QUEUE: body } = await messagesOf(shop, eventId);
    await consume('dead-letters', [{ id: `shown-${n}`, body }]);
  }
  const browser = await asAdmin();
  const { html } = await browser.get('/admin/health');
  for (const eventId of ids) expect(html).toContain(eventId);
  const one = '/admin/health/dead-letters/shown-1/retry';
  const after = await browser.submit(one, fieldsOf(html, one));
  expect(after.html).toContain('Retried.');
  expect(after.html).not.toContain(ids[1]);
  await until(() => expect(receiver.ids).toEqual([ids[1]]));
  const all = '/admin/health/dead-letters/retry';
  const [, question = ''] = new RegExp(`href="(${all}[^"]+)"`).exec(after.html) ?? [];
  const { html: asked } = await browser.get(question);
  const { html: empty } = await browser.submit(all, fieldsOf(asked, all));
  expect(empty).toContain('Retried.');
  for (const eventId of ids) expect(empty).not.toContain(eventId);
  await until(() => expect(new Set(receiver.ids)).toEqual(new Set(ids)));
});

it('names a single one in the singular where it asks the super-admin', async () => {
  await consume('dead-letters', [{ id: 'single', body: { tenantId: 1, importId: 'imp_none' } }]);
  const { html } = await (await asAdmin()).get('/admin/health/dead-letters/retry?queue=imports');
  expect(html).toContain('1 message failed for good.');
});

it('begins the rebuild of a search although the import of another letter cannot be ended yet', async () => {
  const shop = await world();
  const sent: SearchMessage[] = [];
  const queue = vi.spyOn(env.SEARCH_QUEUE, 'send').mockImplementation(async (body) => {
    // The search of an earlier test's tenant may still catch up.
    if (body.tenantId === shop.tenantId) sent.push(body);
    return undefined as never;
  });
  const restore = failStatements(/"imports"/);
  const batch = createMessageBatch<object>(
    'dead-letters',
    [
      { id: 'of-import', body: { tenantId: shop.tenantId, importId: 'imp_none' } },
      { id: 'of-search', body: { tenantId: shop.tenantId, catchUp: true } },
    ].map((one) => ({ ...one, attempts: 1, timestamp: new Date() })),
  );
  const ctx = createExecutionContext();
  await worker.queue(batch, env, ctx);
  const { retryMessages } = await getQueueResult(batch, ctx);
  restore();
  queue.mockRestore();
  expect(sent).toEqual([{ tenantId: shop.tenantId, rebuild: 'start' }]);
  expect(retryMessages.map(({ msgId }) => msgId)).toEqual(['of-import']);
});

it('waits for the directory, and is recorded once it can be reached', async () => {
  const shop = await world();
  const body = { tenantId: shop.tenantId, importId: 'imp_unrecorded' };
  const down = failStatements(/dead_letters/);
  const delays = [];
  for (const attempts of [1, 4, 60]) {
    const batch = createMessageBatch('dead-letters', [
      { id: 'waiting', attempts, body, timestamp: new Date() },
    ]);
    const [message] = batch.messages;
    const retry = message && vi.spyOn(message, 'retry');
    const ctx = createExecutionContext();
    await worker.queue(batch, env, ctx);
    expect((await getQueueResult(batch, ctx)).explicitAcks).toEqual([]);
    delays.push(retry?.mock.calls[0]?.[0]?.delaySeconds);
  }
  down();
  expect(delays).toEqual([5, 40, 3_600]);
  await consume('dead-letters', [{ id: 'waiting', body, attempts: 61 }]);
  expect(await letterOf('imp_unrecorded')).toMatchObject({ id: 'waiting', queue: 'imports' });
});

it('keeps the messages of a queue that nothing consumes, such as a renamed one', async () => {
  const body = { tenantId: 1, eventId: 'evt_1', queue: 'webhook-events' };
  await expect(consume('webhook-events-staging', [{ body }])).rejects.toThrow('webhook-events-staging');
});

it('counts dead letters for the first page alone', async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
     INSERT INTO dead_letters (id, body, queue, sent_at, recorded_at)
     SELECT 'counted-' || i, '{}', 'imports', i, i FROM n`,
  ).run();
  for (const queue of ['', '&queue=imports']) {
    const { meta } = (await admin('GET', `/dead-letters?limit=5${queue}`)).body;
    const { read } = await measureDatabase(async () => {
      const next = await admin('GET', `/dead-letters?limit=5${queue}&cursor=${meta.next_cursor}`);
      expect(next.body.meta).toMatchObject({ page: 2, total: meta.total });
    });
    expect(read).toBeLessThan(30);
  }
  await env.DB.prepare("DELETE FROM dead_letters WHERE id LIKE 'counted-%'").run();
});
