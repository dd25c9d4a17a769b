/** What a cart may take while checkout keeps stock for it, and afterwards. */

import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  cron,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import type { Answer, World } from '../../support/world.ts';

/** Three of five cups in a cart, and a way to ask for another quantity. */
async function threeOfFive() {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 5 });
  const cart = await cartWith(shop, cup, 3);
  return { shop, cup, cart, path: await checkoutPath(shop, cart) };
}

const ask = (shop: World, cart: string, quantity: number, seen?: Answer) =>
  shop.patch('/cart/items/1', { cart_token: cart, quantity }, seen ? seeing(seen) : {});

/** The cart takes all five, and not one more. */
async function expectFive({ shop, cart }: { shop: World; cart: string }, seen?: Answer) {
  for (const quantity of [8, 6]) {
    const refused = await ask(shop, cart, quantity, seen);
    expect([refused.status, refused.body.code]).toEqual([409, 'insufficient_stock']);
    expect(refused.body.details).toMatchObject({ requested: quantity, in_cart: 0, available: 5 });
  }
  const all = await ask(shop, cart, 5, seen);
  expect([all.status, all.body.warnings]).toEqual([200, []]);
  expect((await ask(shop, cart, 6, seen)).status).toBe(409);
}

it.each([1, 2])('never exceeds the stock while some is reserved, started %i times', async (times) => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await stockedProduct(shop, { stock: 5 }), 3);
  const before = await shop.get(`/cart/${cart}`);
  for (let n = 0; n < times; n++) await checkoutPath(shop, cart);
  const after = await shop.get(`/cart/${cart}`);
  expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
  await expectFive({ shop, cart });
});

it("never exceeds the stock, whatever the catalogue's cache still shows", async () => {
  const { shop, cup, cart } = await threeOfFive();
  const more = (quantity: number) =>
    shop.post('/cart/items', { cart_token: cart, product_id: cup.body.id, quantity });
  expect(await more(3)).toMatchObject({ status: 409, body: { details: { in_cart: 3, available: 5 } } });
  expect((await more(1)).status).toBe(200);
  expect(await more(2)).toMatchObject({ status: 409, body: { details: { in_cart: 4 } } });
  await expectFive({ shop, cart });
});

it('counts its reservation after prices were looked up again', async () => {
  const world = await threeOfFive();
  const dearer = await world.shop.patch(`/products/${world.cup.body.id}`, { price: 9 });
  await world.shop.get(`/cart/${world.cart}`, seeing(dearer));
  expect((await startCheckout(world.shop, world.cart)).status).toBe(200);
  await expectFive(world, dearer);
});

it('takes all of it in a later edit of one request, of which the first released it', async () => {
  const world = await threeOfFive();
  const { shop, cup, cart } = world;
  // From then on what the catalogue shows leaves out the stock that is reserved.
  const dearer = await shop.patch(`/products/${cup.body.id}`, { price: 9 });
  const edit = (...operations: object[]) => shop.post(`/cart/${cart}/batch`, { operations }, seeing(dearer));
  const note = { op: 'metadata', metadata: { gift: 'yes' } };
  const more = (quantity: number) => ({ op: 'add', product_id: cup.body.id, quantity });
  const refused = await edit(note, more(3));
  expect([refused.status, refused.body.details]).toMatchObject([409, { in_cart: 3, available: 5, index: 1 }]);
  const again = await edit({ op: 'remove', item_id: 1 }, more(6));
  expect([again.status, again.body.details]).toMatchObject([409, { in_cart: 0, available: 5, index: 1 }]);
  const all = await edit(note, more(1), more(1));
  expect([all.status, all.body.total_quantity]).toEqual([200, 5]);
});

it.each([
  ['the order was cancelled', ['decline', 'cancel']],
  ['the shopper turned back', ['cancel']],
])('never exceeds the stock after %s', async (_, actions) => {
  const world = await threeOfFive();
  for (const action of actions) await submitCheckout(world.path, action);
  await expect
    .poll(async () => (await ask(world.shop, world.cart, 4)).body.code ?? 'ok')
    .not.toBe('cart_locked');
  await expectFive(world);
});

it.each([false, true])(
  'ignores its reservation once it has expired, looked up meanwhile: %s',
  async (looked) => {
    const world = await threeOfFive();
    const dearer = looked
      ? await world.shop.patch(`/products/${world.cup.body.id}`, { price: 9 })
      : undefined;
    if (dearer) await world.shop.get(`/cart/${world.cart}`, seeing(dearer));
    moveClock(16 * 60_000);
    await cron();
    const shown = await world.shop.get(`/cart/${world.cart}`);
    expect(shown.body.warnings.filter(({ code }: { code: string }) => code !== 'price_changed')).toEqual([]);
    await expectFive(world);
  },
);
