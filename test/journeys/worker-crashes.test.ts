/** Checkout crashes at each call that it awaits: each cart ends with one order, or none. */

import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { expectConsistent } from '../support/auditor/index.ts';
import { runCron } from '../support/cron.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { crashingWorker } from '../support/faults/worker-crashes.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { cartWith, OWN_CHECKOUT, sandboxShop } from '../support/fixtures/selling/checkout.ts';
import {
  DECLINED,
  expectStock,
  GIVEN_UP,
  NOTHING,
  REFUNDED,
  SOLD,
  settle,
} from '../support/fixtures/selling/outcomes.ts';
import {
  crashAtEveryCall,
  expectOutcome,
  externalCall,
  forEachConcurrently,
  Shopper,
  type ShopperAction,
  silenceConsole,
} from '../support/fixtures/selling/shopper.ts';
import { event, StripeStub } from '../support/fixtures/selling/stripe.ts';
import { sellThroughStripe } from '../support/fixtures/selling/stripe-shop.ts';
import type { World, WorldOptions } from '../support/world.ts';

const STOCK = 1000;

beforeEach(silenceConsole);
afterEach(() => vi.restoreAllMocks());

/** Creates a shop with one product. */
async function opened(options: WorldOptions = {}) {
  const shop = await sandboxShop(options);
  const cup = await stockedProduct(shop, { stock: STOCK });
  return { shop, cup, item: cup.body.id as number };
}

const soldIn = async (shop: World) => (await shop.get('/orders?status=paid')).body.meta.total;

const nothing: ShopperAction = async () => undefined;
const buy: ShopperAction = (shopper, worker) => shopper.buy(worker);
const order: ShopperAction = async (shopper, worker) => {
  await shopper.leave(worker);
  await shopper.submit(worker, 'decline');
};

it('sells once to shoppers who retry, wherever the first attempt crashed', async () => {
  const { shop, cup, item } = await opened();
  const shoppers = await crashAtEveryCall([shop, cup], 'after', nothing, buy);
  await forEachConcurrently(shoppers, async (shopper) => {
    await shopper.buy(env);
    expect([shopper.crash, shopper.returned('status')]).toEqual([shopper.crash, 'paid']);
  });
  await settle();
  await expectOutcome(shoppers, [SOLD]);
  await expectStock(shop, item, STOCK, await soldIn(shop));
});

it('releases everything of shoppers who never return, unless they paid', async () => {
  const { shop, cup, item } = await opened();
  const shoppers = await crashAtEveryCall([shop, cup], 'before', nothing, buy);
  await settle();
  const sold = await expectOutcome(shoppers, [NOTHING, GIVEN_UP, SOLD]);
  expect(sold).toBeGreaterThan(0);
  expect(sold).toBeLessThan(shoppers.length / 2);
  await expectStock(shop, item, STOCK, await soldIn(shop));
});

it('cancels once, wherever the cancellation crashed', async () => {
  const { shop, cup, item } = await opened();
  const cancel: ShopperAction = (shopper, worker) => shopper.submit(worker, 'cancel');
  const shoppers = await crashAtEveryCall([shop, cup], 'after', order, cancel);
  await forEachConcurrently(shoppers, (shopper) => cancel(shopper, env));
  await settle();
  await expectOutcome(shoppers, [DECLINED]);
  await expectStock(shop, item, STOCK, 0);
});

it('refunds and cancels a paid order once, wherever the request crashed', async () => {
  const { shop, cup, item } = await opened();
  const refund: ShopperAction = (shopper, worker) =>
    fetchWith(worker, 'POST', `/v1/orders/${shopper.returned('order_id')}/cancel`, shop.token);
  const shoppers = await crashAtEveryCall([shop, cup], 'after', buy, refund);
  await forEachConcurrently(shoppers, (shopper) => refund(shopper, env));
  await settle();
  await expectOutcome(shoppers, [REFUNDED]);
  await expectStock(shop, item, STOCK, 0);
});

