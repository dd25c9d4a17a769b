/** A shop at work while a fifth of all calls fail: promotions run out, a method is taken away, parcels, refunds. */

import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { rows } from '../../src/kernel/data/database.ts';
import { expectConsistent } from '../support/auditor/index.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { FaultInjector } from '../support/faults/injector.ts';
import { fieldsOfForm } from '../support/fixtures/browser.ts';
import { createProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import { ADDRESS, cron, RETURN_URL, sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { settle } from '../support/fixtures/selling/outcomes.ts';
import { cartSeeing, promote, promoteByCode } from '../support/fixtures/selling/promotions.ts';
import { silenceConsole } from '../support/fixtures/selling/shopper.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import { random } from '../support/seeded-random.ts';
import type { World } from '../support/world.ts';

const STOCK = 60;
const UNITS = 2;
const SHOPPERS = 18;
const ROUNDS = 8;
const FAULTS = 0.2;

beforeEach(silenceConsole);
afterEach(() => vi.restoreAllMocks());

const methods = (express: boolean) => ({
  shipping: {
    methods: [
      { id: 'parcel', name: 'Parcel', price: 5 },
      { id: 'express', name: 'Express', price: 9, active: express },
    ],
  },
});

/** A shop whose automatic promotion is good for two orders, and whose code for one. */
async function openShop() {
  const shop = await sandboxShop({ settings: methods(true) });
  const cup = await createProduct(shop, { stock: STOCK });
  await promote(shop, { combinable: true, max_uses: 2 });
  const effect = { kind: 'fixed', value: 2 };
  const seen = await promoteByCode(shop, 'TWO', { effect, combinable: true, max_uses: 1 });
  const carts = await Promise.all(
    Array.from({ length: SHOPPERS }, async (_, n) => {
      const { cart_token } = (await addToCart(shop, cup, { quantity: UNITS })).body;
      await cartSeeing(shop, cart_token, seen);
      await shop.put(`/cart/${cart_token}/shipping-method`, { id: n % 2 ? 'express' : 'parcel' });
      if (n % 3 === 0) await shop.post(`/cart/${cart_token}/coupon`, { code: 'TWO' });
      return cart_token as string;
    }),
  );
  return { shop, item: cup.body.id as number, carts };
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Calls the API by a Worker whose calls may fail; returns the response's body, or null. */
async function ask(
  worker: Env,
  shop: World,
  [method, path, body, key]: readonly [method: string, path: string, body?: object | undefined, key?: string],
) {
  const headers = { ...JSON_TYPE, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  const request = { headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await fetchWith(worker, method, `/v1${path}`, shop.token, request).catch(() => null);
  return answer?.ok ? await answer.json<Record<string, string>>().catch(() => null) : null;
}

/** Goes from the cart to the hosted page, and submits it as it is shown, twice if the total has changed. */
async function buy(worker: Env, shop: World, cart: string, action: string): Promise<void> {
  const start = { cart_token: cart, return_url: RETURN_URL };
  const started = await ask(worker, shop, ['POST', '/checkout/seamless', start]);
  if (!started?.redirect_url) return;
  const { pathname } = new URL(started.redirect_url);
  for (let shown = 0; shown < 2; shown++) {
    const page = await fetchWith(worker, 'GET', pathname, null).catch(() => null);
    if (page?.status !== 200) return;
    const fields = fieldsOfForm(await page.text(), 'class="details"');
    const body = new URLSearchParams({ ...fields, ...ADDRESS, action }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetchWith(worker, 'POST', pathname, null, { body, headers }).catch(() => null);
    if (answer?.status === 303) return;
  }
}

type Act = (
  worker: Env,
  shop: World,
  one: { cart: string; order: string | null; luck: () => number },
) => unknown;

let keys = 0;
const onOrder =
  (what: string, body: (luck: () => number) => object | undefined): Act =>
  (worker, shop, { order, luck }) =>
    order && ask(worker, shop, ['POST', `/orders/${order}/${what}`, body(luck), `key-${keys++}`]);

/** What shoppers and the shop may do; what is likelier comes more often. */
const ACTS: readonly Act[] = [
  (worker, shop, { cart }) => buy(worker, shop, cart, 'pay'),
  (worker, shop, { cart }) => buy(worker, shop, cart, 'pay'),
  (worker, shop, { cart }) => buy(worker, shop, cart, 'decline'),
  onOrder('fulfilments', () => ({ items: [{ line_id: 1, quantity: 1 }] })),
  onOrder('fulfilments', () => ({})),
  onOrder('refunds', (luck) => ({ items: [{ line_id: 1, quantity: 1, restock: luck() < 0.5 }] })),
  onOrder('refunds', () => ({ amount: 1.5 })),
  (worker, shop, one) => one.luck() < 0.2 && onOrder('cancel', () => undefined)(worker, shop, one),
  (worker, shop, { luck }) => ask(worker, shop, ['PATCH', '/settings', methods(luck() < 0.5)]),
];

it('keeps promotions, parcels, money and stock consistent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { shop, item, carts } = await openShop();
      const faults = new FaultInjector(seed, FAULTS);
      const shoppers = carts.map((cart, n) => ({
        cart,
        luck: random(seed + n * 7919),
        worker: faults.worker(`shopper ${n}`),
      }));
      const luck = random(seed);
      for (let round = 0; round < ROUNDS; round++) {
        const orders = await rows<{ id: string }>(
          databaseOf(shop),
          sql`SELECT id FROM orders WHERE tenant_id = ${shop.tenantId} AND status = 'paid'`,
        );
        await Promise.all(
          shoppers.map(async ({ cart, luck: own, worker }) => {
            const order = orders[Math.floor(own() * orders.length)]?.id ?? null;
            await ACTS[Math.floor(own() * ACTS.length)]?.(worker, shop, { cart, order, luck: own });
          }),
        );
        if (luck() < 0.3) moveClock(Math.floor(luck() * 20 * 60_000));
        await cron(faults.worker('cron'));
      }
      await settle();
      for (let retry = 0; retry < 4; retry++) {
        moveClock(7 * 3_600_000);
        await cron();
      }
      await expectConsistent(shop);
      expect((await shop.get('/orders')).body.meta.total).toBeGreaterThan(0);
      expect((await stockOf(item))?.reserved).toBe(0);
    }),
    { numRuns: 1, endOnFailure: true },
  );
});
