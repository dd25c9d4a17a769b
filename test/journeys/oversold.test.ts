/** A crowd of shoppers wants more than the stock while calls fail. */

import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { DAY, HOUR, iso, now } from '../../src/kernel/core/clock.ts';
import { rows } from '../../src/kernel/data/database.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { FaultInjector } from '../support/faults/injector.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { bindWriter } from '../support/fixtures/catalog/stock-writer.ts';
import { sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { expectStock, settle } from '../support/fixtures/selling/outcomes.ts';
import { Shopper, silenceConsole } from '../support/fixtures/selling/shopper.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

/**
 * Ten shoppers want each piece. 200 of them send some 3,000 calls of bindings at once, 600 of which fail, so each
 * fault meets each step many times; SHOPPERS=1000 adds calls, but no kind of interleaving.
 */
const SHOPPERS = inject('shoppers');
const STOCK = Math.ceil(SHOPPERS / 10);
const FAULTS = 0.2;
/** When the tour is that may sell out. */
const SLOT = { from: iso(now() + DAY), to: iso(now() + DAY + HOUR) };
/**
 * The most attempts at one step. The limiter is spared: it refuses for half a second once it can't be reached, and
 * these shoppers don't wait.
 */
const MAX_TRIES = 60;

const isSoldOut = (code: string | undefined): boolean =>
  code === 'insufficient_stock' || code === 'slot_unavailable';

/** Retries a step until its result is known. */
async function retryUntilDefinite<T>(step: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const made = await attempt();
    if (made !== null) return made;
  }
  throw new Error(`${step}: nothing definite after ${MAX_TRIES} tries`);
}

/** What a shopper wants one of, and its price in cents. */
interface Wish {
  readonly product_id: number;
  readonly options?: object;
  readonly total: number;
}

/** Adds it to a cart; returns the cart's token, or null when it is sold out. */
async function fill(
  worker: Env,
  shop: World,
  { total: _, ...wish }: Wish,
  n: number,
): Promise<string | null> {
  const body = JSON.stringify({ ...wish, quantity: 1 });
  const headers = { 'content-type': 'application/json', 'idempotency-key': `shopper-${n}` };
  const { cart_token } = await retryUntilDefinite('cart', async () => {
    const answer = await fetchWith(worker, 'POST', '/v1/cart/items', shop.token, { body, headers });
    const { code, cart_token = null } = await answer.json<{ code?: string; cart_token?: string }>();
    return answer.status === 200 || isSoldOut(code) ? { cart_token } : null;
  });
  return cart_token;
}

/** Buys it with any number of retries; returns the order that is reported as paid. */
async function buy(worker: Env, shop: World, wish: Wish, n: number): Promise<string | null> {
  const cart = await fill(worker, shop, wish, n);
  if (cart === null) return null;
  const shopper = new Shopper(shop, cart);
  const left = await retryUntilDefinite('checkout', async () => {
    const answer = await shopper.leave(worker);
    return answer === 'left' || isSoldOut(answer) ? answer : null;
  });
  if (left !== 'left') return null;
  return retryUntilDefinite('payment', async () => {
    await shopper.submit(worker, 'pay', wish.total);
    return shopper.returned('status') === 'paid' ? shopper.returned('order_id') : null;
  });
}

it('sells exactly what is in stock to a crowd of shoppers while calls fail at random', async () => {
  silenceConsole();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const faults = new FaultInjector(seed, FAULTS, { spared: ['RATE_LIMITER'] });
      const shop = await sandboxShop();
      const { tenantId } = shop;
      const cup = await stockedProduct(shop, { stock: STOCK });
      await bindWriter(shop, faults.worker('stock writer'));
      const wish = { product_id: cup.body.id, total: 1000 };
      const reported = await Promise.all(
        Array.from({ length: SHOPPERS }, (_, n) => buy(faults.worker(`shopper ${n}`), shop, wish, n)),
      );
      await settle();
      const bought = reported.filter((order) => order !== null).sort();
      expect(bought).toHaveLength(STOCK);
      const orders = await rows<{ id: string; status: string }>(
        databaseOf({ tenantId }),
        sql`SELECT id, status FROM orders WHERE tenant_id = ${tenantId} ORDER BY id`,
      );
      expect(orders).toEqual(bought.map((id) => ({ id, status: 'paid' })));
      await expectStock(shop, cup.body.id, STOCK, STOCK);
    }),
    { numRuns: 1, endOnFailure: true },
  );
}, 300_000);

/** Twelve cups, also in kits of two; six tees of one size; six places of one tour. */
async function variedShop(): Promise<{
  shop: World;
  cup: number;
  tee: number;
  tour: number;
  wishes: Wish[];
}> {
  const shop = await sandboxShop();
  const id = async (product: object) => (await stockedProduct(shop, product)).body;
  const { id: cup } = await id({ name: 'Cup', stock: 12 });
  const [kit, tee, tour] = [
    await id({
      name: 'Kit',
      type: 'bundled',
      bundle_groups: [{ title: 'Cups', items: [{ product_id: cup, quantity: 2 }] }],
    }),
    await id({
      name: 'Tee',
      type: 'configurable',
      variants: [
        { sku: 'tee-m', price: 10, stock: 6, attributes: { size: 'M' } },
        { sku: 'tee-l', price: 10, stock: 6, attributes: { size: 'L' } },
      ],
    }),
    await id({
      name: 'Tour',
      type: 'booking',
      booking: { timezone: 'UTC', slots: [{ ...SLOT, capacity: 6 }] },
    }),
  ];
  const [group] = kit.bundle_groups;
  const [{ id: variant_id }] = tee.variants;
  return {
    shop,
    cup,
    tee: variant_id,
    tour: tour.id,
    wishes: [
      { product_id: cup, total: 1000 },
      { product_id: kit.id, options: { bundle_options: { [group.id]: [group.items[0].id] } }, total: 2000 },
      { product_id: tee.id, options: { variant_id }, total: 1000 },
      { product_id: tour.id, options: { booking: SLOT }, total: 1000 },
    ],
  };
}

it('sells exactly the variants, components and places that there are, while calls fail at random', async () => {
  silenceConsole();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const faults = new FaultInjector(seed, FAULTS, { spared: ['RATE_LIMITER'] });
      const { shop, cup, tee, tour, wishes } = await variedShop();
      await bindWriter(shop, faults.worker('stock writer'));
      const sold = wishes.map(() => 0);
      await Promise.all(
        wishes.flatMap((wish, kind) =>
          Array.from({ length: 10 }, async (_, n) => {
            const order = await buy(faults.worker(`shopper ${kind} ${n}`), shop, wish, kind * 10 + n);
            if (order !== null) sold[kind] = (sold[kind] ?? 0) + 1;
          }),
        ),
      );
      await settle();
      const [cups = 0, kits = 0, tees = 0, places = 0] = sold;
      expect([tees, places]).toEqual([6, 6]);
      // A last cup that is too few for a kit is taken by one who wants no kit.
      expect(cups + 2 * kits).toBe(12);
      expect((await shop.get('/orders?status=paid&limit=1')).body.meta.total).toBe(cups + kits + 12);
      await expectStock(shop, cup, 12, 12);
      await expectStock(shop, tee, 6, 6);
      await expectStock(shop, tour, 6, 6);
    }),
    { numRuns: 1, endOnFailure: true },
  );
}, 300_000);
