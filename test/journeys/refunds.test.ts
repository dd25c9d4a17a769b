/** Refunds while Workers crash and calls fail: money, stock and events add up all the same. */

import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { expectConsistent } from '../support/auditor/index.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { FaultInjector } from '../support/faults/injector.ts';
import { crashingWorker } from '../support/faults/worker-crashes.ts';
import { cartWith, checkoutPath, cron, submitCheckout } from '../support/fixtures/selling/checkout.ts';
import { cupShop, orderOf, type Sold, sendStripeEvent } from '../support/fixtures/selling/refunds.ts';
import { silenceConsole } from '../support/fixtures/selling/shopper.ts';
import { StripeStub } from '../support/fixtures/selling/stripe.ts';
import { sellThroughStripe } from '../support/fixtures/selling/stripe-shop.ts';
import { random } from '../support/seeded-random.ts';

const STOCK = 10;
const UNITS = 3;

beforeEach(silenceConsole);
afterEach(() => vi.restoreAllMocks());

/** Sells three cups in each of several orders of a shop with Stripe. */
async function soldOrders(stripe: StripeStub, count: number) {
  const { shop, cup } = await cupShop();
  await shop.post('/inventory/adjustments', { items: [{ sku: cup.body.sku, stock: STOCK * count }] });
  await sellThroughStripe(shop);
  const orders: (Sold & { session: ReturnType<StripeStub['sessionAt']> })[] = [];
  for (let n = 0; n < count; n++) {
    const path = await checkoutPath(shop, await cartWith(shop, cup, UNITS));
    const session = stripe.sessionAt((await submitCheckout(path, 'pay')).location);
    stripe.finish(session);
    await sendStripeEvent(shop, 'checkout.session.completed', session);
    orders.push({ shop, item: cup.body.id, session, id: session.metadata.order_id ?? '' });
  }
  return { shop, orders };
}

const call = (worker: Env, { shop, id }: Sold, body: object, key: string) =>
  fetchWith(worker, 'POST', `/v1/orders/${id}/refunds`, shop.token, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
  });

/** Runs the clock and the cron until every retry is due. */
async function settleRefunds(): Promise<void> {
  for (let n = 0; n < 8; n++) {
    moveClock(7 * 3_600_000);
    await cron();
  }
}

/** Asserts that Stripe has refunded what the orders say, each of our refunds once. */
async function expectSameAtStripe(stripe: StripeStub, { shop, id }: Sold, charge: string | null) {
  const made = stripe.refunds.filter((one) => one.payment_intent === charge && one.status === 'succeeded');
  const order = await orderOf({ shop, id });
  const succeeded = order.refunds.filter(({ status }: { status: string }) => status === 'succeeded');
  const cents = (list: { amount: number }[]) => list.map(({ amount }) => Math.round(amount * 100)).sort();
  expect(cents(succeeded)).toEqual(made.map(({ amount }) => amount).sort());
  const named = made.flatMap(({ metadata }) => metadata.refund_id ?? []);
  expect(new Set(named).size).toBe(named.length);
}

it('refunds once, wherever the request crashed', async () => {
  const stripe = new StripeStub();
  stripe.install();
  const body = { items: [{ line_id: 1, quantity: 2, restock: true }], shipping: true };
  const calls = async () => {
    const { orders } = await soldOrders(stripe, 1);
    const life = crashingWorker();
    const [order] = orders;
    if (order) await call(life.env, order, body, 'once');
    return life.calls.length;
  };
  const { shop, orders } = await soldOrders(stripe, await calls());
  let crashes = 0;
  for (const [n, order] of orders.entries()) {
    const life = crashingWorker(n + 1, 'after');
    await call(life.env, order, body, 'once').catch(() => null);
    if (life.crashed()) crashes += 1;
  }
  expect(crashes).toBeGreaterThan(orders.length * 0.7);
  // Half of the callers repeat their call; the cron completes what the others began.
  moveClock(31_000);
  for (const order of orders.filter((_, n) => n % 2 === 0)) {
    expect((await call(env, order, body, 'once')).status).toBe(201);
  }
  await settleRefunds();
  await expectConsistent(shop);
  for (const [n, order] of orders.entries()) {
    await expectSameAtStripe(stripe, order, order.session.payment_intent);
    const { refunds } = await orderOf(order);
    expect(refunds.length).toBeLessThanOrEqual(1);
    if (n % 2 === 0) expect(refunds).toMatchObject([{ status: 'succeeded', amount: 24.9 }]);
    for (const { status } of refunds) expect(status).toBe('succeeded');
  }
});

/** What a shop, its customers' banks and Stripe may do with an order. */
type Act = (
  order: Awaited<ReturnType<typeof soldOrders>>['orders'][number],
  luck: () => number,
) => Promise<unknown>;

it('keeps money, stock and events consistent while a fifth of all calls fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const faults = new FaultInjector(seed, 0.2);
      const luck = random(seed);
      const stripe = new StripeStub();
      let reliable = true;
      stripe.install(async (name, request) => {
        const chance = faults.luck(`stripe ${name}`);
        if (reliable || chance() >= 0.2) return request();
        if (chance() < 0.5) await request();
        throw new TypeError('network error');
      });
      const { shop, orders } = await soldOrders(stripe, 8);
      reliable = false;
      const worker = ({ id }: Sold) => faults.worker(`order ${orders.findIndex((one) => one.id === id)}`);
      let keys = 0;
      const twice = async (order: Sold, body: object) => {
        const key = `k-${keys++}`;
        await Promise.all([1, 2].map(() => call(worker(order), order, body, key).catch(() => null)));
      };
      const dashboard: Act = async ({ session }) => {
        const left =
          session.amount_total -
          stripe.refunds.reduce(
            (sum, one) =>
              one.payment_intent === session.payment_intent && !['failed', 'canceled'].includes(one.status)
                ? sum + one.amount
                : sum,
            0,
          );
        if (left >= 300) stripe.refundInDashboard(session, 300);
      };
      const notify: Act = ({ session }) =>
        sendStripeEvent(shop, 'charge.refunded', {
          payment_intent: session.payment_intent,
          metadata: session.metadata,
        }).catch(() => null);
      const acts: readonly Act[] = [
        (order, luck) => twice(order, { items: [{ line_id: 1, quantity: 1, restock: luck() < 0.5 }] }),
        (order, luck) => twice(order, { items: [{ line_id: 1, quantity: 1, restock: luck() < 0.5 }] }),
        (order) => twice(order, { shipping: true }),
        (order) => twice(order, { amount: 2.5 }),
        (order) => twice(order, {}),
        dashboard,
        notify,
        (order, luck) =>
          luck() < 0.3
            ? fetchWith(worker(order), 'POST', `/v1/orders/${order.id}/cancel`, shop.token).catch(() => null)
            : Promise.resolve(),
      ];
      for (let round = 0; round < 6; round++) {
        await Promise.all(
          orders.map((order, n) => {
            const own = faults.luck(`act of order ${n}`);
            return acts[Math.floor(own() * acts.length)]?.(order, own);
          }),
        );
        if (luck() < 0.5) moveClock(Math.floor(luck() * 90 * 60_000));
        await cron(faults.worker('cron'));
      }
      reliable = true;
      await settleRefunds();
      for (const order of orders) await notify(order, luck);
      for (const order of orders) await expectSameAtStripe(stripe, order, order.session.payment_intent);
      await expectConsistent(shop);
    }),
    { numRuns: 1, endOnFailure: true },
  );
});
