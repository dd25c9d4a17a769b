import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { NOT_MOVED } from '../../src/moves/copy/moved-tables.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { beforeBatch } from '../support/faults/database.ts';
import { busyShop } from '../support/fixtures/busy-shop.ts';
import { createProduct, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { otherShard, rowsOn, runMove, shardNamed, shownMove, startMove } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import { type Answer, admin, type World, world } from '../support/world.ts';

/** Reads what a storefront and the staff see. */
const views = async (shop: World, cart: string) =>
  Promise.all(
    [
      '/products',
      `/cart/${cart}`,
      '/orders',
      '/promotions',
      '/customers',
      '/media',
      '/webhooks',
      '/events',
    ].map(async (path) => {
      const { meta, ...body } = (await shop.get(path)).body;
      return { ...body, total: meta?.total };
    }),
  );

/** Returns the rows without what the switch itself changes: the catalogue's version. */
const withoutVersion = (rows: Record<string, string[]>) => ({
  ...rows,
  tenants: rows.tenants?.map((row) => ({ ...JSON.parse(row), catalog_version: 0 })),
});

/** Returns the rows without what objects write later in the background: when events were relayed, and counts of calls. */
const withoutLate = ({ outbox, call_hours: _, call_days: _d, ...rows }: Record<string, string[]>) => ({
  ...rows,
  outbox: outbox?.map((row) => JSON.stringify({ ...JSON.parse(row), relayed_at: 0 })).sort(),
});

const searchFinds = (shop: World, word: string, total: number) =>
  vi.waitFor(async () => expect((await shop.get(`/search?q=${word}`)).body.meta.total).toBe(total), {
    timeout: 30_000,
    interval: 100,
  });

it('serves the same from the other shard, under the same ids', async () => {
  const { shop, kept, cup } = await busyShop();
  const [before, source, target] = [await views(shop, kept), await placedOn(shop), await otherShard(shop)];
  const id = await startMove(shop);
  const states: string[] = [];
  const move = await runMove(shop, id, { between: async (state) => states.push(state) });
  expect(move).toMatchObject({
    id,
    source,
    target,
    state: 'switched',
    progress: { repaired_rows: 0, held: 1 },
  });
  expect([...new Set(states)]).toEqual(['copying', 'catching_up', 'comparing', 'indexing', 'holding']);
  expect(await placedOn(shop)).toBe(target);
  expect(withoutVersion(await rowsOn(shop, target))).toEqual(withoutVersion(await rowsOn(shop, source)));
  expect(await views(shop, kept)).toEqual(before);
  await searchFinds(shop, 'cup', 1);
  // New rows have ids of the new shard, and events are behind those of before.
  const last = (await shop.get('/events')).body.meta.next_cursor;
  const plate = await stockedProduct(shop, { name: 'Plate' });
  const range = (at: string) => Number(at.slice(-2)) - 1;
  expect(Math.floor(plate.body.id / 2 ** 38)).toBe(range(target));
  expect(Math.floor(cup.body.id / 2 ** 38)).toBe(range(source));
  const later = (await shop.get(`/events?after=${last}`)).body.data;
  expect(later.map(({ type }: { type: string }) => type)).toContain('product.updated');
  await searchFinds(shop, 'plate', 1);
});

it('refuses writes on the old copy, and deletes it a day later', async () => {
  const { shop } = await busyShop();
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const id = await startMove(shop);
  await runMove(shop, id);
  const old = shardNamed(source);
  for (const write of [
    'UPDATE products SET name = name WHERE tenant_id = ?',
    'DELETE FROM customers WHERE tenant_id = ?',
    "INSERT INTO tenant_secrets (tenant_id, name, sealed, updated_at) VALUES (?, 'n', 's', 1)",
  ]) {
    await expect(old.prepare(write).bind(shop.tenantId).run(), write).rejects.toThrow('tenant_moved');
  }
  const kept = await rowsOn(shop, target);
  expect((await runMove(shop, id)).state).toBe('switched');
  moveClock(DAY);
  expect((await runMove(shop, id)).state).toBe('ended');
  expect((await admin('POST', `/tenants/${shop.slug}/moves/${id}/undo`)).body.code).toBe('move_over');
  expect(Object.values(await rowsOn(shop, source)).flat()).toEqual([]);
  for (const name of [...Object.keys(NOT_MOVED), 'tenant_fences', 'move_changes']) {
    const count = old.prepare(`SELECT count(*) AS n FROM ${name} WHERE tenant_id = ?`).bind(shop.tenantId);
    expect([name, await count.first('n')]).toEqual([name, 0]);
  }
  const triggers = old.prepare(
    "SELECT name FROM sqlite_master WHERE name LIKE 'move\\_%' || ? || '\\_%' ESCAPE '\\'",
  );
  expect((await triggers.bind(shop.tenantId).all()).results).toEqual([]);
  expect(await rowsOn(shop, target)).toEqual(kept);
});

it('is undone within a day by a move back, which takes along what was written since', async () => {
  const { shop, kept } = await busyShop();
  const source = await placedOn(shop);
  const id = await startMove(shop);
  await runMove(shop, id);
  await createProduct(shop, { name: 'Plate' });
  const before = await views(shop, kept);
  const undo = await admin('POST', `/tenants/${shop.slug}/moves/${id}/undo`);
  expect(undo).toMatchObject({ status: 201, body: { target: source, state: 'preparing' } });
  // An isolate that doesn't know of the switch yet must not write to the copy that is deleted next.
  expect((await runMove(shop, undo.body.id)).state).toBe('preparing');
  const late = shardNamed(source).prepare('UPDATE products SET name = name WHERE tenant_id = ?');
  await expect(late.bind(shop.tenantId).run()).rejects.toThrow('tenant_moved');
  moveClock(MINUTE);
  expect((await runMove(shop, undo.body.id)).state).toBe('switched');
  expect((await shownMove(shop, id)).state).toBe('ended');
  expect(await placedOn(shop)).toBe(source);
  expect(await views(shop, kept)).toEqual(before);
  expect((await createProduct(shop, { name: 'Bowl' })).status).toBe(201);
});

it('is cancelled before the switch, in any state, and leaves nothing behind', {
  timeout: 240_000,
}, async () => {
  const { shop, kept } = await busyShop();
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const rows = withoutLate(await rowsOn(shop, source));
  const before = await views(shop, kept);
  for (const until of ['copying', 'catching_up', 'comparing', 'indexing', 'holding']) {
    const id = await startMove(shop);
    const cancel = () => admin('POST', `/tenants/${shop.slug}/moves/${id}/cancel`);
    const move = await runMove(shop, id, {
      between: async (state) => {
        if (state === until) expect((await cancel()).body.state).toBe('cancelling');
      },
    });
    expect([until, move.state]).toEqual([until, 'cancelled']);
    expect((await cancel()).status).toBe(200);
    expect(Object.values(await rowsOn(shop, target)).flat()).toEqual([]);
    expect(withoutLate(await rowsOn(shop, source))).toEqual(rows);
  }
  expect(await views(shop, kept)).toEqual(before);
  expect((await createProduct(shop, { name: 'Plate' })).status).toBe(201);
});

it('starts no move while one that was cancelled deletes its copy', async () => {
  const shop = await world();
  const id = await startMove(shop);
  expect((await admin('POST', `/tenants/${shop.slug}/moves/${id}/cancel`)).body.state).toBe('cancelling');
  const again = await admin('POST', `/tenants/${shop.slug}/moves`, { shard: await otherShard(shop) });
  expect(again).toMatchObject({ status: 409, body: { code: 'move_running' } });
  expect((await runMove(shop, id)).state).toBe('cancelled');
  expect((await runMove(shop, await startMove(shop))).state).toBe('switched');
});

it('returns the move that the same call has started at the same moment', async () => {
  const shop = await world();
  const start = async () => admin('POST', `/tenants/${shop.slug}/moves`, { shard: await otherShard(shop) });
  let first: Answer | undefined;
  beforeBatch(/insert into "tenant_moves"/i, async () => {
    first = await start();
  });
  const second = await start();
  expect([first?.status, second.status]).toEqual([201, 201]);
  expect(second.body.id).toBe(first?.body.id);
  await admin('POST', `/tenants/${shop.slug}/moves/${second.body.id}/cancel`);
  await runMove(shop, second.body.id);
});

it('holds writes with 503 while reads go on', async () => {
  const shop = await world();
  const product = await createProduct(shop, { name: 'Cup' });
  const id = await startMove(shop);
  const db = shardNamed(await placedOn(shop));
  let held = false;
  await runMove(shop, id, {
    between: async () => {
      if (held) return;
      held = true;
      const hold = `UPDATE tenant_fences SET state = 'held', held_until = unixepoch('subsec') * 1000 + ? WHERE tenant_id = ?`;
      await db.prepare(hold).bind(60_000, shop.tenantId).run();
      const refused = await shop.patch(`/products/${product.body.id}`, { name: 'Mug' });
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(refused.headers.get('retry-after')).toBe('2');
      expect((await shop.get(`/products/${product.body.id}`)).body.name).toBe('Cup');
      // The hold ends by itself.
      await db.prepare(hold).bind(-1, shop.tenantId).run();
      expect((await shop.patch(`/products/${product.body.id}`, { name: 'Mug' })).status).toBe(200);
    },
  });
  expect((await shop.get(`/products/${product.body.id}`)).body.name).toBe('Mug');
});

it('keeps a tenant in its jurisdiction', async () => {
  const bindings = { ...env, EU_BINDINGS: 'DB MEDIA SHARD_01 SEARCH_01' };
  const platform = (path: string, body: object) =>
    fetchWith(bindings, 'POST', `/admin/v1/tenants${path}`, env.SUPER_ADMIN_TOKEN, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const slug = `eu-${crypto.randomUUID().slice(0, 8)}`;
  const tenant = { slug, name: 'Käse', currency: 'EUR', plan: 'growth', jurisdiction: 'eu' };
  expect((await platform('', tenant)).status).toBe(201);
  const refused = await platform(`/${slug}/moves`, { shard: 'SHARD_02' });
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ errors: { shard: ['there is no other shard'] } });
});

