/** What a merge at login takes over beside the lines, and how the cart says what it could not take. */

import { expect, it } from 'vitest';
import { HOUR, iso, moveClock, now } from '../../../src/kernel/core/clock.ts';
import { evict } from '../../support/faults/injector.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, cartObject } from '../../support/fixtures/selling/cart.ts';
import { PASSWORD, registration, withSession } from '../../support/fixtures/selling/customers.ts';
import { promoteByCode } from '../../support/fixtures/selling/promotions.ts';
import { world } from '../../support/world.ts';

const METHODS = [
  { id: 'parcel', name: 'Parcel', price: 5, active: true },
  { id: 'express', name: 'Express', price: 9, active: true },
];

/** A customer with an earlier cart of one mug, and a guest's cart of one bowl. */
async function guestAndCustomer() {
  const shop = await world({ settings: { shipping: { methods: METHODS } } });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const bowl = await stockedProduct(shop, { name: 'Bowl', price: 20 });
  const earlier = (await addToCart(shop, mug, {})).body.cart_token as string;
  const who = registration({ cart_token: earlier });
  const customer = withSession((await shop.post('/customers/register', who)).body.token);
  const guest = (await addToCart(shop, bowl, {})).body.cart_token as string;
  const enter = async (token: string, ...codes: string[]) => {
    for (const code of codes) {
      const entered = await shop.post(`/cart/${token}/coupon`, { code }, customer);
      expect(entered.status, JSON.stringify(entered.body)).toBe(200);
    }
  };
  const logIn = async () => {
    const body = { email: who.email, password: PASSWORD, cart_token: guest };
    expect((await shop.post('/customers/login', body)).status).toBe(200);
    return (await shop.get(`/cart/${guest}`)).body;
  };
  return { shop, mug, bowl, earlier, guest, enter, logIn };
}

const codesOf = (cart: { coupons: { code: string }[] }) => cart.coupons.map(({ code }) => code);

it('keeps the codes of both carts that combine, up to three, and names the others until the next change', async () => {
  const { shop, bowl, earlier, guest, enter, logIn } = await guestAndCustomer();
  for (const code of ['A', 'B', 'C', 'D']) await promoteByCode(shop, code, { combinable: true });
  await enter(earlier, 'A', 'B', 'C');
  await enter(guest, 'C', 'D');
  const merged = await logIn();
  expect(codesOf(merged)).toEqual(['A', 'C', 'D']);
  expect(merged.coupon.code).toBe('D');
  expect(merged.applied_promotions).toHaveLength(3);
  expect(merged.warnings).toEqual([
    {
      code: 'coupons_not_merged',
      coupons: ['B'],
      message: 'Codes of your earlier cart that this cart could not take: B.',
    },
  ]);
  // A second login repeats the merge.
  expect(await logIn()).toEqual(merged);
  const changed = await addToCart(shop, bowl, { cart_token: guest });
  expect([codesOf(changed.body), changed.body.warnings]).toEqual([['A', 'C', 'D'], []]);
});

it('takes no code that is over, in whose place another one fits', async () => {
  const { shop, earlier, guest, enter, logIn } = await guestAndCustomer();
  await promoteByCode(shop, 'OVER', { combinable: true, ends_at: iso(now() + HOUR) });
  for (const code of ['A', 'B', 'C']) await promoteByCode(shop, code, { combinable: true });
  await enter(earlier, 'OVER', 'A', 'B');
  await enter(guest, 'C');
  moveClock(2 * HOUR);
  const merged = await logIn();
  expect([codesOf(merged), merged.warnings]).toEqual([['A', 'B', 'C'], []]);
});

it("takes a code that doesn't combine, and never replaces one", async () => {
  const { shop, earlier, enter, logIn } = await guestAndCustomer();
  await promoteByCode(shop, 'ALONE');
  await enter(earlier, 'ALONE');
  const merged = await logIn();
  expect([codesOf(merged), merged.totals.discount, merged.warnings]).toEqual([['ALONE'], 3, []]);

  const other = await guestAndCustomer();
  await promoteByCode(other.shop, 'ALONE');
  await promoteByCode(other.shop, 'WITH', { combinable: true });
  await promoteByCode(other.shop, 'OURS');
  await other.enter(other.earlier, 'WITH', 'ALONE');
  await other.enter(other.guest, 'OURS');
  const kept = await other.logIn();
  expect(codesOf(kept)).toEqual(['WITH', 'OURS']);
  expect(kept.warnings).toMatchObject([{ code: 'coupons_not_merged' }]);
});

