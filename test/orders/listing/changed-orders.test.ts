import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { now } from '../../../src/kernel/core/clock.ts';
import { markPaid } from '../../../src/orders/index.ts';
import { patchOrder } from '../../../src/orders/lifecycle/transitions.ts';
import { orderPages } from '../../../src/orders/schemas.ts';
import { type Changed, changesSince as changesIn, EVER } from '../../support/changes.ts';
import { copyOrders, eventsOfType } from '../../support/fixtures/selling/orders.ts';
import { contextOf, databaseOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type World, world } from '../../support/world.ts';
import { ADA, sell, threeOrders } from './three-orders.ts';

interface Listed extends Changed {
  readonly id: string;
  readonly tags: string[];
}

const changesSince = (shop: World, since: string, more?: string) =>
  changesIn<Listed>(shop, '/orders', since, more);

it('lists what was placed or changed since, the latest change last, and says where to go on', async () => {
  const { shop, ids } = await threeOrders();
  const [ada, zoe, bob] = ids;
  const first = await changesSince(shop, EVER);
  expect(first.ids).toEqual(ids);
  expect(first.next).toBe(first.seen.at(-1)?.updated_at);
  const nothing = await changesSince(shop, first.next);
  expect(nothing).toEqual({ seen: [], ids: [], next: first.next });

  await shop.patch(`/orders/${bob}`, { tags: ['gift'] });
  await markPaid(contextOf(shop), ada ?? '', { provider: 'sandbox', reference: 'a' });
  await shop.post(`/orders/${zoe}/cancel`, {});
  const second = await changesSince(shop, first.next);
  expect(second.ids).toEqual([bob, ada, zoe]);
  await shop.post(`/orders/${ada}/fulfilments`, {});
  const third = await changesSince(shop, second.next);
  expect(third.ids).toEqual([ada]);
  await shop.post(`/orders/${ada}/refunds`, { amount: 1 });
  expect((await changesSince(shop, third.next)).ids).toEqual([ada]);
  const paid = await changesSince(shop, first.next, '&status=paid&payment_status=paid,partially_refunded');
  expect(paid.ids).toEqual([ada]);
  expect((await changesSince(await world(), EVER)).ids).toEqual([]);
});

it('leaves an order that nothing changed where it is', async () => {
  const { shop, ids } = await threeOrders();
  await shop.patch(`/orders/${ids[0]}`, { tags: ['gift'] });
  const { next } = await changesSince(shop, EVER);
  await shop.patch(`/orders/${ids[0]}`, { tags: ['gift'] });
  expect((await changesSince(shop, next)).ids).toEqual([]);
});

it('misses no change that is committed while it reads', async () => {
  const shop = await world();
  const ids = await sell(shop, Array(6).fill(ADA));
  const seen = new Map<string, string>();
  let next = EVER;
  const write = async (id: string) => {
    for (let n = 1; n <= 5; n++) await patchOrder(contextOf(shop), id, { tags: [`${n}`] });
  };
  const read = async () => {
    const changes = await changesSince(shop, next);
    for (const { id, tags } of changes.seen) seen.set(id, tags.join());
    next = changes.next;
  };
  const readOften = async () => {
    for (let n = 1; n <= 20; n++) await read();
  };
  await Promise.all([readOften(), ...ids.map(write)]);
  await read();
  expect(seen).toEqual(new Map(ids.map((id) => [id, '5'])));
});

it('places a change after those of an isolate whose clock is ahead', async () => {
  const { shop, ids } = await threeOrders();
  const ahead = now() + 60_000;
  await databaseOf(shop).run(sql`UPDATE tenants SET clock = ${ahead} WHERE id = ${shop.tenantId}`);
  await shop.patch(`/orders/${ids[1]}`, { tags: ['a'] });
  const { next } = await changesSince(shop, EVER);
  expect(Date.parse(next)).toBeGreaterThan(ahead);
  const patched = await shop.patch(`/orders/${ids[0]}`, { tags: ['b'] });
  await markPaid(contextOf(shop), ids[2] ?? '', { provider: 'sandbox', reference: 'a' });
  const [placed] = await sell(shop, [ADA]);
  const { ids: changed, seen } = await changesSince(shop, next);
  expect(changed).toEqual([ids[0], ids[2], placed]);
  // The response and the events show the same instant.
  expect(patched.body.updated_at).toBe(seen[0]?.updated_at);
  expect((await eventsOfType(shop, 'order.paid')).at(-1)).toMatchObject({
    id: ids[2],
    updated_at: seen[1]?.updated_at,
  });
  expect((await eventsOfType(shop, 'order.created')).at(-1)).toMatchObject({
    id: placed,
    updated_at: seen[2]?.updated_at,
  });
});