it('allows a tenant one move at a time, the platform two, and only to another shard', async () => {
  const shops = [await world(), await world(), await world()] as const;
  const [first, second, third] = shops;
  const move = async (shop: World, shard: string) => admin('POST', `/tenants/${shop.slug}/moves`, { shard });
  for (const shard of [await placedOn(first), 'SHARD_09']) {
    expect(await move(first, shard)).toMatchObject({
      status: 422,
      body: { errors: { shard: [expect.any(String)] } },
    });
  }
  const ids = [await startMove(first), await startMove(second)];
  expect((await admin('POST', `/tenants/${first.slug}/moves/${ids[0]}/undo`)).body.code).toBe('move_over');
  // A repeated call returns the move under way.
  expect((await move(first, await otherShard(first))).body.id).toBe(ids[0]);
  expect((await move(third, await otherShard(third))).body.code).toBe('move_running');
  await runMove(first, ids[0] ?? '');
  const third_ = await startMove(third);
  for (const [shop, id] of [
    [second, ids[1] ?? ''],
    [third, third_],
  ] as const) {
    expect((await runMove(shop, id)).state).toBe('switched');
  }
  const cancelled = await admin('POST', `/tenants/${first.slug}/moves/${ids[0]}/cancel`);
  expect(cancelled).toMatchObject({ status: 409, body: { code: 'move_over' } });
  expect((await admin('GET', `/tenants/${first.slug}/moves/${ids[1]}`)).body.code).toBe('move_not_found');
  expect((await admin('GET', `/tenants/${first.slug}/moves`)).body.data).toHaveLength(1);
});
