/** A database that was set back to an earlier point in time: what was cached since must not pass for new. */

import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { mainDatabases } from '../../src/kernel/shards/shard-names.ts';
import { conditionOf, MOVED_TABLES } from '../../src/moves/copy/moved-tables.ts';
import { evict } from '../support/faults/injector.ts';
import { versionOf } from '../support/fixtures/catalog/products.ts';
import { Receiver, subscribe, until } from '../support/fixtures/webhooks.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { admin, type World, world } from '../support/world.ts';

const at = (version: number) => ({ headers: { 'x-catalog-version': String(version) } });

/** Saves the rows that a test changes; returns a function that restores them. */
async function snapshot(shop: World): Promise<() => Promise<unknown>> {
  const tables = { tenants: 'id', products: 'tenant_id', inventory_items: 'tenant_id' };
  const saved = await Promise.all(
    Object.entries(tables).map(async ([table, owner]) => {
      const query = storeOf(shop).prepare(`SELECT * FROM ${table} WHERE ${owner} = ?`).bind(shop.tenantId);
      return [table, (await query.all()).results] as const;
    }),
  );
  const puts = saved.flatMap(([table, rows]) =>
    rows.map((row) => {
      const columns = Object.keys(row);
      const set = columns.map((column) => `${column} = ?`).join(', ');
      return storeOf(shop)
        .prepare(`UPDATE ${table} SET ${set} WHERE id = ?`)
        .bind(...Object.values(row), row.id);
    }),
  );
  return () => storeOf(shop).batch(puts);
}

/** A tenant whose product was a mug, then a cup that everybody has seen, then a mug again by a restore. */
async function restored() {
  const shop = await world();
  const mug = await shop.post('/products', { name: 'Mug', type: 'simple', price: 10 });
  const restore = await snapshot(shop);
  const path = `/products/${mug.body.id}`;
  let newest = 0;
  for (let price = 11; price < 16; price++)
    newest = versionOf(await shop.patch(path, { name: 'Cup', price }));
  moveClock(2_000);
  for (const asked of ['/products', path]) {
    expect(versionOf(await shop.get(asked, at(newest)))).toBe(newest);
  }
  await restore();
  return { shop, path, newest };
}

it('returns a version that was never returned before', async () => {
  const { shop, path, newest } = await restored();
  const written = await shop.patch(path, { barcode: '1' });
  expect([written.body.name, written.body.price]).toEqual(['Mug', 10]);
  expect(versionOf(written)).toBeGreaterThan(newest);
  moveClock(2_000);
  for (const version of [newest, versionOf(written)]) {
    const seen = await shop.get(path, at(version));
    expect([seen.body.name, seen.body.barcode]).toEqual(['Mug', '1']);
    expect(versionOf(seen)).toBe(versionOf(written));
  }
});

it('drops entries cached since after 30 seconds, even without writes', async () => {
  const { shop, path, newest } = await restored();
  moveClock(31_000);
  await shop.get('/theme/options');
  moveClock(2_000);
  for (const headers of [{}, at(newest).headers]) {
    const seen = await shop.get(path, { headers });
    expect([seen.body.name, seen.body.price]).toEqual(['Mug', 10]);
    expect(versionOf(seen)).toBeGreaterThan(newest);
  }
  expect((await shop.get('/products', at(newest))).body.data[0].name).toBe('Mug');
});

it('knows the returned versions after its object was evicted', async () => {
  const { shop, path, newest } = await restored();
  await evict(env.TENANT.getByName(String(shop.tenantId)));
  moveClock(2_000);
  await shop.get('/theme/options');
  moveClock(2_000);
  const seen = await shop.get(path, at(newest));
  expect(seen.body.name).toBe('Mug');
  expect(versionOf(seen)).toBeGreaterThan(newest);
});

it('starts a new tenant at a version that no earlier one has had', async () => {
  const [first, second] = [await world(), await world()];
  const version = async (shop: World) => versionOf(await shop.get('/products'));
  const before = await version(first);
  expect(before).toBeGreaterThan(1_000_000_000_000);
  expect(await version(second)).toBeGreaterThanOrEqual(before);
});

/** The last ids of a database, by the name of their sequence. */
type Ids = readonly Record<string, unknown>[];

async function idsOf(shop: World): Promise<Ids> {
  const { results } = await storeOf(shop).prepare('SELECT name, value FROM sequences').all();
  return results;
}

const setIds = (db: D1Database, ids: Ids): D1PreparedStatement[] =>
  ids.map(({ name, value }) => db.prepare('UPDATE sequences SET value = ? WHERE name = ?').bind(value, name));

/** Deletes a tenant, and sets the ids back to what they were before it, as a restore to the time before does. */
async function lose({ tenantId, ...shop }: World, ids: Ids): Promise<void> {
  const db = storeOf({ tenantId, ...shop });
  const rows = MOVED_TABLES.map((one) => `DELETE FROM ${one.name} WHERE ${conditionOf(one)}`).reverse();
  await db.batch([
    db.prepare('PRAGMA defer_foreign_keys = on'),
    ...rows.map((text) => db.prepare(text).bind(tenantId)),
    ...setIds(db, ids),
  ]);
  await env.DB.prepare('DELETE FROM placements WHERE tenant_id = ?').bind(tenantId).run();
}

// Of several shards, the new tenant's may be another, which has ids of its own.
it.skipIf(mainDatabases(env).length > 2)(
  'gives a new tenant nothing of one that was made after the time of the restore',
  async () => {
    // Clocks of earlier files were ahead.
    moveClock(400 * DAY);
    const before = await world();
    const ids = await idsOf(before);
    const lost = await world();
    await lost.post('/products', { name: 'Zebra', type: 'simple', price: 10 });
    const receiver = new Receiver();
    const webhook = await subscribe(lost, receiver.url, ['product.updated']);
    await lost.post('/products', { name: 'Zebra lamp', type: 'simple', price: 10 });
    const found = async (shop: World) => (await shop.get('/search?q=zebra')).body.meta.total;
    await until(async () => expect(await found(lost)).toBe(2));
    const sent = async (shop: World) =>
      (await shop.get(`/webhooks/${webhook.id}/deliveries`)).body.meta.total;
    await until(async () => expect(await sent(lost)).toBeGreaterThan(0));
    const later = await idsOf(lost);
    await lose(lost, ids);
    // Tenants that are made in one second have later ids.
    moveClock(MINUTE);
    const shop = await world();
    expect((await subscribe(shop, receiver.url)).id).toBe(webhook.id);
    expect([await found(shop), await sent(shop)]).toEqual([0, 0]);
    expect((await admin('GET', `/tenants/${lost.slug}`)).status).toBe(404);
    // The search documents of what was lost stay: what other tests create must not have their ids.
    const db = storeOf(lost);
    await db.batch(setIds(db, later));
  },
);