it('lists orders that share an instant, as those of older versions may', async () => {
  const { shop, ids } = await threeOrders();
  await databaseOf(shop).run(
    sql`UPDATE orders SET updated_at = ${now() - 1000} WHERE tenant_id = ${shop.tenantId}`,
  );
  const { ids: seen, next } = await changesSince(shop, EVER);
  expect(seen).toEqual(ids);
  expect((await changesSince(shop, next)).ids).toEqual([]);
});

it('lists the orders of a customer who was erased', async () => {
  const shop = await world();
  const { body } = await shop.post('/customers/register', {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse battery',
  });
  const customerId: number = body.customer.id;
  const [other] = await sell(shop, [ADA]);
  const [own] = await sell(shop, [{ ...ADA, customerId }]);
  const { next } = await changesSince(shop, EVER);
  expect((await shop.delete(`/customers/${customerId}`)).status).toBe(204);
  const { data, meta } = (await shop.get(`/orders?updated_since=${next}`)).body;
  expect(data).toMatchObject([{ id: own, customer: { id: null, email: null } }]);
  expect([data.length, data[0].id === other, meta.total]).toEqual([1, false, 1]);
});

it('combines with another sort, which has no next_updated_since', async () => {
  const { shop, ids } = await threeOrders();
  await shop.patch(`/orders/${ids[0]}`, { tags: ['gift'] });
  const { data, meta } = (await shop.get(`/orders?updated_since=${EVER}&sort=newest`)).body;
  expect(data.map(({ id }: Listed) => id)).toEqual([...ids].reverse());
  expect(meta.next_updated_since).toBeNull();
  expect((await shop.get('/orders?sort=updated')).body).toMatchObject({
    data: [{ id: ids[1] }, { id: ids[2] }, { id: ids[0] }],
    meta: { next_updated_since: null },
  });
  const first = (await shop.get(`/orders?limit=1&updated_since=${EVER}`)).body.meta.next_cursor;
  const refused = await shop.get(`/orders?limit=1&cursor=${first}`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['cursor']]);
});

it('shows the instant in CSV', async () => {
  const { shop, ids } = await threeOrders();
  const csv = await shop.get(`/orders?updated_since=${EVER}`, { headers: { accept: 'text/csv' } });
  const [header, ...lines] = String(csv.body).trim().split('\r\n');
  expect(header).toMatch(/,updated_at$/);
  const { updated_at } = (await shop.get(`/orders/${ids[0]}`)).body;
  expect(lines[0]).toContain(updated_at);
  const { next_updated_since } = (await shop.get(`/orders?updated_since=${EVER}`)).body.meta;
  expect(lines.at(-1)?.endsWith(`,${next_updated_since}`)).toBe(true);
});

it('refuses a cursor that names no instant', async () => {
  const { shop } = await threeOrders();
  const cursor = orderPages.cursor(2, [8_640_000_000_000_001, 1, 'updated']);
  const refused = await shop.get(`/orders?updated_since=${EVER}&cursor=${cursor}`);
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['cursor']]);
});

it.each(['yesterday', '1', '2026-11-01', '', '9999-12-31T23:59:59-05:00'])(
  'refuses updated_since=%s by name',
  async (value) => {
    const refused = await (await world()).get(`/orders?updated_since=${value}`);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['updated_since']]);
  },
);

it('reads the changes only, whatever else the list is filtered by', async () => {
  const shop = await world();
  const [id] = await sell(shop, [ADA]);
  await copyOrders(shop, 3_000);
  const { updated_at } = (await shop.get(`/orders/${id}`)).body;
  await markPaid(contextOf(shop), id ?? '', { provider: 'sandbox', reference: 'a' });
  for (const filter of [
    '',
    '&payment_status=paid',
    '&fulfilment_status=unfulfilled&payment_status=paid',
    '&archived=false',
    `&from=${EVER}`,
    '&sort=newest&payment_status=paid',
  ]) {
    let found: string[] = [];
    const usage = await measureDatabase(async () => {
      const { data } = (await shop.get(`/orders?updated_since=${updated_at}${filter}`)).body;
      found = data.map((order: Listed) => order.id);
    });
    expect(found, filter).toEqual([id]);
    expect(usage.read, filter).toBeLessThan(50);
  }
});
