/** A read that asks for a version of the new shard gets it, whatever the isolate still takes for the tenant's shard. */
import { expect, it } from 'vitest';
import { learnShard } from '../../src/kernel/shards/shard-map.ts';
import { isShardName } from '../../src/kernel/shards/shard-names.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { runMove, startMove } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import { world } from '../support/world.ts';

it.each(['/products/:id', '/products', '/categories'])(
  'shows %s as written at the new shard',
  async (path) => {
    const shop = await world();
    const cup = await createProduct(shop, { name: 'Cup' });
    const source = await placedOn(shop);
    if (!isShardName(source)) throw new Error(source);
    await runMove(shop, await startMove(shop));
    const renamed = await shop.patch(`/products/${cup.body.id}`, { name: 'Mug' });
    const made = await shop.post('/categories', { name: 'Mugs' });
    expect([renamed.status, made.status]).toEqual([200, 201]);
    learnShard(shop.tenantId, source);
    const headers = { 'X-Catalog-Version': made.headers.get('x-catalog-version') ?? '' };
    const read = await shop.get(path.replace(':id', cup.body.id), { headers });
    expect(read.status).toBe(200);
    expect(JSON.stringify(read.body)).toContain('Mug');
  },
);
