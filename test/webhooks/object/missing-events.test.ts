import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { outboxRow } from '../../../src/events/index.ts';
import { batch, database } from '../../../src/kernel/data/database.ts';
import { missingDeliveries } from '../../../src/webhooks/object/missing-events.ts';
import type { Registration } from '../../../src/webhooks/registrations/endpoint-store.ts';
import { interceptBindings, MAIN_DATABASES } from '../../support/faults/bindings.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { type World, world } from '../../support/world.ts';

const registration: Registration = {
  url: 'https://shop.example.com/hooks',
  status: 'active',
  events: ['product.updated'],
  filter: { status: ['active'] },
  ordered: true,
  updatedAt: 0,
  signing: { kind: 'secret', secret: '', previous: null },
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
  const missing = await missingDeliveries(ctx, registration, [gap]);
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
  const paidOnly: Registration = { ...registration, events: ['order.paid'], filter: null };
  const missing = await missingDeliveries({ db, tenantId }, paidOnly, [gap]);
  expect(missing.map(({ body }) => JSON.parse(body).type)).toEqual(['order.paid']);
});
