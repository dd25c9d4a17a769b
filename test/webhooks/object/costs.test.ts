import { runInDurableObject } from 'cloudflare:test';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { objectOf, Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { countObjectRows, type ObjectRows } from '../../support/storage/object-rows.ts';
import { type World, world } from '../../support/world.ts';

const RESOURCE = 'item:1';
const MANY = 2_000;

let rows: ObjectRows;
beforeAll(async () => {
  rows = await countObjectRows();
});
afterAll(() => vi.restoreAllMocks());

/** A shop with an ordered webhook, and its object. */
async function orderedShop() {
  const [shop, receiver] = [await world(), new Receiver()];
  const { id } = await subscribe(shop, receiver.url, ['stock.changed'], { ordered: true });
  return { shop, id, receiver, object: objectOf(shop, id) };
}

/** Hands an event of a resource to the object of a webhook. */
const accept = (shop: World, webhookId: number, position: number, resource = RESOURCE) => {
  const event = {
    eventId: crypto.randomUUID(),
    type: 'stock.changed' as const,
    occurredAt: now(),
    body: '{}',
  };
  const name = { tenantId: shop.tenantId, webhookId };
  return objectOf(shop, webhookId).accept(name, [{ ...event, resource, position }]);
};

/** Stores deliveries: of one resource, of which the first is due in an hour and the others wait; or due, of one each. */
const storeMany = (object: DurableObjectStub, { ofOne }: { ofOne: boolean }) =>
  runInDurableObject(object, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO deliveries (eventId, type, body, occurredAt, createdAt, status, position, resource, nextAttemptAt,
         waiting)
       SELECT 'event-' || i, 'stock.changed', '{}', ?2, ?2, 'pending', i, ?3 || iif(?4, '', i),
         iif(?4 AND i > 1, NULL, ?5), ?4 AND i > 1 FROM n`,
      MANY,
      now(),
      RESOURCE,
      Number(ofOne),
      now() + HOUR,
    );
  });

it('reads few rows to add an event of a resource of which many others wait', async () => {
  const { shop, id, receiver, object } = await orderedShop();
  await accept(shop, id, 1, 'another');
  await until(() => expect(receiver.received).toHaveLength(1));
  await storeMany(object, { ofOne: true });
  rows.reset();
  await accept(shop, id, MANY + 1);
  expect(await rows.read(object)).toBeLessThan(100);
});

it('reads few rows to replay an event while many others are due', async () => {
  const { shop, id, receiver, object } = await orderedShop();
  await accept(shop, id, 1, 'another');
  await until(() => expect(receiver.received).toHaveLength(1));
  await storeMany(object, { ofOne: false });
  const [last] = (await object.list({ limit: 1, offset: 0 })).rows;
  rows.reset();
  await object.replay({ tenantId: shop.tenantId, webhookId: id }, last?.id ?? 0, ['stock.changed']);
  expect(await rows.read(object)).toBeLessThan(100);
});

it('reads few rows to add an event after the data of many others was erased', async () => {
  const { shop, id, receiver, object } = await orderedShop();
  await accept(shop, id, 1);
  await until(() => expect(receiver.received).toHaveLength(1));
  const erased = Array.from({ length: MANY }, (_, n) => ({ eventId: `erased-${n}`, body: '{}' }));
  await object.redact(erased);
  rows.reset();
  await accept(shop, id, 2);
  await until(() => expect(receiver.received).toHaveLength(2));
  expect(await rows.read(object)).toBeLessThan(200);
});

it.each([
  ['dead', 'stock.changed', 5],
  ['delivered', 'order.created', 7],
] as const)('reads few rows to list the few deliveries that are %s, of %s', async (status, type, few) => {
  const { object } = await orderedShop();
  await storeMany(object, { ofOne: false });
  await runInDurableObject(object, (_, { storage }) => {
    storage.sql.exec(
      `UPDATE deliveries SET nextAttemptAt = NULL, status = iif(id <= 5, 'dead', 'delivered'),
         type = iif(id BETWEEN 6 AND 12, 'order.created', type)`,
    );
  });
  rows.reset();
  const { rows: listed, total } = await object.list({ status, type, limit: 10, offset: 0 });
  expect([listed.length, total]).toEqual([few, few]);
  expect(await rows.read(object)).toBeLessThan(100);
});
