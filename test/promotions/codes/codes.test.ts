import { expect, it } from 'vitest';
import { DAY, MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { world } from '../../support/world.ts';
import { applyCode, createCoupon } from '../coupons/coupon-steps.ts';

it('rejects codes for some time from a cart that guesses', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await createCoupon(shop, {});
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  for (let n = 0; n < 9; n++) expect((await applyCode(shop, cart_token, `GUESS${n}`)).status).toBe(404);
  // The right one starts the count anew.
  expect((await applyCode(shop, cart_token)).status).toBe(200);
  for (let n = 0; n < 10; n++) {
    const wrong = await applyCode(shop, cart_token, `GUESS${n}`);
    expect([wrong.status, wrong.body.code]).toEqual([404, 'coupon_not_found']);
  }
  const before = await shop.get(`/cart/${cart_token}`);
  for (const code of ['TEN', 'GUESS']) {
    const refused = await applyCode(shop, cart_token, code);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  }
  expect((await shop.get(`/cart/${cart_token}`)).body).toEqual(before.body);
  moveClock(15 * MINUTE + 1000);
  expect((await applyCode(shop, cart_token)).status).toBe(200);
});

it('rejects codes from an address that guesses with new carts', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await createCoupon(shop, {});
  const from = (address: string) => ({ 'x-buyer-ip': address });
  const guess = async (address: string, code: string) => {
    const { cart_token } = (await addToCart(shop, mug, {})).body;
    return applyCode(shop, cart_token, code, from(address));
  };
  for (let n = 0; n < 60; n++) expect((await guess('203.0.113.7', `G${n}`)).status).toBe(404);
  const refused = await guess('203.0.113.7', 'TEN');
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect((await guess('203.0.113.8', 'TEN')).status).toBe(200);
  moveClock(15 * MINUTE + 1000);
  expect((await guess('203.0.113.7', 'TEN')).status).toBe(200);
});

it('refuses no cart for the day that a clock was ahead', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await createCoupon(shop, {});
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  moveClock(DAY);
  for (let n = 0; n < 10; n++) await applyCode(shop, cart_token, `GUESS${n}`);
  expect((await applyCode(shop, cart_token)).status).toBe(429);
  moveClock(-DAY);
  expect((await applyCode(shop, cart_token)).status).toBe(200);
});

it('refuses no address for the day that a clock was ahead', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await createCoupon(shop, {});
  const guess = async (code: string) => {
    const { cart_token } = (await addToCart(shop, mug, {})).body;
    return applyCode(shop, cart_token, code, { 'x-buyer-ip': '203.0.113.7' });
  };
  moveClock(DAY);
  for (let n = 0; n < 60; n++) expect((await guess(`G${n}`)).status).toBe(404);
  moveClock(-DAY);
  expect((await guess('TEN')).status).toBe(200);
  for (let n = 0; n < 60; n++) expect((await guess(`G${n}`)).status).toBe(404);
  const refused = await guess('TEN');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
});

it('checks no more codes of an address when all of them arrive at once', async () => {
  const shop = await world({ plan: 'enterprise' });
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 100 });
  const carts = await Promise.all(Array.from({ length: 70 }, () => addToCart(shop, mug, {})));
  const answers = await Promise.all(
    carts.map(({ body }, n) => applyCode(shop, body.cart_token, `G${n}`, { 'x-buyer-ip': '203.0.113.9' })),
  );
  const withStatus = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  expect([withStatus(404), withStatus(429)]).toEqual([60, 10]);
});

it.each(['दिवाली10', 'สงกรานต์', 'பொங்கல்'])(
  'takes the code %s, whose letters have vowel signs',
  async (code) => {
    const shop = await world();
    const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
    await createCoupon(shop, { code });
    const { cart_token } = (await addToCart(shop, mug, {})).body;
    expect((await applyCode(shop, cart_token, code)).body.totals.discount).toBe(1);
    // A vowel sign makes another word.
    expectProblem(await applyCode(shop, cart_token, code.replace(/\p{M}/u, '')), 404, 'coupon_not_found');
  },
);
