import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { commit, type EventType } from '../../../src/events/index.ts';
import { DAY, HOUR, MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { assertInBatch, rows } from '../../../src/kernel/data/database.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import { exampleData } from '../../support/contract/contract.ts';
import { runCron } from '../../support/cron.ts';
import { watchStatements } from '../../support/faults/database.ts';
import { crashingWorker } from '../../support/faults/worker-crashes.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { registerCustomer } from '../../support/fixtures/selling/customers.ts';
import { commitEvent, Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { lazy } from '../../support/lazy.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';
import { pullAll, writeEvents } from './pull-events.ts';

/** The tenant of requests that are refused. */
const untouched = lazy(() => world());

const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

/** The ids in a tenant's outbox, in commit order. */
const outboxIds = async ({ tenantId }: World): Promise<string[]> =>
  idsOf(
    await rows<{ id: string }>(
      databaseOf({ tenantId }),
      sql`SELECT id FROM outbox WHERE tenant_id = ${tenantId} ORDER BY position`,
    ),
  );

/** Commits one event through a Worker, which may crash at its `nth` call. */
async function commitWith(bindings: Env, { tenantId }: World, resource: string): Promise<void> {
  const ctx = createExecutionContext();
  const context = tenantContext({ env: bindings, ctx }, tenantId);
  const event = { type: 'product.updated', resource, data: exampleData('product.updated') } as const;
  await commit(context, {
    guards: [assertInBatch(context.db, sql`1 = 1`)],
    statements: [],
    events: [event],
  }).catch(() => undefined);
  await waitOnExecutionContext(ctx);
}

describe('pulling events', () => {
  it('returns what happened, in commit order, with the ids and bodies of webhooks', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    await subscribe(shop, receiver.url, ['product.updated', 'stock.changed']);
    await stockedProduct(shop, { sku: 'cup', stock: 9 });
    for (const delta of [-1, 2, -3]) {
      await shop.post('/inventory/adjustments', { items: [{ sku: 'cup', delta }] });
    }
    const { events } = await pullAll(shop);
    expect(events.map(({ type }) => type)).toEqual(['product.updated', ...Array(3).fill('stock.changed')]);
    expect(idsOf(events)).toEqual(await outboxIds(shop));
    await until(() => expect(new Set(receiver.ids)).toEqual(new Set(idsOf(events))));
    const bodies = new Map(receiver.received.map(({ body }) => [JSON.parse(body).id, JSON.parse(body)]));
    for (const event of events) expect(event).toEqual(bodies.get(event.id));
  });

  it('misses and repeats nothing while many write at once and some crash', async () => {
    const [shop, receiver] = [await world(), new Receiver()];
    await subscribe(shop, receiver.url, ['product.updated']);
    const pulled: string[] = [];
    let cursor: string | null = null;
    const writes = Array.from({ length: 60 }, (_, n) => {
      const when = n % 2 ? 'before' : 'after';
      const bindings = n % 3 ? env : crashingWorker(1 + (n % 4), when).env;
      return commitWith(bindings, shop, `product:${n}`);
    });
    let running = true;
    const done = Promise.all(writes).finally(() => {
      running = false;
    });
    while (running) {
      const more = await pullAll(shop, 'limit=7', cursor);
      pulled.push(...idsOf(more.events));
      cursor = more.cursor;
    }
    await done;
    pulled.push(...idsOf((await pullAll(shop, 'limit=7', cursor)).events));
    expect(pulled).toEqual(await outboxIds(shop));
    expect(pulled.length).toBeGreaterThan(40);
    moveClock(MINUTE);
    await runCron();
    await until(() => expect(new Set(receiver.ids)).toEqual(new Set(pulled)));
  });

  it('continues with later events after the end, and repeats the same page for the same cursor', async () => {
    const shop = await world();
    const none = await pullAll(shop);
    expect(none.events).toEqual([]);
    const first = await writeEvents(shop, 'stock.changed', 'product.updated');
    const again = await pullAll(shop, '', none.cursor);
    expect(idsOf(again.events)).toEqual(first);
    expect(idsOf((await pullAll(shop, '', none.cursor)).events)).toEqual(first);
    const second = await writeEvents(shop, 'stock.changed');
    expect(idsOf((await pullAll(shop, '', again.cursor)).events)).toEqual(second);
  });

  it('returns the types that are asked for, and moves past all others at once', async () => {
    const shop = await world();
    const [paid] = await writeEvents(shop, 'order.paid');
    await writeEvents(shop, ...Array<EventType>(30).fill('stock.changed'));
    const [cancelled] = await writeEvents(shop, 'order.cancelled');
    await writeEvents(shop, ...Array<EventType>(30).fill('stock.changed'));
    const page = await shop.get('/events?types=order.paid,order.cancelled&limit=1');
    expect(idsOf(page.body.data)).toEqual([paid]);
    const next = await shop.get(
      `/events?types=order.paid,order.cancelled&limit=2&after=${page.body.meta.next_cursor}`,
    );
    expect(idsOf(next.body.data)).toEqual([cancelled]);
    const [last] = await writeEvents(shop, 'product.updated');
    const others = await shop.get(`/events?after=${next.body.meta.next_cursor}`);
    expect(idsOf(others.body.data)).toEqual([last]);
  });

  it('shows another tenant nothing, and refuses its cursor', async () => {
    const [shop, other] = [await world(), await world()];
    await writeEvents(shop, 'stock.changed');
    expect((await pullAll(other)).events).toEqual([]);
    const { cursor } = await pullAll(shop);
    const refused = await other.get(`/events?after=${cursor}`);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['after']]);
  });

  it('ends a page early when its events are large', async () => {
    const shop = await world();
    const large = 'x'.repeat(1_500_000);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.push(await commitEvent(shop, 'stock.changed', { ...exampleData('stock.changed'), large }));
    const first = await shop.get('/events');
    expect(idsOf(first.body.data)).toEqual(ids.slice(0, 2));
    expect(idsOf((await pullAll(shop, '')).events)).toEqual(ids);
  });

  it('reads by indexes alone', async () => {
    const shop = await world();
    const statements: string[] = [];
    const restore = watchStatements((query) => {
      if (/outbox/.test(query)) statements.push(query);
    });
    await shop.get('/events?types=order.paid,stock.changed');
    restore();
    expect(statements.length).toBeGreaterThanOrEqual(4);
    for (const query of statements) {
      const bound = Array.from(query.matchAll(/\?/g), () => '["order.paid"]');
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(...bound)
        .all<{ detail: string }>();
      const scans = results.filter(({ detail }) => /SCAN (o|i|f|outbox)\b/.test(detail));
      expect(scans, query).toEqual([]);
    }
  });
});

