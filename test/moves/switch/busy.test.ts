/** A shop that takes orders while it moves: rows that may be large, and are small. */
import { expect, it } from 'vitest';
import { DATABASES, interceptBindings } from '../../support/faults/bindings.ts';
import { watchStatements } from '../../support/faults/database.ts';
import { runMove, startMove } from '../../support/shards/moving.ts';
import { world } from '../../support/world.ts';
import { takeOrders } from './order-rows.ts';

it('switches at its first hold', async () => {
  const shop = await world();
  const id = await startMove(shop);
  let holds = false;
  const unwatch = watchStatements((text) => {
    holds ||= /INSERT INTO tenant_fences[\s\S]*'held'/.test(text);
  });
  // What arrives just before writes are held.
  const bindings = interceptBindings(DATABASES, (name, call) => {
    if (!holds || !/\.run$/.test(name)) return call();
    holds = false;
    unwatch();
    return takeOrders(shop, 90).then(call);
  });
  const between = async (state: string) => state === 'holding' && takeOrders(shop, 150);
  expect(await runMove(shop, id, { bindings, between })).toMatchObject({
    state: 'switched',
    progress: { held: 1 },
  });
});

it('copies what has gathered before it holds writes', async () => {
  const shop = await world();
  const id = await startMove(shop);
  let gathered = 0;
  const between = async (state: string) => {
    if (state !== 'holding' || gathered > 0) return;
    gathered = 3_000;
    await takeOrders(shop, gathered / 2);
  };
  const moved = await runMove(shop, id, { between });
  expect(moved).toMatchObject({ state: 'switched', progress: { held: 1 } });
});
