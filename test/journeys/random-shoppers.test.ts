/** Shoppers who do anything, in any order, at once, while calls fail and time passes. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { FaultInjector } from '../support/faults/injector.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { cartWith, cron, sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { expectStock, settle } from '../support/fixtures/selling/outcomes.ts';
import { Shopper, type ShopperAction, silenceConsole } from '../support/fixtures/selling/shopper.ts';
import { random } from '../support/seeded-random.ts';

const STOCK = 25;
const SHOPPERS = 24;
const ROUNDS = 10;
const FAULTS = 0.05;

const submit =
  (action: string, total?: number): ShopperAction =>
  (shopper, worker) =>
    shopper.submit(worker, action, total);

const call = (shopper: Shopper, worker: Env, method: string, path: string, body: object = {}) =>
  fetchWith(worker, method, `/v1${path}`, shopper.shop.token, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

/** What a shopper, or the shop, may do; what is likelier comes more often. */
const ACTS: readonly ShopperAction[] = [
  (shopper, worker) => shopper.leave(worker),
  (shopper, worker) => shopper.leave(worker),
  (shopper, worker) => shopper.leave(worker),
  (shopper, worker) => shopper.open(worker),
  (shopper, worker) => shopper.open(worker, '/return'),
  submit('pay'),
  submit('pay'),
  submit('pay', 2000),
  submit('decline'),
  submit('decline'),
  submit('cancel'),
  (shopper, worker) =>
    call(shopper, worker, 'PATCH', '/cart/items/1', { cart_token: shopper.cart, quantity: 2 }),
  (shopper, worker) =>
    call(shopper, worker, 'PATCH', '/cart/items/1', { cart_token: shopper.cart, quantity: 1 }),
  (shopper, worker) => call(shopper, worker, 'POST', `/orders/${shopper.returned('order_id')}/cancel`),
];

it('keeps stock, orders, payments and events consistent', async () => {
  silenceConsole();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const shop = await sandboxShop();
      const cup = await stockedProduct(shop, { stock: STOCK });
      const carts = await Promise.all(Array.from({ length: SHOPPERS }, () => cartWith(shop, cup)));
      const faults = new FaultInjector(seed, FAULTS);
      const shoppers = carts.map((cart, n) => ({
        shopper: new Shopper(shop, cart),
        luck: random(seed + n * 7919),
        worker: faults.worker(`shopper ${n}`),
      }));
      const luck = random(seed);
      for (let round = 0; round < ROUNDS; round++) {
        const acts = shoppers.flatMap((one) => [one, one]);
        await Promise.all(
          acts.map(async ({ shopper, luck, worker }) =>
            ACTS[Math.floor(luck() * ACTS.length)]?.(shopper, worker),
          ),
        );
        if (luck() < 0.3) moveClock(Math.floor(luck() * 20 * 60_000));
        await cron(faults.worker('cron'));
      }
      await settle();
      const orders: { status: string; items: { quantity: number }[] }[] = (
        await shop.get('/orders?limit=100')
      ).body.data;
      const sold = orders.filter(({ status }) => status === 'paid').flatMap(({ items }) => items);
      await expectStock(
        shop,
        cup.body.id,
        STOCK,
        sold.reduce((sum, { quantity }) => sum + quantity, 0),
      );
      expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['paid', 'cancelled']));
    }),
    { numRuns: 1, endOnFailure: true },
  );
});
