/** Promotions from the frozen cart to the order: what is redeemed, what ends in between, what is given back. */

import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { serve } from '../../../src/app.ts';
import { MINUTE, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { rows } from '../../../src/kernel/data/database.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { recordedBindings } from '../../support/faults/bindings.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  checkoutPath,
  cron,
  readReturn,
  sandboxShop,
  sessionOf,
  startCheckout,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';
import { cartOf, ownCheckout, place, report } from './promoted-order.ts';

const mugOf = (shop: World) => stockedProduct(shop, { name: 'Mug', price: 10, stock: 100 });

const usesOf = async (shop: World) =>
  Object.fromEntries(
    (await shop.get('/promotions')).body.data.map((one: { name: string; uses: number }) => [
      one.name,
      one.uses,
    ]),
  );

it('freezes, shows and redeems all promotions that apply', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  await promote(shop, {
    name: 'Sets',
    effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 50 },
    ...first(),
  });
  await promoteByCode(shop, 'TEN', { combinable: true });
  const seen = await promoteByCode(shop, 'SHIP', { effect: { kind: 'free_shipping' }, combinable: true });
  const cart = await cartOf(shop, mug, seen, ['TEN', 'SHIP']);
  const applied = [
    { id: expect.any(Number), name: 'Sets', code: null, amount: 5 },
    { id: expect.any(Number), name: 'TEN', code: 'TEN', amount: 2.5 },
    { id: expect.any(Number), name: 'SHIP', code: 'SHIP', amount: 0 },
  ];
  const session = await sessionOf(shop, cart);
  const open = (await shop.get(`/checkout/sessions/${session}`)).body;
  expect(open).toMatchObject({ applied_promotions: applied, coupon: 'TEN', totals: { discount: 7.5 } });
  // What changes from here on is for others.
  for (const { id } of open.applied_promotions) await shop.delete(`/promotions/${id}`);
  const placed = await place(shop, session);
  expect(placed.body).toMatchObject({
    applied_promotions: applied,
    coupon: 'TEN',
    totals: { discount: 7.5 },
  });
  const [item] = placed.body.items;
  expect(item.discounts.map(({ amount }: { amount: number }) => amount)).toEqual([5, 2.5]);
  expect(item.discounts[0].promotion_id).toBe(placed.body.applied_promotions[0].id);
  expect((await shop.get(`/orders/${placed.body.id}`)).body).toEqual(placed.body);
  const [event] = await rows<{ data: string }>(
    databaseOf(shop),
    sql`SELECT data FROM outbox WHERE tenant_id = ${shop.tenantId} AND type = 'order.created'`,
  );
  expect(JSON.parse(event?.data ?? '')).toMatchObject({ applied_promotions: applied });
  const ordered = (await shop.get(`/checkout/sessions/${session}`)).body;
  expect(ordered).toMatchObject({ status: 'ordered', applied_promotions: applied });
  expect(ordered.items[0].discounts).toEqual(item.discounts);
});

const first = () => ({ priority: 1, combinable: true });

it('shows each promotion by its name and amount on the checkout page', async () => {
  const shop = await sandboxShop({ settings: { shipping: { flat: 5 } } });
  const mug = await mugOf(shop);
  await promote(shop, { name: 'Spring <sale>', ...first() });
  await promoteByCode(shop, 'FIVE', {
    name: 'Five off',
    effect: { kind: 'fixed', value: 5 },
    combinable: true,
  });
  const free = { name: 'Post on us', effect: { kind: 'free_shipping' }, combinable: true };
  const cart = await cartOf(shop, mug, await promote(shop, free), ['FIVE']);
  const path = await checkoutPath(shop, cart);
  const check = async () => {
    const text = (await browse(path)).text.replace(/<\/?bdi>/g, '');
    const terms = [...text.matchAll(/<dt>([^<]*)<\/dt><dd class="amount">([^<]*)<\/dd>/g)];
    expect(terms.map(([, term, value]) => [term, value])).toEqual(
      expect.arrayContaining([
        ['Discount (Spring &lt;sale&gt;)', '-€3.00'],
        ['Discount (Five off, FIVE)', '-€5.00'],
        [expect.stringMatching(/^Shipping.* \(Post on us\)$/), 'Free'],
        ['Total', '€22.00'],
      ]),
    );
  };
  await check();
  await submitCheckout(path, 'decline');
  await check();
});