it('ships once, wherever the request crashed, if it is repeated with its key', async () => {
  const { shop, cup, item } = await opened();
  const ship = (shopper: Shopper, worker: Env) =>
    fetchWith(worker, 'POST', `/v1/orders/${shopper.returned('order_id')}/fulfilments`, shop.token, {
      body: '{}',
      headers: { 'content-type': 'application/json', 'idempotency-key': shopper.cartId },
    });
  const shoppers = await crashAtEveryCall([shop, cup], 'after', buy, ship);
  // What a crashed request had begun is its retry's after half a minute.
  moveClock(31_000);
  await forEachConcurrently(shoppers, async (shopper) => {
    const { status } = await ship(shopper, env);
    expect([shopper.crash, status]).toEqual([shopper.crash, 201]);
    const { body } = await shop.get(`/orders/${shopper.returned('order_id')}`);
    expect([body.fulfilment_status, body.fulfilments.length]).toEqual(['fulfilled', 1]);
  });
  await settle();
  await expectConsistent(shop);
  await expectStock(shop, item, STOCK, await soldIn(shop));
});

it('cancels unpaid orders once, wherever the cron crashed', async () => {
  const { shop, cup, item } = await opened();
  const shoppers: Shopper[] = [];
  for (const act of [order, order, (one: Shopper) => one.leave(env)]) {
    const shopper = new Shopper(shop, await cartWith(shop, cup));
    await act(shopper, env);
    shoppers.push(shopper);
  }
  moveClock(70 * 60_000);
  let deaths = 0;
  for (const when of ['before', 'after'] as const) {
    for (let nth = 1; ; nth++) {
      const life = crashingWorker(nth, when);
      // A dead Worker consumes no further messages.
      await runCron({ bindings: life.env, deliver: (message) => (life.crashed() ? [] : [message]) });
      if (!life.crashed()) break;
      deaths += 1;
    }
  }
  expect(deaths).toBeGreaterThan(30);
  await settle();
  await expectOutcome(shoppers, [DECLINED, NOTHING]);
  await expectStock(shop, item, STOCK, 0);
});

it("sells once through the shop's own checkout, which repeats calls without a key, wherever a request crashed", async () => {
  const { shop, cup, item } = await opened({ settings: OWN_CHECKOUT });
  const call = async (worker: Env, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { headers, body: JSON.stringify(body) };
    const response = await fetchWith(worker, 'POST', `/v1${path}`, shop.token, init);
    return response.ok ? response.json<{ id: string; status: string }>() : null;
  };
  const status = new Map<Shopper, string | undefined>();
  const pay: ShopperAction = async (shopper, worker) => {
    if (shopper.session === null) await shopper.leave(worker);
    const { session } = shopper;
    if (session === null) return;
    const order = await call(worker, '/orders', { session });
    const report = { status: 'paid', reference: session };
    const paid = order && (await call(worker, `/orders/${order.id}/payments`, report));
    status.set(shopper, paid?.status);
  };
  const shoppers = await crashAtEveryCall([shop, cup], 'after', nothing, pay);
  await forEachConcurrently(shoppers, async (shopper) => {
    await pay(shopper, env);
    expect([shopper.crash, status.get(shopper)]).toEqual([shopper.crash, 'paid']);
  });
  await settle();
  await expectOutcome(shoppers, [SOLD]);
  await expectStock(shop, item, STOCK, await soldIn(shop));
});

it('sells once through Stripe, which repeats failed callbacks, wherever a request crashed', async () => {
  const stripe = new StripeStub();
  stripe.install(externalCall);
  const { shop, cup, item } = await opened();
  await sellThroughStripe(shop);
  const sendNotice = (worker: Env, session: object) => {
    const { body, signature } = event('checkout.session.completed', session);
    const headers = { 'stripe-signature': signature };
    return fetchWith(worker, 'POST', `/payments/stripe/${shop.slug}`, null, { body, headers });
  };
  const pay: ShopperAction = async (shopper, worker) => {
    await shopper.leave(worker);
    await shopper.submit(worker, 'pay');
    if (shopper.away?.host !== 'checkout.stripe.com') return;
    const session = stripe.sessionAt(shopper.away.href);
    stripe.finish(session);
    let answered = await sendNotice(worker, session);
    while (answered.status !== 204) answered = await sendNotice(env, session);
    await shopper.open(worker, '/return');
  };
  const shoppers = await crashAtEveryCall([shop, cup], 'after', nothing, pay);
  await forEachConcurrently(shoppers, async (shopper) => {
    const isPaying = shopper.away?.host === 'checkout.stripe.com';
    await (isPaying ? shopper.open(env, '/return') : pay(shopper, env));
    expect([shopper.crash, shopper.returned('status')]).toEqual([shopper.crash, 'paid']);
  });
  await settle();
  await expectOutcome(shoppers, [SOLD]);
  await expectStock(shop, item, STOCK, await soldIn(shop));
  expect(stripe.refunds).toEqual([]);
});
