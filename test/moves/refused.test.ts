/** Shards and tenants with which a move is refused, or waits. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { advanceMove } from '../../src/moves/advance-move.ts';
import { runtime, storeOf } from '../support/runtime/runtime.ts';
import { otherShard, runMove, shownMove, startMove } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import { admin, type World, world } from '../support/world.ts';
import { activate, exportAll, headerNow, suspend } from '../transfer/transferring.ts';

const request = async (shop: World) =>
  admin('POST', `/tenants/${shop.slug}/moves`, { shard: await otherShard(shop) });

/** Suspends a shop and imports its own categories into it again. */
async function beginImport(shop: World): Promise<void> {
  await suspend(shop);
  const records = (await exportAll(shop.slug)).records.filter(({ table }) => table === 'categories');
  const imported = await admin('PUT', `/tenants/${shop.slug}/import`, {
    header: await headerNow(shop.slug),
    records,
  });
  expect(imported.status, JSON.stringify(imported.body)).toBe(200);
}

/** Returns whether background work of the shard leaves the tenant out. */
const waits = (shop: World) =>
  storeOf(shop)
    .prepare("SELECT 1 FROM tenant_fences WHERE tenant_id = ? AND state = 'importing'")
    .bind(shop.tenantId)
    .first();

it('moves no tenant while it is imported', async () => {
  const shop = await world();
  await shop.post('/categories', { name: 'Maps' });
  await beginImport(shop);
  expect(await request(shop)).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: 'The tenant is being imported. Activate it, then move it.' },
  });
  await activate(shop);
  expect((await runMove(shop, await startMove(shop))).state).toBe('switched');
});

it('switches a tenant whose import began during its move only once that has ended', async () => {
  const shop = await world();
  await shop.post('/categories', { name: 'Maps' });
  const id = await startMove(shop);
  const source = await placedOn(shop);
  while ((await shownMove(shop, id)).state !== 'copying') await advanceMove(runtime, id);
  await beginImport(shop);
  expect((await runMove(shop, id)).state).toBe('holding');
  expect(await placedOn(shop)).toBe(source);
  expect(await waits(shop)).not.toBeNull();
  await activate(shop);
  moveClock(MINUTE);
  expect((await runMove(shop, id)).state).toBe('switched');
  expect((await shop.get('/categories')).body.data).toHaveLength(1);
});

it('moves a suspended tenant', async () => {
  const shop = await world();
  await suspend(shop);
  expect((await runMove(shop, await startMove(shop))).state).toBe('switched');
  await activate(shop);
  expect((await shop.get('/products')).status).toBe(200);
});

it('moves no tenant to a full shard, but back to the one that it has just left', async () => {
  const shop = await world();
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const fill = (name: string) =>
    env.DB.prepare('INSERT OR REPLACE INTO shards (name, bytes, events, measured_at) VALUES (?, ?, 0, ?)')
      .bind(name, 8 * 1024 ** 3, Date.now())
      .run();
  try {
    await fill(target);
    expect(await request(shop)).toMatchObject({
      status: 422,
      body: { errors: { shard: ['is full; choose another one'] } },
    });
    await env.DB.prepare('DELETE FROM shards').run();
    const id = await startMove(shop);
    expect((await runMove(shop, id)).state).toBe('switched');
    await fill(source);
    const undo = await admin('POST', `/tenants/${shop.slug}/moves/${id}/undo`);
    expect(undo).toMatchObject({ status: 201, body: { target: source } });
    moveClock(MINUTE);
    expect((await runMove(shop, undo.body.id)).state).toBe('switched');
  } finally {
    await env.DB.prepare('DELETE FROM shards').run();
  }
});
