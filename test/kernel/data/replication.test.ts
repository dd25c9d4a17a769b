import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith, recordedBindings } from '../../support/faults/bindings.ts';
import { addLaggingReplica, type Replica } from '../../support/faults/lagging-replica.ts';
import { fiveCups, NEWEST } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
} from '../../support/fixtures/selling/checkout.ts';
import { world } from '../../support/world.ts';

/** How far (ms) the copy is behind that sessions may read. */
const LAG = 400;

let replica: Replica | undefined;
beforeAll(async () => {
  replica = await addLaggingReplica(LAG);
});
afterEach(() => replica?.pause());
afterAll(() => replica?.end());

it("serves catalogue reads from a lagging replica, at the replica's version", async () => {
  const shop = await world();
  const { id } = (await fiveCups(shop)).body;
  await replica?.begin();
  const written = await shop.patch(`/products/${id}`, { price: 12 });
  const before = replica?.reads() ?? 0;
  const headers = { 'x-catalog-version': written.headers.get('x-catalog-version') ?? '' };
  expect((await shop.get(`/products/${id}`, { headers })).body.price).toBe(12);
  expect((await shop.get('/products', { headers })).body.data[0].price).toBe(12);
  expect(replica?.reads()).toBeGreaterThan(before);
});

it('waits at a replica for the version of the lease, in place of a second read at the primary', async () => {
  const shop = await world();
  const { id } = (await fiveCups(shop)).body;
  await replica?.begin();
  await shop.patch(`/products/${id}`, { price: 12 });
  // The next lease knows the change.
  moveClock(2_000);
  await shop.get('/theme/options');
  const { env, calls } = recordedBindings();
  const before = replica?.reads() ?? 0;
  const answer = await fetchWith(env, 'GET', `/v1/products/${id}`, shop.token);
  expect(await answer.json()).toMatchObject({ price: 12 });
  expect(calls.filter((call) => /^(DB|SHARD_\d\d)\.batch$/.test(call))).toHaveLength(1);
  expect((replica?.reads() ?? 0) - before).toBe(1);
});

it('takes one payment from a shopper who submits five times, while the replica lags', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop), 2));
  await replica?.begin();
  const form = { ...ADDRESS, shown_total: '2000', action: 'pay' };
  const pages = await Promise.all([1, 2, 3, 4, 5].map(() => browse(path, form)));
  expect(pages.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  expect(new Set(pages.map((page) => readReturn(page).order_id)).size).toBe(1);
});

it('serializes concurrent changes, while the replica lags', async () => {
  const shop = await world();
  const { id } = (await fiveCups(shop)).body;
  await replica?.begin();
  const patches = [{ name: 'Mug' }, { price: 11 }, { barcode: '1' }, { vendor: 'Acme' }];
  const answers = await Promise.all(patches.map((patch) => shop.patch(`/products/${id}`, patch)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { name, price, barcode, vendor } = (await shop.get(`/products/${id}`, NEWEST)).body;
  expect({ name, price, barcode, vendor }).toEqual({ name: 'Mug', price: 11, barcode: '1', vendor: 'Acme' });
});
