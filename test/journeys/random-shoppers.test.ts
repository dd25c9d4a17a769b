/** Shoppers who do anything, in any order, at once, while calls fail and time passes. */

import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { directory, rows } from '../../src/kernel/data/database.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { unreliableWorker } from '../support/faults/worker-crashes.ts';
import { cartWith, cron, sandboxShop } from '../support/fixtures/checkout.ts';
import { expectNumbers, expectStock, outcomeOf, settle } from '../support/fixtures/outcomes.ts';
import { stockedProduct } from '../support/fixtures/products.ts';
import { Shopper, type ShopperAction, silenceConsole } from '../support/fixtures/shopper.ts';
import { random } from '../support/seeded-random.ts';
import type { World } from '../support/world.ts';

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

interface OrderHistory {
  readonly id: string;
  readonly status: string;
  /** Its events in their order, and its payments by state. */
  readonly events: string;
  readonly payments: string;
  readonly quantity: number;
}

const ordersOf = ({ tenantId }: World) =>
  rows<OrderHistory>(
    directory(env),
    sql`SELECT id, status,
      (SELECT group_concat(type) FROM (SELECT type FROM outbox WHERE tenant_id = ${tenantId}
        AND resource = 'order:' || orders.id ORDER BY sequence)) AS events,
      (SELECT group_concat(state) FROM (SELECT state FROM payments WHERE order_id = orders.id
        AND state NOT IN ('void', 'failed', 'refunded'))) AS payments,
      (SELECT sum(quantity) FROM order_lines WHERE tenant_id = ${tenantId} AND order_id = orders.id) AS quantity
      FROM orders WHERE tenant_id = ${tenantId} ORDER BY number`,
  );

/** Asserts that an order's events are complete: created once, each change once, the last one as stored. */
function expectCompleteEvents({ id, status, events, payments }: OrderHistory): void {
  const all = events.split(',');
  const reported = all.filter((type) => type !== 'order.refunded');
  // Paid and cancelled: refunded once, just before.
  const refunded = status === 'cancelled' && reported.includes('order.paid');
  expect(all.slice(-2), id).toEqual(refunded ? ['order.refunded', 'order.cancelled'] : reported.slice(-2));
  expect(reported[0], id).toBe('order.created');
  expect(
    reported.filter((type) => type === 'order.created'),
    id,
  ).toHaveLength(1);
  expect(
    reported.filter((type, n) => type === reported[n - 1]),
    `${id}: ${events}`,
  ).toEqual([]);
  expect(reported.at(-1), id).toBe(`order.${status}`);
  expect(payments, id).toBe(status === 'paid' ? 'paid' : null);
}

it('keeps stock, orders, payments and events consistent', async () => {
  silenceConsole();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const shop = await sandboxShop();
      const cup = await stockedProduct(shop, { stock: STOCK });
      const carts = await Promise.all(Array.from({ length: SHOPPERS }, () => cartWith(shop, cup)));
      const shoppers = carts.map((cart, n) => {
        const luck = random(seed + n * 7919);
        return { shopper: new Shopper(shop, cart), luck, worker: unreliableWorker(luck, FAULTS) };
      });
      const luck = random(seed);
      for (let round = 0; round < ROUNDS; round++) {
        const acts = shoppers.flatMap((one) => [one, one]);
        await Promise.all(
          acts.map(async ({ shopper, luck, worker }) =>
            ACTS[Math.floor(luck() * ACTS.length)]?.(shopper, worker),
          ),
        );
        if (luck() < 0.3) moveClock(luck() * 20 * 60_000);
        await cron(unreliableWorker(luck, FAULTS));
      }
      await settle();
      const orders = await ordersOf(shop);
      for (const order of orders) expectCompleteEvents(order);
      const sold = orders.filter(({ status }) => status === 'paid');
      await expectStock(
        shop,
        cup.body.id,
        STOCK,
        sold.reduce((sum, { quantity }) => sum + quantity, 0),
      );
      await expectNumbers(shop);
      for (const { shopper } of shoppers) {
        const outcome = await outcomeOf(shop, shopper.cartId);
        const paid = outcome.orders.filter((status) => status === 'paid');
        expect(paid.length, JSON.stringify(outcome)).toBeLessThanOrEqual(1);
        expect(outcome.reservations).toEqual(paid.map(() => 'consumed'));
        expect(outcome.cart).toBe(paid[0] ?? null);
      }
      expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['paid', 'cancelled']));
    }),
    { numRuns: 1, endOnFailure: true },
  );
}, 120_000);
