import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { rows } from '../../../src/kernel/data/database.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { sessionOf } from '../../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { promote, promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import { databaseOf } from '../../support/runtime/runtime.ts';
import type { World } from '../../support/world.ts';
import { cartOf, ownCheckout, place, report } from './promoted-order.ts';

const mugOf = (shop: World) => stockedProduct(shop, { name: 'Mug', price: 10, stock: 100 });

/** A shop with a promotion of first orders, and how its only product is ordered. */
async function firstOrderShop() {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  const seen = await promote(shop, { conditions: { first_order: true } });
  const order = async () => place(shop, await sessionOf(shop, await cartOf(shop, mug, seen)));
  return { shop, order };
}

const first = () => ({ priority: 1, combinable: true });

it('gives a guest a first order once, known by their e-mail address', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  const seen = await promote(shop, { name: 'Welcome', conditions: { first_order: true } });
  const order = async (email: string) =>
    place(shop, await sessionOf(shop, await cartOf(shop, mug, seen)), email);
  const one = await order('Ada@Example.com');
  expect(one.body.totals.discount).toBe(3);
  // A second one while the first is not paid.
  expectProblem(await order('ada@example.com'), 409, 'price_changed');
  await report(shop, one.body.id, 'paid');
  expectProblem(await order('ada@example.com'), 409, 'price_changed');
  expect((await order('bob@example.com')).status).toBe(201);
  // A paid order without the promotion counts too.
  await shop.patch(`/promotions/${seen.body.id}`, { active: false });
  moveClock(2_000);
  const plain = await order('eve@example.com');
  await report(shop, plain.body.id, 'paid');
  const again = await shop.patch(`/promotions/${seen.body.id}`, { active: true });
  const cart = await cartOf(shop, mug, again);
  expectProblem(await place(shop, await sessionOf(shop, cart), 'EVE@example.com'), 409, 'price_changed');
});

it('says which code a guest can not redeem, and why', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  await promoteByCode(shop, 'HELLO', { conditions: { first_order: true }, combinable: true });
  const seen = await promoteByCode(shop, 'ONCE', { max_uses_per_customer: 1, combinable: true });
  const order = async (code: string, email: string) =>
    place(shop, await sessionOf(shop, await cartOf(shop, mug, seen, [code])), email);
  const paid = await order('ONCE', 'ada@example.com');
  await report(shop, paid.body.id, 'paid');
  const [hello, once] = [await order('HELLO', 'ada@example.com'), await order('ONCE', 'ada@example.com')];
  expectProblem(hello, 409, 'coupon_not_applicable');
  expect(hello.body.details).toEqual({ code: 'HELLO', reason: 'not_first_order' });
  expect(once.body.details).toEqual({ code: 'ONCE', reason: 'used_up_by_customer' });
  expect(once.body.message).toBe('The code ONCE can no longer be used for this order.');
});

it('gives a first order back when it is cancelled before it is paid', async () => {
  const { shop, order } = await firstOrderShop();
  const { id } = (await order()).body;
  await shop.post(`/orders/${id}/cancel`);
  expect((await order()).body.totals.discount).toBe(3);
});

it('gives a first order back when its payment came too late and was returned', async () => {
  const { shop, order } = await firstOrderShop();
  const { id } = (await order()).body;
  await shop.post(`/orders/${id}/cancel`);
  await report(shop, id, 'paid');
  const returned = await report(shop, id, 'refunded');
  expect(returned.body).toMatchObject({ status: 'cancelled', payment_status: 'refunded' });
  expect((await order()).body.totals?.discount).toBe(3);
});

it('knows at checkout that a customer has had their first order, and what they have used up', async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  await promote(shop, { name: 'Welcome', conditions: { first_order: true }, ...first() });
  await promoteByCode(shop, 'HELLO', { conditions: { first_order: true }, combinable: true });
  const seen = await promote(shop, { name: 'Twice', max_uses_per_customer: 2, combinable: true });
  const ada = await registerCustomer(shop);
  const session = withSession(ada.token);
  const cartOfAda = async () => {
    const cart = await cartOf(shop, mug, seen);
    await shop.put('/customers/me/cart', { cart_token: cart }, session);
    return cart;
  };
  const names = async (cart: string) =>
    (await shop.get(`/cart/${cart}`, session)).body.applied_promotions.map(
      (one: { name: string }) => one.name,
    );
  const cart = await cartOfAda();
  expect(await names(cart)).toEqual(['Welcome', 'Twice']);
  const { id } = (await place(shop, await sessionOf(shop, cart), ada.email)).body;
  await report(shop, id, 'paid');
  // The next cart knows it as soon as it is the customer's.
  const next = await cartOfAda();
  expect(await names(next)).toEqual(['Twice']);
  const late = await shop.post(`/cart/${next}/coupon`, { code: 'HELLO' }, session);
  expectProblem(late, 409, 'coupon_not_applicable');
  expect(late.body.details).toEqual({ reason: 'not_first_order' });
  const other = await cartOf(shop, mug, seen);
  const second = await place(shop, await sessionOf(shop, next), ada.email);
  expect(second.body.totals.discount).toBe(3);
  await report(shop, second.body.id, 'paid');
  await shop.put('/customers/me/cart', { cart_token: other }, session);
  expect(await names(other)).toEqual([]);
  const { promotions } = (await shop.get(`/cart/${other}/explain`, session)).body;
  const reasons = promotions.map(({ name, reason }: Record<string, string>) => [name, reason]);
  expect(Object.fromEntries(reasons)).toEqual({ Welcome: 'not_first_order', Twice: 'used_up_by_customer' });
});

it("raises no total that a customer hasn't seen when checkout finds that they used a promotion up", async () => {
  const shop = await ownCheckout();
  const mug = await mugOf(shop);
  const seen = await promote(shop, { max_uses_per_customer: 1 });
  const ada = await registerCustomer(shop);
  const session = withSession(ada.token);
  const cart = await cartOf(shop, mug, seen);
  await shop.put('/customers/me/cart', { cart_token: cart }, session);
  // Bought meanwhile from another cart, as a guest with the account's address and id.
  await rows(
    databaseOf(shop),
    sql`INSERT INTO promotion_shoppers (tenant_id, promotion_id, shopper, uses, most)
      VALUES (${shop.tenantId}, ${seen.body.id}, ${`c${ada.id}`}, 1, 1)`,
  );
  const body = { cart_token: cart, return_url: 'https://shop.example.com/thanks' };
  const changed = await shop.post('/checkout/seamless', body, session);
  expectProblem(changed, 409, 'price_changed');
  expect(changed.body.details.cart).toMatchObject({ applied_promotions: [], totals: { discount: 0 } });
  expect((await shop.get(`/cart/${cart}`, session)).body.totals.discount).toBe(0);
  expect((await shop.post('/checkout/seamless', body, session)).status).toBe(200);
});
