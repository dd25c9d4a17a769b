import { runInDurableObject } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type EventGap, outboxRow } from '../../../src/events/index.ts';
import { now } from '../../../src/kernel/core/clock.ts';
import { batch, database } from '../../../src/kernel/data/database.ts';
import type { TenantDatabase } from '../../../src/kernel/data/tenant-context.ts';
import type { NewDelivery } from '../../../src/webhooks/delivery/delivery.ts';
import { missingDeliveries, type SubscribedEvents } from '../../../src/webhooks/object/missing-events.ts';
import { interceptBindings, MAIN_DATABASES } from '../../support/faults/bindings.ts';
import { objectOf, Receiver, subscribe } from '../../support/fixtures/webhooks.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

const subscription: SubscribedEvents = {
  events: ['product.updated'],
  filter: { status: ['active'] },
  since: 0,
};

/** Commits so many events of one product, each with a text of 900,000 characters; the last one matches the filter. */
async function largeEvents({ tenantId }: World, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    const status = n === count ? 'active' : 'draft';
    const data = { status, description: 'x'.repeat(900_000) };
    const event = { type: 'product.updated', resource: 'product:1', sequence: sql`${n}`, data } as const;
    const db = databaseOf({ tenantId });
    await batch(db, [outboxRow(db, { tenantId, batch: `bat_${tenantId}_${n}` }, event)]);
  }
}

/** Returns all that {@link missingDeliveries} finds in one gap. */
async function foundIn(
  ctx: TenantDatabase,
  webhook: SubscribedEvents,
  gap: EventGap,
): Promise<NewDelivery[]> {
  const deliveries: NewDelivery[] = [];
  for await (const slice of missingDeliveries(ctx, webhook, [gap])) deliveries.push(...slice);
  return deliveries;
}

it('reads large events a few at a time, so that they fit into memory', async () => {
  const shop = await world();
  await largeEvents(shop, 30);
  const read: number[] = [];
  const watched = interceptBindings(MAIN_DATABASES, (name, call) => {
    if (!/[.](all|raw|batch)$/.test(name)) return call();
    return (async () => {
      const result = await call();
      read.push(JSON.stringify(result).length);
      return result;
    })();
  });
  const ctx = { db: database(watched, shop.tenantId), tenantId: shop.tenantId };
  const gap = { resource: 'product:1', after: 0, before: Number.MAX_SAFE_INTEGER };
  const missing = await foundIn(ctx, subscription, gap);
  expect(missing.map(({ body }) => JSON.parse(body).data.status)).toEqual(['active']);
  expect(Math.max(...read)).toBeLessThan(8_000_000);
});

it('finds an earlier event behind very many of types that the webhook does not get', async () => {
  const shop = await world();
  const { tenantId } = shop;
  const db = databaseOf(shop);
  const event = (type: 'order.paid' | 'order.refunded', n: number) =>
    outboxRow(
      db,
      { tenantId, batch: `bat_${tenantId}_${n}` },
      { type, resource: 'order:1', sequence: sql`${n}`, data: { status: 'active' } },
    );
  const later = Array.from({ length: 120 }, (_, n) => event('order.refunded', n + 2));
  await batch(db, [event('order.paid', 1), ...later]);
  const gap = { resource: 'order:1', after: 0, before: Number.MAX_SAFE_INTEGER };
  const paidOnly: SubscribedEvents = { ...subscription, events: ['order.paid'], filter: null };
  const missing = await foundIn({ db, tenantId }, paidOnly, gap);
  expect(missing.map(({ body }) => JSON.parse(body).type)).toEqual(['order.paid']);
});

it('stores earlier events as they are read, so that not all of them are in memory', async () => {
  const shop = await world();
  const name = { tenantId: shop.tenantId, webhookId: 0 };
  const options = { ordered: true };
  name.webhookId = (await subscribe(shop, new Receiver().url, ['product.updated'], options)).id;
  await shop.patch(`/webhooks/${name.webhookId}`, { status: 'paused' });
  await largeEvents(shop, 30);
  const event = { type: 'product.updated' as const, occurredAt: now(), body: '{}' };
  const last = { ...event, eventId: 'evt_last', resource: 'product:1', position: Number.MAX_SAFE_INTEGER };
  const inMemory: number[] = [];
  await runInDurableObject(objectOf(shop, name.webhookId), async (object, { storage }) => {
    const stored = () =>
      storage.sql.exec<{ n: number }>('SELECT total(length(body)) AS n FROM deliveries').one().n;
    let read = 0;
    const watched = interceptBindings(MAIN_DATABASES, (call, run) => {
      if (!/[.](all|raw|batch)$/.test(call)) return run();
      return (async () => {
        const result = await run();
        read += JSON.stringify(result).length;
        inMemory.push(read - stored());
        return result;
      })();
    });
    // The object's own environment.
    (object as unknown as { env: Env }).env = watched;
    expect(await object.accept(name, [last])).toEqual({ ok: true, added: 31 });
  });
  expect(Math.max(...inMemory)).toBeLessThan(8_000_000);
});
