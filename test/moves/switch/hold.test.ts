/** How long a busy tenant's writes are held, counted in round trips to databases: their time is the platform's. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DATABASES, interceptBindings } from '../../support/faults/bindings.ts';
import { watchStatements } from '../../support/faults/database.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';
import { runMove, startMove } from '../../support/shards/moving.ts';
import { world } from '../../support/world.ts';

/** Statements that begin the hold, and end it for good. */
const HOLDS = /INSERT INTO tenant_fences[\s\S]*'held'/;
const SEALS = /UPDATE tenant_fences SET state = 'moved'/;
const TRIP = /\.(?:batch|all|raw|run|first)$/;

/**
 * The most round trips of an attempt while writes are held: one that holds, four rounds of changes of four trips and
 * one that finds none, one that finds the triggers, and one that seals.
 */
const MAX_TRIPS = 1 + 4 * 4 + 1 + 1 + 1;

it('holds writes for few round trips while a tenant writes in a loop', async () => {
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Cup' });
  const statuses = new Map<number, number>();
  let over = false;
  const write = async () => {
    for (let price = 1; !over; price = (price % 90) + 1) {
      const { status } = await shop.patch(`/products/${cup.body.id}`, { price });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const attempts: number[] = [];
  let held = false;
  const unwatch = watchStatements((text) => {
    if (HOLDS.test(text)) {
      held = true;
      attempts.push(0);
    }
    // The seal's own trip follows.
    if (SEALS.test(text)) {
      held = false;
      attempts.push((attempts.pop() ?? 0) + 1);
    }
  });
  const bindings = interceptBindings(DATABASES, (name, call) => {
    if (held && TRIP.test(name)) attempts.push((attempts.pop() ?? 0) + 1);
    return call();
  });
  const writing = Promise.all([write(), write()]);
  const move = await runMove(shop, await startMove(shop), { bindings });
  over = true;
  await writing;
  unwatch();
  expect(move.state).toBe('switched');
  expect(attempts).toHaveLength(move.progress.held);
  for (const trips of attempts) expect(trips).toBeLessThanOrEqual(MAX_TRIPS);
  // Two writers of one product conflict now and then.
  expect([...statuses.keys()].filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(0);
});

it('counts the rows of both copies before writes are held', async () => {
  const shop = await world();
  await createProduct(shop, { name: 'Cup' });
  const counted = { before: 0, held: 0 };
  let held = false;
  const unwatch = watchStatements((text) => {
    held = HOLDS.test(text) || (held && !SEALS.test(text));
    if (/count\(\*\) AS n FROM stock_movements/.test(text)) counted[held ? 'held' : 'before'] += 1;
  });
  expect(await runMove(shop, await startMove(shop))).toMatchObject({ state: 'switched' });
  unwatch();
  expect(counted).toEqual({ before: 2, held: 0 });
});

/** Returns bindings whose databases take too long, after a hold, for the switch, until `end` is called. */
function tooSlow() {
  // Trips until the one after the hold's own.
  let left = 0;
  const end = watchStatements((text) => {
    if (HOLDS.test(text)) left = 2;
  });
  const late = async <T>(call: () => T) => {
    await scheduler.wait(2_500);
    return call();
  };
  const bindings = interceptBindings(DATABASES, (name, call) => {
    if (left === 0 || !TRIP.test(name)) return call();
    left -= 1;
    return left === 0 ? late(call) : call();
  });
  return { bindings, end };
}

it('holds writes once in a minute where a hold was too short for the switch', async () => {
  const shop = await world();
  const { bindings, end } = tooSlow();
  const id = await startMove(shop);
  expect(await runMove(shop, id, { bindings })).toMatchObject({ state: 'holding', progress: { held: 1 } });
  end();
  expect((await createProduct(shop, { name: 'Cup' })).status).toBe(201);
  expect(await runMove(shop, id)).toMatchObject({ state: 'switched', progress: { held: 2 } });
});

it('gives a move up after ten holds, and the tenant stays where it was', async () => {
  const shop = await world();
  const { bindings, end } = tooSlow();
  const id = await startMove(shop);
  await env.DB.prepare("UPDATE tenant_moves SET progress = json_set(progress, '$.attempts', 9) WHERE id = ?")
    .bind(id)
    .run();
  expect(await runMove(shop, id, { bindings })).toMatchObject({ state: 'cancelled', progress: { held: 10 } });
  end();
  expect((await createProduct(shop, { name: 'Cup' })).status).toBe(201);
});
