/** A step that is still running when its move is cancelled changes nothing any more. */
import { expect, it } from 'vitest';
import { beforeBatch } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
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
