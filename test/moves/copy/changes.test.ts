/** What changes while a tenant moves goes along, and a crash anywhere loses nothing. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { advanceMove } from '../../../src/moves/advance-move.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { AT_ONCE, connectionLost } from '../../support/faults/injector.ts';
import { busyShop } from '../../support/fixtures/busy-shop.ts';
import { createProduct, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { cartWith, checkoutPath, submitCheckout } from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { runtime } from '../../support/runtime/runtime.ts';
import { otherShard, rowsOn, runMove, shownMove, startMove } from '../../support/shards/moving.ts';
import { placedOn } from '../../support/shards/rows.ts';
import type { World } from '../../support/world.ts';

/** Returns a tenant's rows on both shards without what follows the switch: relayed events, the catalogue version. */
async function bothCopies(shop: World, source: string, target: string) {
  const copies = await Promise.all([source, target].map((name) => rowsOn(shop, name)));
  return copies.map(({ tenants, outbox, ...rows }) => ({
    ...rows,
    tenants: tenants?.map((row) => ({ ...JSON.parse(row), catalog_version: 0, stock_moved_at: 0 })),
    outbox: outbox?.map((row) => ({ ...JSON.parse(row), relayed_at: 0 })),
  }));
}

const ADDRESS = {
  first_name: 'A',
  last_name: 'B',
  street: 'S 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};

/** Returns things to do to a shop: one after the other, each changes rows in a way of its own. */
async function changesOf(shop: World): Promise<readonly (() => Promise<unknown>)[]> {
  const [a, b] = [
    (await shop.post('/categories', { name: 'A', slug: 'a' })).body.id,
    (await shop.post('/categories', { name: 'B', slug: 'b' })).body.id,
  ];
  const doomed = (await shop.post('/categories', { name: 'Doomed', slug: 'doomed' })).body.id;
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 50, category_ids: [a, doomed] });
  const customer = await registerCustomer(shop);
  const session = withSession(customer.token);
  const slugOf = (id: number, slug: string) => shop.patch(`/categories/${id}`, { slug });
  return [
    () => shop.patch(`/products/${mug.body.id}`, { slug: 'renamed-mug', price: 12 }),
    async () => {
      // Two rows exchange a unique value.
      for (const [id, slug] of [
        [a, 'c'],
        [b, 'a'],
        [a, 'b'],
      ] as const)
        expect((await slugOf(id, slug)).status).toBe(200);
    },
    () => shop.post('/inventory/adjustments', { items: [{ sku: mug.body.sku, delta: -3 }] }),
    async () => submitCheckout(await checkoutPath(shop, await cartWith(shop, mug, 1)), 'pay'),
    () => shop.delete(`/categories/${doomed}`),
    () => shop.post('/customers/me/addresses', { ...ADDRESS, default: true }, session),
    () => shop.post('/customers/me/addresses', { ...ADDRESS, street: 'S 2', default: true }, session),
    () => createProduct(shop, { name: 'New', category_ids: [b] }),
    () =>
      shop.patch(`/products/${mug.body.id}`, {
        name: "It's \u201cquoted\u201d 🎉",
        attributes: { Size: ['L'] },
      }),
    async () => shop.put('/customers/me/cart', { cart_token: await cartWith(shop, mug, 1) }, session),
    () => shop.delete(`/products/${mug.body.id}`),
  ];
}

it('copies what changes in every state', { timeout: 240_000 }, async () => {
  const { shop } = await busyShop();
  const changes = await changesOf(shop);
  // More products than a page of them, so that changes come before and behind the place of the copy.
  for (let n = 0; n < 45; n++) await createProduct(shop, { name: `Plate ${n}` });
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const id = await startMove(shop);
  const left = [...changes];
  const change = async () => {
    for (const next of left.splice(0, 2)) await next();
  };
  const move = await runMove(shop, id, { between: change });
  expect(move).toMatchObject({ state: 'switched', progress: { repaired_rows: 0 } });
  expect(move.progress.changed_rows).toBeGreaterThan(20);
  const [old, current] = await bothCopies(shop, source, target);
  expect(current).toEqual(old);
  expect((await shop.get('/products/slug/cup')).status).toBe(200);
});

/** The bindings that a move calls. */
const BINDINGS = [
  'DB',
  'SHARD_01',
  'SHARD_02',
  'SEARCH_01',
  'SEARCH_02',
  'TENANT',
  'LIST_INDEX',
  'SEARCH_QUEUE',
];

/** Returns bindings whose `nth` call is the last, and whether it was reached: it takes effect or not. */
function crashing(nth: number, takesEffect: boolean) {
  let calls = 0;
  const between = async (call: () => unknown): Promise<unknown> => {
    calls += 1;
    if (calls > nth || (calls === nth && !takesEffect)) throw connectionLost();
    const answer = await call();
    if (calls >= nth) throw connectionLost();
    return answer;
  };
  const names = BINDINGS.filter((name): name is keyof Env => Reflect.has(env, name));
  const bindings = interceptBindings(names, (name, call) => (AT_ONCE.test(name) ? call() : between(call)));
  return { bindings, crashed: () => calls >= nth };
}

it.each([
  ['before', false],
  ['after', true],
] as const)('goes on after a crash %s any call', { timeout: 400_000 }, async (_, takesEffect) => {
  const { shop } = await busyShop();
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const id = await startMove(shop);
  let crashes = 0;
  for (let over = false, step = 0; !over; step++) {
    expect(step).toBeLessThan(100);
    for (let nth = 1; ; nth++) {
      const { bindings, crashed } = crashing(nth, takesEffect);
      await advanceMove({ ...runtime, env: bindings }, id).catch(() => undefined);
      moveClock(MINUTE);
      if (!crashed()) break;
      crashes += 1;
    }
    over = (await shownMove(shop, id)).state === 'switched' && (await advanceMove(runtime, id)) === false;
  }
  expect(crashes).toBeGreaterThan(20);
  expect(await shownMove(shop, id)).toMatchObject({ state: 'switched', progress: { repaired_rows: 0 } });
  const [old, current] = await bothCopies(shop, source, target);
  expect(current).toEqual(old);
  expect((await createProduct(shop, { name: 'Plate' })).status).toBe(201);
});
