import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { batch } from '../../src/kernel/data/database.ts';
import {
  promotionSpent,
  redeemPromotions,
  releaseRedemptions,
  type Shopper,
  shopperKeys,
} from '../../src/promotions/index.ts';
import { fetchWith } from '../support/faults/bindings.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import { registerCustomer, withSession } from '../support/fixtures/selling/customers.ts';
import { placedOrder } from '../support/fixtures/selling/orders.ts';
import { databaseOf, SECOND_MASTER_KEY } from '../support/runtime/runtime.ts';
import { type Options, type World, world } from '../support/world.ts';

const ada: Shopper = { customerId: 7, email: 'Ada@Example.com' };
const guest: Shopper = { customerId: null, email: 'ada@example.com' };

/** A shop with a coupon, and orders that use it as the batch that places them does. */
async function promotion(more: object) {
  const shop = await world();
  const made = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10, ...more });
  const db = databaseOf(shop);
  const use = async (orderId: string, who = ada, bindings: Env = env): Promise<boolean> => {
    const keys = shopperKeys(bindings, shop.tenantId, who);
    try {
      await batch(
        db,
        redeemPromotions(
          { db, tenantId: shop.tenantId },
          { promotionIds: [made.body.id], orderId, shoppers: keys, hasPaid: sql`FALSE` },
        ),
      );
      return true;
    } catch (error) {
      if (!promotionSpent(error)) throw error;
      return false;
    }
  };
  const release = (orderId: string) =>
    batch(db, releaseRedemptions({ db, tenantId: shop.tenantId }, orderId));
  const uses = async () => (await shop.get('/coupons')).body.data[0].uses;
  return { shop, id: made.body.id, use, release, uses };
}

const applied = async (shop: World, options: Options = {}) => {
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  return shop.post(`/cart/${cart_token}/coupon`, { code: 'TEN' }, options);
};

it('is refused to a customer who has redeemed it as often as it allows', async () => {
  const { shop, use } = await promotion({ max_uses_per_customer: 2 });
  const { id, token } = await registerCustomer(shop);
  const who = { customerId: id, email: null };
  const enter = async () => (await applied(shop, withSession(token))).body.details ?? null;
  await use('ord_1', who);
  expect(await enter()).toBeNull();
  await use('ord_2', who);
  expect(await enter()).toEqual({ reason: 'used_up_by_customer' });
});

it('is redeemed at most max_uses times by concurrent orders', async () => {
  const { shop, use, release, uses } = await promotion({ max_uses: 5 });
  const done = await Promise.all(Array.from({ length: 20 }, (_, n) => use(`ord_${n}`)));
  expect(done.filter(Boolean)).toHaveLength(5);
  expect(await uses()).toBe(5);
  expect((await applied(shop)).body.details).toEqual({ reason: 'used_up' });
  const used = done.indexOf(true);
  await release(`ord_${used}`);
  await release(`ord_${used}`);
  await release('ord_unknown');
  expect(await uses()).toBe(4);
  expect(await use('ord_new')).toBe(true);
});

it('counts a customer and a guest with the same e-mail as one shopper', async () => {
  const { use, release, uses } = await promotion({ max_uses_per_customer: 1 });
  expect(await use('a')).toBe(true);
  expect(await use('b')).toBe(false);
  expect(await use('c', guest)).toBe(false);
  expect(await use('d', { customerId: null, email: 'bob@example.com' })).toBe(true);
  await release('a');
  expect(await use('e', guest)).toBe(true);
  expect(await uses()).toBe(2);
});

it('lists the orders that redeemed a promotion', async () => {
  const { shop, id, use, release } = await promotion({});
  const other = await promotion({});
  const { id: cup } = (await stockedProduct(shop, { name: 'Cup' })).body;
  const [a, b] = [(await placedOrder(shop, cup)).row, (await placedOrder(shop, cup)).row];
  await use(a.id);
  await use(b.id);
  const ids = async (query: string | number) =>
    (await shop.get(`/orders?promotion_id=${query}`)).body.data.map((order: { id: string }) => order.id);
  expect((await ids(id)).sort()).toEqual([a.id, b.id].sort());
  expect(await ids(other.id)).toEqual([]);
  await release(a.id);
  expect(await ids(id)).toEqual([b.id]);
  expect((await shop.get('/orders?promotion_id=0')).body.errors).toHaveProperty('promotion_id');
});

it('rejects a max_uses below its redemptions', async () => {
  const { shop, id, use } = await promotion({});
  await use('a');
  await use('b');
  const refused = await shop.patch(`/coupons/${id}`, { max_uses: 1 });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['max_uses']]);
  expect((await shop.patch(`/coupons/${id}`, { max_uses: 2 })).status).toBe(200);
  expect(await use('c')).toBe(false);
});

it('stores no e-mail address of its redemptions', () => {
  const keys = shopperKeys(env, 1, guest);
  expect(JSON.stringify(keys)).not.toMatch(/ada|example/i);
  expect(keys).toEqual(shopperKeys(env, 1, ada).slice(1));
  expect(keys).not.toEqual(shopperKeys(env, 2, guest));
});

it('still recognizes a guest after a new master key was added and the old one removed', async () => {
  const { use, release, uses } = await promotion({ max_uses_per_customer: 2 });
  const rotated: Env = { ...env, ...SECOND_MASTER_KEY };
  expect(await use('a', guest)).toBe(true);
  expect(await use('b', guest, rotated)).toBe(true);
  expect(await use('c', guest, rotated)).toBe(false);
  await release('a');
  expect(await use('d', guest, rotated)).toBe(true);
  expect(await use('e', guest, rotated)).toBe(false);
  const { MASTER_KEY_V1: _, ...without } = rotated;
  expect(await use('f', guest, without as Env)).toBe(false);
  await release('b');
  expect(await use('g', guest, without as Env)).toBe(true);
  expect(await uses()).toBe(2);
});

it("still counts an address's wrong codes after a new master key was added", async () => {
  const { shop } = await promotion({});
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const rotated: Env = { ...env, ...SECOND_MASTER_KEY };
  const headers = { 'x-buyer-ip': '192.0.2.7', 'content-type': 'application/json' };
  const guess = async (bindings: Env) => {
    const { cart_token } = (await addToCart(shop, mug, {})).body;
    const body = JSON.stringify({ code: `NO${crypto.randomUUID().slice(0, 8)}` });
    return (await fetchWith(bindings, 'POST', `/v1/cart/${cart_token}/coupon`, shop.token, { body, headers }))
      .status;
  };
  for (let n = 0; n < 60; n++) expect(await guess(env)).toBe(404);
  expect(await guess(env)).toBe(429);
  expect(await guess(rotated)).toBe(429);
});
