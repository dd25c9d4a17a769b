/** The same call many times at once: one effect, and the same response to all. */

import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from '../../src/kernel/data/database.ts';
import { fiveCups, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  OWN_CHECKOUT,
  orderEvents,
  readReturn,
  sandboxShop,
  sessionOf,
} from '../support/fixtures/selling/checkout.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { Answer, World } from '../support/world.ts';

/** The first call takes the key or the lock, all others race for it: more of them add time, not cases. */
const CALLS = 30;

const atOnce = <T>(call: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CALLS }, () => call()));

/** What a client retries: the first call is running, or the limiter of a busy machine did not respond in time. */
const RETRIED = ['idempotency_in_progress', 'unavailable'];

/** Calls with one key until its response is there. */
async function withKey(shop: World, path: string, body: object): Promise<Answer> {
  for (;;) {
    const answer = await shop.post(path, body, { headers: { 'idempotency-key': path } });
    if (!RETRIED.includes(answer.body.code)) return answer;
    await scheduler.wait(50);
  }
}

/** Makes many calls with one key; asserts that all get the same response, and returns its body. */
async function same(shop: World, path: string, body: object, status: number): Promise<Answer['body']> {
  const answers = await atOnce(() => withKey(shop, path, body));
  const [first] = answers;
  for (const answer of answers) expect([answer.status, answer.body]).toEqual([status, first?.body]);
  const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
  expect(replayed).toHaveLength(CALLS - 1);
  return first?.body;
}

const sessionsOf = (shop: World) =>
  rows(databaseOf(shop), sql`SELECT 1 FROM checkout_sessions WHERE tenant_id = ${shop.tenantId}`);

it('prepares one redirect for one key', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart_token = await cartWith(shop, cup, 2);
  const body = { cart_token, return_url: 'https://shop.example.com/thanks' };
  const { redirect_url } = await same(shop, '/checkout/seamless', body, 200);
  expect((await browse(new URL(redirect_url).pathname)).status).toBe(200);
  expect(await sessionsOf(shop)).toHaveLength(1);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 5, reserved: 2 });
});

it('places one order and takes one payment for one key each', async () => {
  const shop = await sandboxShop({ settings: OWN_CHECKOUT });
  const cup = await fiveCups(shop);
  const session = await sessionOf(shop, await cartWith(shop, cup, 2));
  const order = await same(shop, '/orders', { session }, 201);
  expect((await shop.get('/orders')).body.meta.total).toBe(1);
  const report = { status: 'paid', reference: 'receipt-1' };
  expect((await same(shop, `/orders/${order.id}/payments`, report, 200)).status).toBe('paid');
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 3, reserved: 0 });
});

it('sells once to a shopper who submits the form many times at once', async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const path = await checkoutPath(shop, await cartWith(shop, cup, 2));
  const form = { ...ADDRESS, shown_total: '2000', action: 'pay' };
  const pages = await atOnce(() => browse(path, form));
  expect(new Set(pages.map((page) => readReturn(page).order_id)).size).toBe(1);
  for (const page of pages) expect(readReturn(page).status).toBe('paid');
  expect(await orderEvents(shop)).toEqual({ 'order.created': 1, 'order.paid': 1 });
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 3, reserved: 0 });
});
