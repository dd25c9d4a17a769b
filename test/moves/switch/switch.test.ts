/** A step that dies between the seal of the old shard and the switch of the directory stops nobody. */
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { advanceMove } from '../../../src/moves/advance-move.ts';
import { failStatements } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { runtime, storeOf } from '../../support/runtime/runtime.ts';
import { otherShard, runMove, shardNamed, shownMove, startMove } from '../../support/shards/moving.ts';
import { placedOn } from '../../support/shards/rows.ts';
import { admin, type World, world } from '../../support/world.ts';

/** Takes a new move up to the hold, and lets the step die that has sealed the source. Returns the move's id. */
async function dieSealed(shop: World): Promise<string> {
  silenceConsole();
  const id = await startMove(shop);
  while ((await shownMove(shop, id)).state !== 'holding') await advanceMove(runtime, id);
  const heal = failStatements(/update "placements" set "shard"/);
  await expect(advanceMove(runtime, id)).rejects.toThrow();
  heal();
  return id;
}

const fenceOf = (shop: World, shard: string) =>
  shardNamed(shard)
    .prepare('SELECT state FROM tenant_fences WHERE tenant_id = ?')
    .bind(shop.tenantId)
    .first<string>('state');

it('lets the first write that the sealed shard refuses complete the switch', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Cup' });
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const id = await dieSealed(shop);
  expect(await fenceOf(shop, source)).toBe('moved');
  expect(await placedOn(shop)).toBe(source);
  expect((await shop.get(`/products/${cup.body.id}`)).body.name).toBe('Cup');
  expect((await shop.patch(`/products/${cup.body.id}`, { name: 'Mug' })).status).toBe(200);
  expect(await placedOn(shop)).toBe(target);
  // Until the next step announces the switch, the tenant's object asks the directory.
  moveClock(MINUTE / 2);
  expect((await shop.get(`/products/${cup.body.id}`)).body.name).toBe('Mug');
  expect((await createProduct(shop, { name: 'Plate' })).status).toBe(201);
  const cancelled = await admin('POST', `/tenants/${shop.slug}/moves/${id}/cancel`);
  expect(cancelled).toMatchObject({ status: 409, body: { code: 'move_over' } });
  expect(await runMove(shop, id)).toMatchObject({ state: 'switched', switched_at: expect.any(String) });
  expect(await fenceOf(shop, target)).toBe('live');
  expect((await shop.get('/products')).body.meta.total).toBe(2);
});

it('opens the sealed shard when the move is cancelled before anybody writes', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Cup' });
  const source = await placedOn(shop);
  const id = await dieSealed(shop);
  expect((await admin('POST', `/tenants/${shop.slug}/moves/${id}/cancel`)).body.state).toBe('cancelling');
  // Nobody may switch a cancelled move.
  expect((await shop.patch(`/products/${cup.body.id}`, { name: 'Mug' })).status).toBe(503);
  expect(await placedOn(shop)).toBe(source);
  expect((await runMove(shop, id)).state).toBe('cancelled');
  expect((await shop.patch(`/products/${cup.body.id}`, { name: 'Mug' })).status).toBe(200);
  expect(await placedOn(shop)).toBe(source);
});

it('switches no tenant whose shard was sealed by another step than the one that the directory names', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Cup' });
  const source = await placedOn(shop);
  const id = await dieSealed(shop);
  const epoch = env.DB.prepare('UPDATE placements SET next_epoch = next_epoch + ? WHERE tenant_id = ?');
  await epoch.bind(1, shop.tenantId).run();
  expect((await shop.patch(`/products/${cup.body.id}`, { name: 'Mug' })).status).toBe(503);
  expect(await placedOn(shop)).toBe(source);
  moveClock(MINUTE / 2);
  expect((await runMove(shop, id)).state).toBe('switched');
  expect((await shop.patch(`/products/${cup.body.id}`, { name: 'Mug' })).status).toBe(200);
});

it('takes along what is indexed at the old shard after search was built at the new one', async () => {
  const shop = await world();
  const { id: category } = (await shop.post('/categories', { name: 'Alpha' })).body;
  await createProduct(shop, { name: 'Cup', category_ids: [category] });
  const finds = (word: string, names: readonly string[]) =>
    vi.waitFor(async () => {
      const { data } = (await shop.get(`/search?q=${word}`)).body;
      expect(data.map(({ name }: { name: string }) => name)).toEqual(names);
    }, 30_000);
  await finds('alpha', ['Cup']);
  let changed = false;
  await runMove(shop, await startMove(shop), {
    between: async (state) => {
      if (changed || state !== 'holding') return;
      changed = true;
      await shop.patch(`/categories/${category}`, { name: 'Beta' });
      await createProduct(shop, { name: 'Plate' });
      await finds('beta', ['Cup']);
      await finds('plate', ['Plate']);
    },
  });
  await finds('plate', ['Plate']);
  await finds('beta', ['Cup']);
  await finds('alpha', []);
});

it('begins the new index with the changes since the move began, however far the copied clock is', async () => {
  const shop = await world();
  await createProduct(shop, { name: 'Cup' });
  const clock = () =>
    storeOf(shop)
      .prepare('SELECT clock FROM tenants WHERE id = ?')
      .bind(shop.tenantId)
      .first<number>('clock');
  const [begun, target] = [await clock(), await otherShard(shop)];
  await runMove(shop, await startMove(shop), {
    between: async (state) => {
      if (state === 'copying') await createProduct(shop, { name: 'Plate' });
      if (state !== 'holding') return;
      const progress = shardNamed(target.replace('SHARD', 'SEARCH')).prepare(
        'SELECT sequence FROM search_progress WHERE tenant_id = ?',
      );
      expect(await progress.bind(shop.tenantId).first('sequence')).toBe(begun);
    },
  });
  expect(await clock()).toBeGreaterThan(begun ?? Number.POSITIVE_INFINITY);
});
