/**
 * A change of an application or a webhook is announced to its object, which reads it at the tenant's new shard even if
 * its isolate still has the old one in memory. The object keeps what it reads for longer than an isolate keeps a shard.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { learnShard } from '../../../src/kernel/shards/shard-map.ts';
import { isShardName } from '../../../src/kernel/shards/shard-names.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { objectOf, subscribe, untilNewestIs } from '../../support/fixtures/webhooks.ts';
import { runMove, shardNamed, startMove } from '../../support/shards/moving.ts';
import { placedOn } from '../../support/shards/rows.ts';
import { type World, world } from '../../support/world.ts';

/** Moves a tenant. Returns what makes this isolate take the old shard for the tenant's. */
async function move(shop: World): Promise<() => void> {
  const source = await placedOn(shop);
  if (!isShardName(source)) throw new Error(source);
  await runMove(shop, await startMove(shop));
  return () => learnShard(shop.tenantId, source);
}

/**
 * Moves a tenant, changes a row at the new shard as another isolate does, and makes this isolate take the old shard for
 * the tenant's.
 */
async function changeAfterMove(shop: World, update: string, id: number): Promise<void> {
  const takeOldShard = await move(shop);
  await shardNamed(await placedOn(shop))
    .prepare(`${update} WHERE tenant_id = ? AND id = ?`)
    .bind(shop.tenantId, id)
    .run();
  takeOldShard();
}

it('refuses a token that was set passive at the new shard', async () => {
  const shop = await world();
  const { id: applicationId, token } = await shop.register({ scopes: ['catalog:read'] });
  const list = () => shop.get('/products', { token });
  expect((await list()).status).toBe(200);
  await changeAfterMove(shop, "UPDATE applications SET status = 'passive'", applicationId);
  const { tenantId } = shop;
  await env.RATE_LIMITER.getByName(`${tenantId}:${applicationId}`).reload({ tenantId, applicationId });
  moveClock(2_000);
  expect((await list()).status).toBe(401);
});

it('accepts a token that was made at the new shard', async () => {
  const shop = await world();
  const takeOldShard = await move(shop);
  const { token } = await shop.register({ scopes: ['catalog:read'] });
  takeOldShard();
  expect((await shop.get('/products', { token })).status).toBe(200);
});

it('sends nothing to a webhook that was paused at the new shard', async () => {
  const shop = await world();
  const hook = await subscribe(shop, 'https://hooks.example/moved', ['product.updated']);
  await changeAfterMove(shop, "UPDATE webhooks SET status = 'paused'", hook.id);
  await objectOf(shop, hook.id).changed({ tenantId: shop.tenantId, webhookId: hook.id }, false);
  await createProduct(shop, { name: 'Cup' });
  await untilNewestIs(shop, hook.id, 'held');
});
