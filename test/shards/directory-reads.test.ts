/** How often background work asks the directory, which all tenants share. */
import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test';
import { expect, it } from 'vitest';
import worker from '../../src/index.ts';
import { recordedBindings } from '../support/faults/bindings.ts';
import { stopClock } from '../support/runtime/stop-clock.ts';
import { shopOn } from '../support/shards/rows.ts';
import { world } from '../support/world.ts';

it('is once for a batch of search messages, however many tenants they name', async () => {
  const shops = [
    await shopOn('SHARD_01', world),
    await shopOn('SHARD_02', world),
    await shopOn('SHARD_02', world),
  ];
  stopClock();
  const messages = shops.map(({ tenantId }) => ({
    id: `search-${tenantId}`,
    timestamp: new Date(),
    attempts: 1,
    body: { tenantId, catchUp: true },
  }));
  const { env, calls } = recordedBindings(['DB']);
  const ctx = createExecutionContext();
  await worker.queue(createMessageBatch('search-index', messages), env, ctx);
  await waitOnExecutionContext(ctx);
  expect(calls.filter((call) => /\.(all|batch|raw|run|first)$/.test(call))).toHaveLength(1);
});