describe('a cursor', () => {
  it('is refused once events after it may be deleted', async () => {
    const shop = await world();
    await writeEvents(shop, 'stock.changed');
    const { cursor } = await pullAll(shop);
    moveClock(30 * DAY - MINUTE);
    expect((await shop.get(`/events?after=${cursor}`)).status).toBe(200);
    const fresh = (await pullAll(shop, '', cursor)).cursor;
    moveClock(2 * MINUTE);
    const old = await shop.get(`/events?after=${cursor}`);
    expect([old.status, old.body.code]).toEqual([410, 'cursor_expired']);
    // A puller that keeps asking never expires, however quiet the shop.
    expect((await shop.get(`/events?after=${fresh}`)).status).toBe(200);
    moveClock(2 * HOUR);
    await databaseOf(shop).run(
      sql`UPDATE outbox SET relayed_at = occurred_at WHERE tenant_id = ${shop.tenantId}`,
    );
    await runCron();
    expect((await pullAll(shop)).events).toEqual([]);
    expect((await shop.get(`/events?after=${fresh}`)).status).toBe(200);
  });

  it('of the first pages is good for a while, also where events are about to be deleted', async () => {
    const shop = await world();
    const types = Array<EventType>(6).fill('stock.changed');
    await writeEvents(shop, ...types);
    moveClock(30 * DAY + 30 * MINUTE);
    const ids = await writeEvents(shop, ...types);
    expect(idsOf((await pullAll(shop)).events)).toEqual(ids);
    moveClock(30 * DAY - MINUTE);
    const first = await shop.get('/events?limit=4');
    moveClock(30 * MINUTE);
    const next = await shop.get(`/events?limit=4&after=${first.body.meta.next_cursor}`);
    expect(idsOf([...first.body.data, ...next.body.data])).toEqual(ids);
    moveClock(HOUR);
    expect((await shop.get(`/events?after=${first.body.meta.next_cursor}`)).status).toBe(410);
  });

  it('is refused after the database was restored to a time before it', async () => {
    const shop = await world();
    const [first] = await writeEvents(shop, 'stock.changed', 'stock.changed');
    const { cursor } = await pullAll(shop);
    await databaseOf(shop).run(
      sql`UPDATE outbox SET id = id || 'x' WHERE tenant_id = ${shop.tenantId} AND id <> ${first}`,
    );
    const lost = await shop.get(`/events?after=${cursor}`);
    expect([lost.status, lost.body.code]).toEqual([410, 'cursor_expired']);
  });

  it.each([
    ['types', 'types=order.paid,order.eaten'],
    ['types', 'types='],
    ['after', 'after=nothing'],
    ['limit', 'limit=101'],
    ['limit', 'limit=0'],
    ['wait', 'wait=21'],
    ['wait', 'wait=-1'],
    ['wait', 'wait=1.5'],
    ['page', 'page=2'],
  ])('and every other parameter is validated: %s (%s)', async (name, query) => {
    const shop = await untouched();
    const refused = await shop.get(`/events?${query}`);
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, [name]]);
  });
});

describe('scopes', () => {
  it('limit the types: those asked for must be readable, and without types only those are returned', async () => {
    const shop = await world();
    const [, order] = await writeEvents(shop, 'stock.changed', 'order.paid', 'customer.email_changed');
    const { token } = await shop.register({ kind: 'integration', scopes: ['webhooks:read', 'orders:read'] });
    const own = await shop.get('/events', { token });
    expect(idsOf(own.body.data)).toEqual([order]);
    const refused = await shop.get('/events?types=order.paid,stock.changed', { token });
    expect([refused.status, refused.body.details]).toEqual([403, { required_scope: 'catalog:read' }]);
    for (const type of ['customer.email_changed', 'cart.abandoned']) {
      const people = await shop.get(`/events?types=${type}`, { token });
      expect([people.status, people.body.details]).toEqual([403, { required_scope: 'customers:admin' }]);
    }
    const none = await shop.register({ kind: 'integration', scopes: ['webhooks:read'] });
    expect((await shop.get('/events', { token: none.token })).body.data).toEqual([]);
  });

  it('show no personal data after the person was erased', async () => {
    const shop = await world();
    const ada = await registerCustomer(shop);
    await shop.delete('/customers/me', { headers: { 'x-customer-token': ada.token } });
    expect(JSON.stringify((await pullAll(shop)).events)).not.toContain(ada.email);
  });
});
