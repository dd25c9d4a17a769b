import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { customerPages } from '../../../src/customers/records/schemas.ts';
import { now } from '../../../src/kernel/core/clock.ts';
import { run } from '../../../src/kernel/data/database.ts';
import { type Changed, changesSince as changesIn, EVER } from '../../support/changes.ts';
import { PASSWORD, registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import { measureDatabase } from '../../support/storage/database-usage.ts';
import { type Answer, type World, world } from '../../support/world.ts';

interface Listed extends Changed {
  readonly id: number;
}

const changesSince = (shop: World, since: string, more?: string) =>
  changesIn<Listed>(shop, '/customers', since, more);

const three = async () => {
  const shop = await world();
  const people = [];
  for (const name of ['Ada', 'Zoe', 'Bob']) people.push(await registerCustomer(shop, { name }));
  return { shop, people, ids: people.map(({ id }) => id) };
};

it('refuses a cursor that names no instant', async () => {
  const { shop } = await three();
  const cursor = customerPages.cursor(2, [1, 'updated', 8_640_000_000_000_001]);
  const refused = await shop.get(`/customers?updated_since=${EVER}&cursor=${cursor}`);
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['cursor']]);
});

it('lists who registered or changed since, the latest change last, and says where to go on', async () => {
  const { shop, people, ids } = await three();
  const [ada, zoe, bob] = people;
  const first = await changesSince(shop, EVER);
  expect(first.ids).toEqual(ids);
  expect(first.next).toBe(first.seen.at(-1)?.updated_at);
  expect(await changesSince(shop, first.next)).toEqual({ seen: [], ids: [], next: first.next });

  await shop.patch(`/customers/${bob?.id}`, { metadata: { erp: '7' } });
  await shop.patch('/customers/me', { phone: '+49 30 1' }, withSession(ada?.token ?? ''));
  await shop.patch(`/customers/${zoe?.id}`, { name: 'Zoë' });
  const second = await changesSince(shop, first.next);
  expect(second.ids).toEqual([bob?.id, ada?.id, zoe?.id]);
  const { token } = (await shop.post('/customers/password-resets', { email: ada?.email })).body;
  await shop.post(`/customers/password-resets/${token}`, { password: `${PASSWORD} 2` });
  const third = await changesSince(shop, second.next);
  expect(third.ids).toEqual([ada?.id]);
  expect((await changesSince(shop, first.next, '&q=zoe')).ids).toEqual([zoe?.id]);
  expect((await changesSince(await world(), EVER)).ids).toEqual([]);
});

it('has the customers whose addresses changed', async () => {
  const { shop, people } = await three();
  const id = people[0]?.id ?? 0;
  const path = `/customers/${id}/addresses`;
  let { next } = await changesSince(shop, EVER);
  const changed = async (change: Promise<Answer>) => {
    const { status, body } = await change;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    const since = await changesSince(shop, next);
    next = since.next;
    expect(since.ids).toEqual([id]);
    return body;
  };
  const once = { headers: { 'idempotency-key': 'home' } };
  const home = await changed(shop.post(path, { country: 'DE', city: 'Berlin' }, once));
  await changed(shop.patch(`${path}/${home.id}`, { city: 'Bonn' }));
  expect((await shop.post(path, { country: 'DE', city: 'Berlin' }, once)).status).toBe(201);
  expect((await shop.patch(`${path}/adr_none`, { city: 'Bonn' })).status).toBe(404);
  expect((await changesSince(shop, next)).ids).toEqual([]);
  await changed(shop.delete(`${path}/${home.id}`));
});

it('leaves those who are erased out, and goes on where it was', async () => {
  const { shop, people, ids } = await three();
  const [ada, zoe, bob] = people;
  const page = (await shop.get(`/customers?updated_since=${EVER}&limit=2`)).body;
  for (const one of [zoe, bob]) expect((await shop.delete(`/customers/${one?.id}`)).status).toBe(204);
  const last = await shop.get(`/customers?updated_since=${EVER}&limit=2&cursor=${page.meta.next_cursor}`);
  expect([last.body.data, last.body.meta.next_updated_since]).toEqual([[], page.data[1].updated_at]);
  expect((await changesSince(shop, EVER)).ids).toEqual([ada?.id]);
  expect(ids).toHaveLength(3);
});

it('shows a later change later than an earlier one of an isolate whose clock is ahead', async () => {
  const { shop, people, ids } = await three();
  const ahead = now() + 3_600_000;
  const db = databaseOf(shop);
  await run(db, sql`UPDATE tenants SET clock = ${ahead} WHERE id = ${shop.tenantId}`);
  await shop.patch(`/customers/${people[1]?.id}`, { name: 'Zoë' });
  const { next } = await changesSince(shop, EVER);
  await shop.patch(`/customers/${people[0]?.id}`, { metadata: { erp: '7' } });
  const late = await registerCustomer(shop, { name: 'Late' });
  expect((await changesSince(shop, next)).ids).toEqual([ids[0], late.id]);
});

it('combines with another sort, which has no next_updated_since', async () => {
  const { shop, ids } = await three();
  await shop.patch(`/customers/${ids[0]}`, { metadata: { erp: '7' } });
  const { data, meta } = (await shop.get(`/customers?updated_since=${EVER}&sort=newest`)).body;
  expect(data.map(({ id }: Listed) => id)).toEqual([...ids].reverse());
  expect(meta.next_updated_since).toBeNull();
  const sorted = (await shop.get('/customers?sort=updated')).body;
  expect(sorted.data.map(({ id }: Listed) => id)).toEqual([ids[1], ids[2], ids[0]]);
  expect(sorted.meta.next_updated_since).toBeNull();
  const cursor = (await shop.get(`/customers?limit=1&updated_since=${EVER}`)).body.meta.next_cursor;
  const refused = await shop.get(`/customers?limit=1&cursor=${cursor}`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['cursor']]);
});

it.each(['yesterday', '1', '2026-11-01', '', '9999-12-31T23:59:59-05:00'])(
  'refuses updated_since=%s by name',
  async (value) => {
    const refused = await (await world()).get(`/customers?updated_since=${value}`);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['updated_since']]);
  },
);

it('reads the changes only', async () => {
  const shop = await world();
  const { id } = await registerCustomer(shop, { name: 'Ada' });
  await run(
    databaseOf(shop),
    sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO customers (id, tenant_id, email, name, password, created_at, updated_at)
      SELECT ${id} + 1000000 + i, tenant_id, i || email, name, password, 1, 1 FROM customers JOIN n WHERE id = ${id}`,
  );
  const { updated_at } = (await shop.get(`/customers/${id}`)).body;
  await shop.patch(`/customers/${id}`, { metadata: { erp: '7' } });
  for (const more of ['', '&sort=newest', '&sort=oldest', '&q=ada', `&ids=${id}`]) {
    let found: number[] = [];
    const usage = await measureDatabase(async () => {
      const { data } = (await shop.get(`/customers?updated_since=${updated_at}${more}`)).body;
      found = data.map((one: Listed) => one.id);
    });
    expect(found, more).toEqual([id]);
    expect(usage.read, more).toBeLessThan(50);
  }
});
