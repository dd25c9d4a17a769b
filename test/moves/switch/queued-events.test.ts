/** What a queue's message names is looked for at the tenant's present shard. */
import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import worker from '../../../src/index.ts';
import { learnShard } from '../../../src/kernel/shards/shard-map.ts';
import { isShardName } from '../../../src/kernel/shards/shard-names.ts';
import { commitEvent, Receiver, subscribe, until } from '../../support/fixtures/webhooks.ts';
import { runMove, startMove } from '../../support/shards/moving.ts';
import { placedOn } from '../../support/shards/rows.ts';
import { world } from '../../support/world.ts';

it('delivers an event of the new shard, although the isolate took the old one for the tenant’s', async () => {
  const [shop, receiver] = [await world(), new Receiver()];
  await subscribe(shop, receiver.url);
  const source = await placedOn(shop);
  if (!isShardName(source)) throw new Error(source);
  await runMove(shop, await startMove(shop));
  const eventId = await commitEvent(shop);
  learnShard(shop.tenantId, source);
  const body = { tenantId: shop.tenantId, eventId };
  const [batch, ctx] = [
    createMessageBatch('webhook-events', [{ id: '1', timestamp: new Date(), attempts: 1, body }]),
    createExecutionContext(),
  ];
  await worker.queue(batch, env, ctx);
  expect((await getQueueResult(batch, ctx)).explicitAcks).toEqual(['1']);
  await until(() => expect(receiver.ids).toEqual([eventId]));
});
