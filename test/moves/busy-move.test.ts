/** A move that can't switch its tenant yet names the problem. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { advanceMove } from '../../src/moves/advance-move.ts';
import { DATABASES, interceptBindings } from '../support/faults/bindings.ts';
import { asAdmin } from '../support/fixtures/browser.ts';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import { runtime, storeOf } from '../support/runtime/runtime.ts';
import { runMove, shownMove, startMove } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import { type World, world } from '../support/world.ts';

/** Takes a new move to a state. Returns its id. */
async function moveIn(shop: World, state: string): Promise<string> {
  const id = await startMove(shop);
  while ((await shownMove(shop, id)).state !== state) await advanceMove(runtime, id);
  return id;
}

/** Notes more changes than one step copies. */
const noteMany = (shop: World) =>
  storeOf(shop)
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT OR REPLACE INTO move_changes (tenant_id, name, key)
        SELECT ?1, 'coupon_guesses', json_array(?1, 'a' || i) FROM n`,
    )
    .bind(shop.tenantId)
    .run();

it('says that its tenant is busy after 500 steps that left many changes, until it is switched', async () => {
  const shop = await world();
  const id = await moveIn(shop, 'catching_up');
  await noteMany(shop);
  await advanceMove(runtime, id);
  expect(await shownMove(shop, id)).toMatchObject({ state: 'catching_up', problem: null });
  await env.DB.prepare(
    "UPDATE tenant_moves SET progress = json_set(progress, '$.behind', progress ->> '$.behind' + 498) WHERE id = ?",
  )
    .bind(id)
    .run();
  await noteMany(shop);
  await advanceMove(runtime, id);
  expect(await shownMove(shop, id)).toMatchObject({ state: 'catching_up', problem: 'busy' });
  const admin = await asAdmin();
  const page = `/admin/tenants/${shop.slug}/moves`;
  expect((await admin.get(page)).html).toContain('It writes too much to be switched');
  expect(await runMove(shop, id)).toMatchObject({ state: 'switched', problem: null });
  expect((await admin.get(page)).html).not.toContain('writes too much');
});

it('says why it is cancelled after ten holds that were too short', async () => {
  const shop = await world();
  const id = await moveIn(shop, 'holding');
  let held = 0;
  // Each hold is over before the source can be sealed.
  const afterwards = async (call: () => unknown) => {
    const answer = await call();
    const ended = await storeOf(shop)
      .prepare("UPDATE tenant_fences SET held_until = 1 WHERE tenant_id = ? AND state = 'held'")
      .bind(shop.tenantId)
      .run();
    held += ended.meta.changes;
    return answer;
  };
  const bindings = interceptBindings(DATABASES, (name, call) =>
    name.endsWith('.run') ? afterwards(call) : call(),
  );
  const source = await placedOn(shop);
  for (let n = 0; n < 30 && (await shownMove(shop, id)).state !== 'cancelled'; n++) {
    await runMove(shop, id, { bindings });
    moveClock(MINUTE);
  }
  expect(held).toBeGreaterThanOrEqual(10);
  expect(await shownMove(shop, id)).toMatchObject({
    state: 'cancelled',
    problem: 'busy',
    progress: { held: 10 },
  });
  expect(await placedOn(shop)).toBe(source);
});

it.each(['catching_up', 'holding'])(
  'switches a tenant although a migration rebuilds a table meanwhile (%s)',
  async (state) => {
    const shop = await world();
    const cup = (await createProduct(shop, { name: 'Cup' })).body.id;
    const id = await moveIn(shop, state);
    // What rebuilding a table does to its triggers. Changes of the table are not noted from here on.
    for (const operation of ['insert', 'update', 'delete'])
      await storeOf(shop).prepare(`DROP TRIGGER "move_${shop.tenantId}_products_${operation}"`).run();
    expect((await shop.patch(`/products/${cup}`, { name: 'Mug' })).status).toBe(200);
    const moved = await runMove(shop, id);
    expect(moved).toMatchObject({ state: 'switched', problem: null, progress: { held: 2 } });
    expect((await shop.get(`/products/${cup}`)).body.name).toBe('Mug');
  },
);
