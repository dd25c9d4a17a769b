/** A move takes its share of the databases' time, as all background work of a tenant. */
import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { MINUTE, now } from '../../src/kernel/core/clock.ts';
import { directory } from '../../src/kernel/data/database.ts';
import { advanceMoves } from '../../src/moves/index.ts';
import { Tenant } from '../../src/tenants/index.ts';
import { runtime } from '../support/runtime/runtime.ts';
import { runMove, shownMove, startMove } from '../support/shards/moving.ts';
import { world } from '../support/world.ts';

afterEach(() => vi.restoreAllMocks());

it('is charged for the time that each step takes of both shards', async () => {
  const shop = await world();
  const id = await startMove(shop);
  const charge = vi.spyOn(Tenant.prototype, 'chargeBackground');
  const chore = { ...runtime, db: directory(env) };
  const { each = [] } = await advanceMoves(chore, {});
  const step = each.find((one) => one.id === id);
  for (let next = step, steps = 1; next; steps++) {
    next = (await advanceMoves(chore, next)).more;
    expect(charge.mock.calls.length).toBeGreaterThanOrEqual(steps);
  }
  expect(charge.mock.calls.some(([ms]) => ms > 0)).toBe(true);
  expect((await shownMove(shop, id)).state).toBe('switched');
});

it('leaves its pauses to the queue, but for the one before writes are held', async () => {
  const shop = await world();
  const id = await startMove(shop);
  vi.spyOn(Tenant.prototype, 'chargeBackground').mockReturnValue(3_400);
  const delays = new Map<string, number | undefined>();
  const startedAt = performance.now();
  for (let goesOn = true; goesOn; ) {
    const { more, delaySeconds } = await advanceMoves(
      { ...runtime, db: directory(env) },
      { id, tenantId: shop.tenantId },
    );
    delays.set((await shownMove(shop, id)).state, delaySeconds);
    goesOn = more !== undefined;
  }
  expect(performance.now() - startedAt).toBeLessThan(3_400 * delays.size);
  expect(Object.fromEntries(delays)).toEqual({
    copying: 3,
    catching_up: 3,
    comparing: 3,
    indexing: 3,
    holding: 0,
    switched: undefined,
  });
});

it('begins no step after the minute of its cron run, whose successor goes on', async () => {
  const shop = await world();
  const id = await startMove(shop);
  vi.spyOn(Tenant.prototype, 'chargeBackground').mockReturnValue(3_400);
  const sent: unknown[] = [];
  const sendBatch = async (messages: Iterable<{ delaySeconds?: number }>) => {
    for (const { delaySeconds } of messages) sent.push(delaySeconds);
  };
  const bindings = { ...env, MAINTENANCE_QUEUE: { sendBatch } } as unknown as Env; // all that is called
  const step = async (until: number) => {
    const body = { chore: 'moves', id, tenantId: shop.tenantId, until };
    const message = { id: String(until), timestamp: new Date(), attempts: 1, body };
    await worker.queue(createMessageBatch('maintenance', [message]), bindings, runtime.ctx);
    return sent.splice(0);
  };
  expect(await step(now() + MINUTE)).toEqual([3]);
  expect(await step(now() + 2_000)).toEqual([]);
  expect((await runMove(shop, id)).state).toBe('switched');
});
