/** A crowd of shoppers wants more than the stock while calls fail. */

import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { rows } from '../../src/kernel/data/database.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { FaultInjector } from '../support/faults/injector.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { bindWriter } from '../support/fixtures/catalog/stock-writer.ts';
import { sandboxShop } from '../support/fixtures/selling/checkout.ts';
import { expectStock, settle } from '../support/fixtures/selling/outcomes.ts';
import { Shopper, silenceConsole } from '../support/fixtures/selling/shopper.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { Answer, World } from '../support/world.ts';

/**
 * Ten shoppers want each piece. 200 of them send some 3,000 calls of bindings at once, 600 of which fail, so each
 * fault meets each step many times; SHOPPERS=1000 adds calls, but no kind of interleaving.
 */
const SHOPPERS = inject('shoppers');
const STOCK = Math.ceil(SHOPPERS / 10);
const FAULTS = 0.2;
/**
 * The most attempts at one step. The limiter is spared: it refuses for half a second once it can't be reached, and
 * these shoppers don't wait.
 */
const MAX_TRIES = 60;

/** Retries a step until its result is known. */
async function retryUntilDefinite<T>(step: string, attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const made = await attempt();
    if (made !== null) return made;
  }
  throw new Error(`${step}: nothing definite after ${MAX_TRIES} tries`);
}

/** Adds the product to a cart; returns its token, or null when it is sold out. */
async function fill(worker: Env, shop: World, cup: Answer, n: number): Promise<string | null> {
  const body = JSON.stringify({ product_id: cup.body.id, quantity: 1 });
  const headers = { 'content-type': 'application/json', 'idempotency-key': `shopper-${n}` };
  const { cart_token } = await retryUntilDefinite('cart', async () => {
    const answer = await fetchWith(worker, 'POST', '/v1/cart/items', shop.token, { body, headers });
    const { code, cart_token = null } = await answer.json<{ code?: string; cart_token?: string }>();
    return answer.status === 200 || code === 'insufficient_stock' ? { cart_token } : null;
  });
  return cart_token;
}

/** Buys one piece with any number of retries; returns the order that is reported as paid. */
async function buy(worker: Env, shop: World, cup: Answer, n: number): Promise<string | null> {
  const cart = await fill(worker, shop, cup, n);
  if (cart === null) return null;
  const shopper = new Shopper(shop, cart);
  const left = await retryUntilDefinite('checkout', async () => {
    const answer = await shopper.leave(worker);
    return answer === 'left' || answer === 'insufficient_stock' ? answer : null;
  });
  if (left !== 'left') return null;
  return retryUntilDefinite('payment', async () => {
    await shopper.submit(worker, 'pay');
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
      const reported = await Promise.all(
        Array.from({ length: SHOPPERS }, (_, n) => buy(faults.worker(`shopper ${n}`), shop, cup, n)),
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
