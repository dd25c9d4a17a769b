/** A move takes its share of the databases' time, as all background work of a tenant. */
import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { directory } from '../../src/kernel/data/database.ts';
import { advanceMoves } from '../../src/moves/index.ts';
import { Tenant } from '../../src/tenants/index.ts';
import { runtime } from '../support/runtime/runtime.ts';
import { shownMove, startMove } from '../support/shards/moving.ts';
import { world } from '../support/world.ts';

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
