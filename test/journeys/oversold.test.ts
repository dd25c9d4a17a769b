/** A crowd of shoppers wants more than the stock while calls fail. */

import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { directory, rows } from '../../src/kernel/data/database.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { unreliableWorker } from '../support/faults/worker-crashes.ts';
import { orderEvents, sandboxShop } from '../support/fixtures/checkout.ts';
import { expectNumbers, expectStock, settle } from '../support/fixtures/outcomes.ts';
import { stockedProduct } from '../support/fixtures/products.ts';
import { Shopper, silenceConsole } from '../support/fixtures/shopper.ts';
import { random } from '../support/seeded-random.ts';
import type { Answer, World } from '../support/world.ts';

/**
 * Ten shoppers want each piece. 200 of them send some 3,000 calls of bindings at once, 600 of which fail, so each
 * fault meets each step many times; SHOPPERS=1000 adds calls, but no kind of interleaving.
 */
const SHOPPERS = inject('shoppers');
const STOCK = Math.ceil(SHOPPERS / 10);
const FAULTS = 0.2;
/** The most attempts at one step. */
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

/** How many rows there are of each kind. */
async function counted(query: ReturnType<typeof sql>): Promise<Record<string, number>> {
  const found = await rows<{ kind: string; n: number }>(directory(env), query);
  return Object.fromEntries(found.map(({ kind, n }) => [kind, n]));
}

it('sells exactly what is in stock to a crowd of shoppers while calls fail at random', async () => {
  silenceConsole();
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const shop = await sandboxShop();
      const { tenantId } = shop;
      const cup = await stockedProduct(shop, { stock: STOCK });
      const reported = await Promise.all(
        Array.from({ length: SHOPPERS }, (_, n) =>
          buy(unreliableWorker(random(seed + n * 7919), FAULTS), shop, cup, n),
        ),
      );
      await settle();
      const bought = reported.filter((order) => order !== null).sort();
      expect(bought).toHaveLength(STOCK);
      const orders = await rows<{ id: string; status: string }>(
        directory(env),
        sql`SELECT id, status FROM orders WHERE tenant_id = ${tenantId} ORDER BY id`,
      );
      expect(orders).toEqual(bought.map((id) => ({ id, status: 'paid' })));
      await expectStock(shop, cup.body.id, STOCK, STOCK);
      await expectNumbers(shop);
      expect(await orderEvents(shop)).toEqual({ 'order.created': STOCK, 'order.paid': STOCK });
      const once = sql`SELECT type AS kind, count(DISTINCT resource) AS n FROM outbox
        WHERE tenant_id = ${tenantId} AND type LIKE 'order.%' GROUP BY type`;
      expect(await counted(once)).toEqual({ 'order.created': STOCK, 'order.paid': STOCK });
      const kept = sql`SELECT status AS kind, count(*) AS n FROM reservations
        WHERE tenant_id = ${tenantId} AND status <> 'released' GROUP BY status`;
      expect(await counted(kept)).toEqual({ consumed: STOCK });
      const money = sql`SELECT state AS kind, count(*) AS n FROM payments
        WHERE tenant_id = ${tenantId} GROUP BY state`;
      expect(await counted(money)).toEqual({ paid: STOCK });
    }),
    { numRuns: 1, endOnFailure: true },
  );
}, 300_000);