it('counts redemptions, gives them back when the order is cancelled, and takes them again when it is paid late', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  await promote(shop, { name: 'All', ...first(), max_uses: 5 });
  const seen = await promoteByCode(shop, 'TEN', { combinable: true });
  const order = (await place(shop, await sessionOf(shop, await cartOf(shop, mug, seen, ['TEN'])))).body.id;
  expect(await usesOf(shop)).toEqual({ All: 1, TEN: 1 });
  moveClock(61 * MINUTE);
  await cron();
  expect((await shop.get(`/orders/${order}`)).body.status).toBe('cancelled');
  expect(await usesOf(shop)).toEqual({ All: 0, TEN: 0 });
  const late = await report(shop, order, 'paid');
  expect(late.body).toMatchObject({ status: 'paid', applied_promotions: [{ name: 'All' }, { name: 'TEN' }] });
  expect(await usesOf(shop)).toEqual({ All: 1, TEN: 1 });
  await report(shop, order, 'paid');
  expect(await usesOf(shop)).toEqual({ All: 1, TEN: 1 });
  await report(shop, order, 'refunded');
  expect(await usesOf(shop)).toEqual({ All: 0, TEN: 0 });
});

it('takes a promotion that is used up out of every cart, and gives it back', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  const seen = await promote(shop, { max_uses: 1 });
  const [mine, theirs] = [await cartOf(shop, mug, seen), await cartOf(shop, mug, seen)];
  const { id } = (await place(shop, await sessionOf(shop, mine))).body;
  moveClock(2_000);
  expect((await shop.get(`/cart/${theirs}`)).body).toMatchObject({
    applied_promotions: [],
    totals: { discount: 0 },
  });
  expect((await startCheckout(shop, theirs)).status).toBe(200);
  await shop.post(`/orders/${id}/cancel`);
  moveClock(2_000);
  expect((await shop.get(`/cart/${theirs}`)).body).toMatchObject({ totals: { discount: 3 } });
});

it('names a code that was used up when checkout finds it, and goes on at the next try', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  const seen = await promoteByCode(shop, 'ONCE', { max_uses: 1 });
  const [mine, theirs] = [await cartOf(shop, mug, seen, ['ONCE']), await cartOf(shop, mug, seen, ['ONCE'])];
  expect((await place(shop, await sessionOf(shop, mine))).status).toBe(201);
  const refused = await startCheckout(shop, theirs);
  expectProblem(refused, 409, 'price_changed');
  const warnings = [{ code: 'coupons_removed', coupons: ['ONCE'] }];
  expect(refused.body.details.cart).toMatchObject({ coupons: [], warnings });
  expect((await shop.get(`/cart/${theirs}`)).body.warnings).toMatchObject(warnings);
  expect((await startCheckout(shop, theirs)).status).toBe(200);
});

it('asks for consent to the new total when an offer ends between freezing and placing', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  await promote(shop, { name: 'Small', effect: { kind: 'percent', value: 5 }, combinable: true });
  const seen = await promote(shop, { name: 'Once', effect: { kind: 'percent', value: 50 }, max_uses: 1 });
  const sessions = await Promise.all([1, 2].map(async () => sessionOf(shop, await cartOf(shop, mug, seen))));
  const [early = '', late = ''] = sessions;
  expect((await place(shop, early)).body.totals.discount).toBe(15);
  const refused = await place(shop, late, 'bob@example.com');
  expectProblem(refused, 409, 'price_changed');
  // The next best offer applies, and the session says so.
  const session = (await shop.get(`/checkout/sessions/${late}`)).body;
  expect(session).toMatchObject({
    status: 'open',
    totals: { discount: 1.5 },
    applied_promotions: [{ name: 'Small' }],
  });
  const placed = await place(shop, late, 'bob@example.com');
  expect([placed.status, placed.body.totals.discount]).toEqual([201, 1.5]);
  expect(await usesOf(shop)).toEqual({ Small: 1, Once: 1 });
});

it('shows the new total on the checkout page when an offer has ended, and takes the order at it', async () => {
  const shop = await sandboxShop();
  const mug = await mugOf(shop);
  const seen = await promote(shop, { name: 'Once', max_uses: 1 });
  const paths = await Promise.all([1, 2].map(async () => checkoutPath(shop, await cartOf(shop, mug, seen))));
  const [early = '', late = ''] = paths;
  expect(readReturn(await submitCheckout(early, 'pay')).status).toBe('paid');
  const changed = await submitCheckout(late, 'pay');
  expect(changed.status).toBe(200);
  expect(changed.text).toContain('An offer has ended. The total is now €30.00.');
  expect(changed.text).toContain('value="12 St James Square"');
  const { order_id } = readReturn(await submitCheckout(late, 'pay'));
  expect((await shop.get(`/orders/${order_id}`)).body).toMatchObject({ totals: { grand_total: 30 } });
});

