import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../../src/kernel/core/clock.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import { world } from '../../support/world.ts';
import { applyCode, createCoupon, soon } from './coupon-steps.ts';

it('deducts a percentage, an amount or the shipping, one coupon at a time', async () => {
  const shop = await world({ settings: { shipping: { flat: 5 } } });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 19.99 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3 })).body;
  await createCoupon(shop, {});
  await createCoupon(shop, { code: 'FIVE', kind: 'fixed', value: 5 });
  await createCoupon(shop, { code: 'SHIP', kind: 'free_shipping', value: 0 });
  const ten = await applyCode(shop, cart_token, 'ten');
  expect(ten.status).toBe(200);
  expect(ten.body.coupon).toEqual({ code: 'TEN', applies: true });
  expect(ten.body.totals).toMatchObject({ subtotal: 59.97, discount: 6, shipping: 5, grand_total: 58.97 });
  const five = await applyCode(shop, cart_token, 'FIVE');
  expect(five.body.totals).toMatchObject({ discount: 5, grand_total: 59.97 });
  const ship = await applyCode(shop, cart_token, 'SHIP');
  expect(ship.body.totals).toMatchObject({ discount: 0, shipping: 0, grand_total: 59.97 });
  const none = await shop.delete(`/cart/${cart_token}/coupon`);
  expect(none.body.totals.grand_total).toBe(64.97);
  expect(none.body.coupon).toBeUndefined();
  expect((await shop.delete(`/cart/${cart_token}/coupon`)).body).toEqual(none.body);
});

it('applies to its products and categories, subcategories included', async () => {
  const shop = await world();
  const parent = await shop.post('/categories', { name: 'Kitchen' });
  const child = await shop.post('/categories', { name: 'Cups', parent_id: parent.body.id });
  const cup = await stockedProduct(shop, { name: 'Cup', category_ids: [child.body.id] });
  const lamp = await stockedProduct(shop, { name: 'Lamp' });
  const bed = await stockedProduct(shop, { name: 'Bed' });
  await createCoupon(shop, { category_ids: [parent.body.id], product_ids: [lamp.body.id] });
  const { cart_token } = (await addToCart(shop, bed, {})).body;
  const refused = await applyCode(shop, cart_token);
  expect([refused.status, refused.body.code]).toEqual([409, 'coupon_not_applicable']);
  expect(refused.body.details).toEqual({ reason: 'no_eligible_line' });
  await addToCart(shop, cup, { cart_token });
  expect((await applyCode(shop, cart_token)).body.totals.discount).toBe(1);
  expect((await addToCart(shop, lamp, { cart_token })).body.totals.discount).toBe(2);
});

it('stays in the cart without effect while below its minimum', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await createCoupon(shop, { minimum_subtotal: 20 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const refused = await applyCode(shop, cart_token);
  const why = { reason: 'below_minimum_subtotal', minimum_subtotal: 20 };
  expect([refused.status, refused.body.details]).toEqual([409, why]);
  await addToCart(shop, mug, { cart_token });
  expect((await applyCode(shop, cart_token)).body.totals.discount).toBe(2);
  const less = await shop.patch('/cart/items/1', { cart_token, quantity: 1 });
  expect([less.body.coupon, less.body.totals.discount]).toEqual([{ code: 'TEN', applies: false, ...why }, 0]);
  const more = await shop.patch('/cart/items/1', { cart_token, quantity: 3 });
  expect([more.body.coupon.applies, more.body.totals.discount]).toEqual([true, 3]);
});

it('is valid only in its period', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await createCoupon(shop, { starts_at: soon(10 * MINUTE), ends_at: soon(20 * MINUTE) });
  expect((await applyCode(shop, cart_token)).body.details).toEqual({ reason: 'not_started' });
  moveClock(11 * MINUTE);
  const held = await applyCode(shop, cart_token);
  expect(held.body.totals.discount).toBe(1);
  moveClock(10 * MINUTE);
  const ended = await shop.get(`/cart/${cart_token}`);
  expect([ended.body.coupons, ended.body.totals.discount]).toEqual([
    [{ code: 'TEN', applies: false, reason: 'ended' }],
    0,
  ]);
  expect(ended.headers.get('etag')).not.toBe(held.headers.get('etag'));
  expect((await applyCode(shop, cart_token)).body.details).toEqual({ reason: 'ended' });
});

it('is shown as ended in each read, and gives way to the next code', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const codes = ['ONE', 'TWO', 'THREE', 'FOUR'];
  const [first] = await Promise.all(
    codes.map((code) =>
      shop.post('/promotions', {
        ...{ name: code, trigger: 'code', code, effect: { kind: 'fixed', value: 1 }, combinable: true },
      }),
    ),
  );
  for (const code of codes.slice(0, 3)) expect((await applyCode(shop, cart_token, code)).status).toBe(200);
  const change = await shop.patch(`/promotions/${first?.body.id}`, { ends_at: soon(-MINUTE) });
  const held = (...shown: readonly string[]) => shown.map((code) => ({ code, applies: true }));
  const ended = { code: 'ONE', applies: false, reason: 'ended' };
  const read = await shop.get(`/cart/${cart_token}`, seeing(change));
  const again = await shop.get(`/cart/${cart_token}`, seeing(change));
  expect(read.body.coupons).toEqual([ended, ...held('TWO', 'THREE')]);
  expect([again.body, again.headers.get('etag')]).toEqual([read.body, read.headers.get('etag')]);
  const next = await applyCode(shop, cart_token, 'FOUR');
  expect(next.body.coupons).toEqual(held('TWO', 'THREE', 'FOUR'));
});

it('applies only in currencies that have an amount', async () => {
  const shop = await world({ currencies: ['EUR', 'USD'] });
  const mug = await stockedProduct(shop, { name: 'Mug', prices: { USD: 12 } });
  await createCoupon(shop, { kind: 'fixed', value: { EUR: 3 } });
  const { cart_token } = (await shop.post('/cart', { currency: 'USD' })).body;
  await addToCart(shop, mug, { cart_token });
  expect((await applyCode(shop, cart_token)).body.details).toEqual({ reason: 'currency' });
});

it('follows changes and deletion of the coupon', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const made = await createCoupon(shop, {});
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await applyCode(shop, cart_token);
  const path = `/coupons/${made.body.id}`;
  const changed = await shop.patch(path, { value: 50 });
  expect((await shop.get(`/cart/${cart_token}`, seeing(changed))).body.totals.discount).toBe(5);
  const gone = await shop.delete(path);
  const after = await shop.get(`/cart/${cart_token}`, seeing(gone));
  expect([after.body.coupon, after.body.totals.discount]).toEqual([undefined, 0]);
});

it('applies a coupon once for one Idempotency-Key', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const once = { 'idempotency-key': 'k' };
  const wrong = await applyCode(shop, cart_token, 'TEN', once);
  await createCoupon(shop, {});
  const again = await applyCode(shop, cart_token, 'TEN', once);
  expect([again.status, again.body.code]).toEqual([wrong.status, 'coupon_not_found']);
  expect((await applyCode(shop, cart_token)).status).toBe(200);
});
