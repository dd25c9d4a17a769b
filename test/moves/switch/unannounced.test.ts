/** A move back that is asked for before the switch was announced doesn't end the announcement. */
import { expect, it, vi } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { advanceMove } from '../../../src/moves/advance-move.ts';
import { runCron } from '../../support/cron.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { AT_ONCE, connectionLost } from '../../support/faults/injector.ts';
import { createProduct, patchProduct } from '../../support/fixtures/catalog/products.ts';
import { silenceConsole } from '../../support/fixtures/selling/shopper.ts';
import { runtime } from '../../support/runtime/runtime.ts';
import { runMove, shownMove, startMove } from '../../support/shards/moving.ts';
import { admin, type World, world } from '../../support/world.ts';

const expectFound = (shop: World, word: string) =>
  vi.waitFor(
    async () => expect((await shop.get(`/search?q=${word}`)).body.data).toMatchObject([{ name: word }]),
    { timeout: 30_000, interval: 200 },
  );

it('brings search up to the last changes, also when the move back is cancelled', async () => {
  silenceConsole();
  const shop = await world();
  const cup = await createProduct(shop, { name: 'Becher' });
  await expectFound(shop, 'Becher');
  const id = await startMove(shop);
  while ((await shownMove(shop, id)).state !== 'holding') await advanceMove(runtime, id);
  // Search at the new shard is built by now.
  await patchProduct(shop, cup, { name: 'Tasse' });
  await expectFound(shop, 'Tasse');
  const bindings = interceptBindings(['LIST_INDEX'], (name, call) => {
    if (AT_ONCE.test(name)) return call();
    throw connectionLost();
  });
  await expect(runMove(shop, id, { bindings })).rejects.toThrow('connection lost');
  const path = `/tenants/${shop.slug}/moves`;
  const undo = await admin('POST', `${path}/${id}/undo`);
  expect(undo.status).toBe(201);
  moveClock(MINUTE);
  await advanceMove(runtime, undo.body.id);
  expect((await admin('POST', `${path}/${undo.body.id}/cancel`)).status).toBe(200);
  await runCron();
  expect((await shownMove(shop, undo.body.id)).state).toBe('cancelled');
  await expectFound(shop, 'Tasse');
});