it('applies what is best for the country of the order, as in a cart that had it before', async () => {
  const shop = await ownCheckout();
  await shop.patch('/settings', { shipping: { flat: 4, by_country: { CH: 20 } } });
  const mug = await mugOf(shop);
  await promote(shop, { name: 'Twenty', effect: { kind: 'percent', value: 20 } });
  const seen = await promote(shop, { name: 'Post on us', effect: { kind: 'free_shipping' } });
  const [early, late] = [await cartOf(shop, mug, seen), await cartOf(shop, mug, seen)];
  const named = await shop.put(`/cart/${early}/shipping-address`, { country: 'CH' });
  expect(named.body).toMatchObject({
    applied_promotions: [{ name: 'Post on us' }],
    totals: { grand_total: 30 },
  });
  const session = await sessionOf(shop, late);
  expect((await shop.get(`/checkout/sessions/${session}`)).body).toMatchObject({
    applied_promotions: [{ name: 'Twenty' }],
    totals: { grand_total: 28 },
  });
  const placed = await shop.post('/orders', { session, shipping_address: { country: 'CH' } });
  expect(placed.body).toMatchObject({
    applied_promotions: [{ name: 'Post on us' }],
    totals: { discount: 0, shipping: 0, grand_total: 30 },
  });
  expect(await usesOf(shop)).toEqual({ Twenty: 0, 'Post on us': 1 });
});

it('redeems no promotion that takes nothing off free goods', async () => {
  const shop = await ownCheckout();
  const sample = await stockedProduct(shop, { name: 'Sample', sku: 'sample', price: 0 });
  const mug = await mugOf(shop);
  const seen = await promote(shop, { name: 'Welcome', max_uses_per_customer: 1 });
  const free = await cartOf(shop, sample, seen);
  expect((await shop.get(`/cart/${free}/explain`)).body.promotions).toMatchObject([
    { name: 'Welcome', rule: 'not_applicable', reason: 'nothing_to_reduce' },
  ]);
  const first = await place(shop, await sessionOf(shop, free));
  expect(first.body).toMatchObject({ applied_promotions: [], totals: { grand_total: 0 } });
  expect(await usesOf(shop)).toEqual({ Welcome: 0 });
  const second = await place(shop, await sessionOf(shop, await cartOf(shop, mug, seen)));
  expect(second.body).toMatchObject({ applied_promotions: [{ name: 'Welcome' }], totals: { discount: 3 } });
});

it('refuses an order whose code is used up meanwhile', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  const seen = await promoteByCode(shop, 'ONCE', { max_uses: 1 });
  const [a, b] = [await cartOf(shop, mug, seen, ['ONCE']), await cartOf(shop, mug, seen, ['ONCE'])];
  const [early, late] = [await sessionOf(shop, a), await sessionOf(shop, b)];
  expect((await place(shop, early)).status).toBe(201);
  expectProblem(await place(shop, late, 'bob@example.com'), 409, 'coupon_not_applicable');
  const again = await place(shop, late, 'bob@example.com');
  expectProblem(again, 409, 'coupon_not_applicable');
  expect(again.body.details).toEqual({ code: 'ONCE', reason: 'used_up' });
});

it('places an order in two round trips before it responds, with promotions as without', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  const trips = async (cart: string) => {
    const recorded = recordedBindings();
    const body = JSON.stringify({ session: await sessionOf(shop, cart), customer: { email: ADDRESS.email } });
    const headers = { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' };
    const request = new Request('https://api.example.com/v1/orders', { method: 'POST', body, headers });
    const ctx = createExecutionContext();
    const answer = await serve(request, recorded.env, ctx);
    const taken = recorded.databaseTrips();
    await waitOnExecutionContext(ctx);
    expect(answer.status).toBe(201);
    return taken;
  };
  expect(await trips(await cartOf(shop, mug, mug))).toBe(2);
  await promote(shop, first());
  await promote(shop, { ...first(), conditions: { first_order: true } });
  const seen = await promoteByCode(shop, 'TEN', { combinable: true, max_uses: 9 });
  expect(await trips(await cartOf(shop, mug, seen, ['TEN']))).toBe(2);
});

it('explains an ordered cart by the promotions that it was ordered with', async () => {
  const shop = await sandboxShop();
  const mug = await mugOf(shop);
  const at = (minutes: number) => new Date(now() + minutes * MINUTE).toISOString();
  await promote(shop, { name: 'Over', ends_at: at(5) });
  const seen = await promote(shop, {
    name: 'Later',
    starts_at: at(5),
    effect: { kind: 'percent', value: 50 },
  });
  const cart = await cartOf(shop, mug, seen, []);
  expect(readReturn(await submitCheckout(await checkoutPath(shop, cart), 'pay')).status).toBe('paid');
  moveClock(10 * MINUTE);
  const { totals } = (await shop.get(`/cart/${cart}`)).body;
  const explained = (await shop.get(`/cart/${cart}/explain`)).body;
  expect(explained.discount.amount).toBe(totals.discount);
  expect(explained.grand_total.amount).toBe(totals.grand_total);
  expect(explained.promotions).toMatchObject([
    { name: 'Over', amount: totals.discount, reason: null },
    { name: 'Later', amount: 0, reason: 'not_started' },
  ]);
  expect(totals.discount).toBeGreaterThan(0);
});
