/** A step that is still running when its move is cancelled, or goes on with a later step, changes nothing any more. */
import { expect, it } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { advanceMove } from '../../../src/moves/advance-move.ts';
import { beforeBatch } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { runtime } from '../../support/runtime/runtime.ts';
import { runMove, shardNamed, shownMove, startMove } from '../../support/shards/moving.ts';
import { placedOn } from '../../support/shards/rows.ts';
import { admin, world } from '../../support/world.ts';

it('notes no changes at the source once the move is cancelled', async () => {
  const shop = await world();
  const id = await startMove(shop);
  beforeBatch(/CREATE TRIGGER/, async () => {
    await admin('POST', `/tenants/${shop.slug}/moves/${id}/cancel`);
    await runMove(shop, id);
  });
  await runMove(shop, id);
  expect((await shownMove(shop, id)).state).toBe('cancelled');
  await createProduct(shop, { name: 'Cup' });
  const noted = shardNamed(await placedOn(shop)).prepare(
    'SELECT count(*) AS n FROM move_changes WHERE tenant_id = ?',
  );
  expect(await noted.bind(shop.tenantId).first('n')).toBe(0);
});

it('copies nothing that was read before a later step copied a change of it', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Cup' });
  const id = await startMove(shop);
  beforeBatch(/INSERT INTO products /, async () => {
    await shop.patch(`/products/${cup.body.id}`, { name: 'Mug' });
    moveClock(MINUTE / 2);
    while ((await shownMove(shop, id)).state !== 'holding') await advanceMove(runtime, id);
  });
  await runMove(shop, id);
  expect((await runMove(shop, id)).state).toBe('switched');
  expect((await shop.get(`/products/${cup.body.id}`)).body.name).toBe('Mug');
});

it('opens no shard that a later step has sealed', async () => {
  const shop = await world();
  const [id, source] = [await startMove(shop), await placedOn(shop)];
  while ((await shownMove(shop, id)).state !== 'holding') await advanceMove(runtime, id);
  beforeBatch(/FROM move_changes/, async () => {
    moveClock(MINUTE / 2);
    expect((await runMove(shop, id)).state).toBe('switched');
  });
  await runMove(shop, id);
  const late = shardNamed(source).prepare('UPDATE tenants SET name = name WHERE id = ?');
  await expect(late.bind(shop.tenantId).run()).rejects.toThrow('tenant_moved');
});

it('deletes nothing of an old copy once the tenant has moved back to it', async () => {
  const shop = await world();
  await createProduct(shop, { name: 'Cup' });
  const id = await startMove(shop);
  await runMove(shop, id);
  moveClock(DAY);
  beforeBatch(/DELETE FROM products /, async () => {
    const undo = await admin('POST', `/tenants/${shop.slug}/moves/${id}/undo`);
    expect((await runMove(shop, undo.body.id)).state).toBe('switched');
  });
  await runMove(shop, id);
  expect((await shop.get('/products')).body.meta.total).toBe(1);
});