it('takes over the shipping method unless one was chosen in this cart', async () => {
  const chosen = async (inEarlier: string | null, inThis: string | null) => {
    const { shop, earlier, guest, logIn } = await guestAndCustomer();
    const choose = (token: string, id: string) => shop.put(`/cart/${token}/shipping-method`, { id });
    if (inEarlier !== null) expect((await choose(earlier, inEarlier)).status).toBe(200);
    if (inThis !== null) expect((await choose(guest, inThis)).status).toBe(200);
    return (await logIn()).shipping_method.id;
  };
  expect(await chosen('express', null)).toBe('express');
  expect(await chosen('express', 'parcel')).toBe('parcel');
  expect(await chosen(null, 'express')).toBe('express');
  expect(await chosen(null, null)).toBe('parcel');
});

it('takes over metadata under keys that this cart does not have, as far as 50 keys go', async () => {
  const { shop, earlier, guest, logIn } = await guestAndCustomer();
  const note = async (token: string, metadata: object) => {
    const noted = await shop.post(`/cart/${token}/batch`, { operations: [{ op: 'metadata', metadata }] });
    expect(noted.status, JSON.stringify(noted.body)).toBe(200);
  };
  await note(earlier, { gift_note: 'For Ada', source: 'app' });
  await note(guest, { source: 'web' });
  const merged = await logIn();
  expect(merged.metadata).toEqual({ gift_note: 'For Ada', source: 'web' });
  expect(await logIn()).toEqual(merged);

  const full = await guestAndCustomer();
  const many = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, 'x']));
  await full.shop.post(`/cart/${full.earlier}/batch`, {
    operations: [{ op: 'metadata', metadata: many('e', 2) }],
  });
  await full.shop.post(`/cart/${full.guest}/batch`, {
    operations: [{ op: 'metadata', metadata: many('g', 49) }],
  });
  expect((await full.logIn()).metadata).toEqual({ ...many('g', 49), e0: 'x' });
});

it('names the items that did not fit or are no longer on sale', async () => {
  const { shop, mug, bowl, earlier, guest, logIn } = await guestAndCustomer();
  const add = async (cart_token: string, product: typeof mug, numbers: readonly number[]) => {
    for (let from = 0; from < numbers.length; from += 50) {
      const operations = numbers.slice(from, from + 50).map((n) => ({
        op: 'add',
        product_id: product.body.id,
        quantity: 1,
        options: { n },
      }));
      const added = await shop.post(`/cart/${cart_token}/batch`, { operations }, seeing(bowl));
      expect(added.status, JSON.stringify(added.body)).toBe(200);
    }
  };
  const old = await stockedProduct(shop, { name: 'Old lamp' });
  await addToCart(shop, old, { cart_token: earlier });
  await add(
    earlier,
    mug,
    Array.from({ length: 14 }, (_, n) => n),
  );
  await add(
    guest,
    bowl,
    Array.from({ length: 97 }, (_, n) => n),
  );
  const deleted = await shop.delete(`/products/${old.body.id}`);
  await shop.get(`/cart/${guest}`, seeing(deleted));
  // The lease of the login is of a catalogue without the deleted product.
  moveClock(2_000);
  const merged = await logIn();
  expect(merged.items).toHaveLength(100);
  const names = Array.from({ length: 9 }, () => 'Mug').join(', ');
  expect(merged.warnings).toEqual([
    {
      code: 'items_not_merged',
      message: `Items of your earlier cart that this cart could not take: Old lamp, ${names}, and 4 more.`,
    },
  ]);
  // The notice outlives the object.
  await evict(cartObject(shop, guest));
  expect((await shop.get(`/cart/${guest}`)).body).toEqual(merged);
});
