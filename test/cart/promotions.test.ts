import { expect, it } from 'vitest';
import { MINUTE, moveClock, now } from '../../src/kernel/core/clock.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { fetchWith, interceptBindings, MAIN_DATABASES } from '../support/faults/bindings.ts';
import { seeing, stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import { cartSeeing, promote, promoteByCode } from '../support/fixtures/selling/promotions.ts';
import { type World, world } from '../support/world.ts';

const at = (ms: number) => new Date(now() + ms).toISOString();
const percent = (value: number) => ({ effect: { kind: 'percent', value } });
const sum = (values: readonly { amount: number }[]) => values.reduce((all, { amount }) => all + amount, 0);

/** A shop with a cart of two mugs at 10 and a lamp at 40. */
async function shopWithCart() {
  const shop = await world({ settings: { shipping: { flat: 5 } } });
  const mug = await stockedProduct(shop, { name: 'Mug', sku: 'mug', price: 10 });
  const lamp = await stockedProduct(shop, { name: 'Lamp', sku: 'lamp', price: 40 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 2 })).body;
  await addToCart(shop, lamp, { cart_token });
  return { shop, mug, lamp, cart_token, path: `/cart/${cart_token}` };
}
const enter = (shop: World, path: string, code: string) => shop.post(`${path}/coupon`, { code });

it('gives every cart an automatic promotion, and shows who gets what', async () => {
  const { shop, mug, cart_token } = await shopWithCart();
  const { body: five } = await promote(shop, {
    name: 'Five off mugs',
    effect: { kind: 'fixed', value: 5 },
    priority: 1,
    combinable: true,
    conditions: { product_ids: [mug.body.id] },
  });
  const ten = await promote(shop, { name: 'Ten percent', combinable: true });
  const { body } = await cartSeeing(shop, cart_token, ten);
  expect(body.applied_promotions).toEqual([
    { id: five.id, name: 'Five off mugs', code: null, amount: 5 },
    { id: ten.body.id, name: 'Ten percent', code: null, amount: 5.5 },
  ]);
  expect(body.items.map(({ discounts }: { discounts: unknown }) => discounts)).toEqual([
    [
      { promotion_id: five.id, amount: 5 },
      { promotion_id: ten.body.id, amount: 1.5 },
    ],
    [{ promotion_id: ten.body.id, amount: 4 }],
  ]);
  expect(body.totals).toMatchObject({ subtotal: 60, discount: 10.5, subtotal_after_discount: 49.5 });
  expect(sum(body.applied_promotions)).toBe(body.totals.discount);
  expect([body.coupon, body.coupons]).toEqual([undefined, []]);
});

it('begins and ends a promotion to the millisecond, without another write', async () => {
  const { shop, cart_token, path } = await shopWithCart();
  const made = await promote(shop, { starts_at: at(MINUTE), ends_at: at(3 * MINUTE) });
  const before = await cartSeeing(shop, cart_token, made);
  const discount = async () => (await shop.get(path)).body.totals.discount;
  expect(before.body.totals.discount).toBe(0);
  moveClock(Date.parse(made.body.starts_at) - now() - 2_000);
  expect(await discount()).toBe(0);
  moveClock(Date.parse(made.body.starts_at) - now());
  const during = await shop.get(path);
  expect(during.body.totals.discount).toBe(6);
  expect(during.headers.get('etag')).not.toBe(before.headers.get('etag'));
  moveClock(Date.parse(made.body.ends_at) - now() - 2_000);
  expect(await discount()).toBe(6);
  moveClock(Date.parse(made.body.ends_at) - now());
  expect((await shop.get(path)).body).toMatchObject({ applied_promotions: [], totals: { discount: 0 } });
});

it('shows no promotion to shoppers before it begins', async () => {
  const { shop, cart_token, path } = await shopWithCart();
  const made = await promote(shop, { name: 'Black Friday', starts_at: at(MINUTE) });
  await cartSeeing(shop, cart_token, made);
  const { token } = await shop.register({ kind: 'storefront' });
  const shown = async () =>
    JSON.stringify((await shop.get(path, { token })).body) +
    JSON.stringify((await shop.get(`${path}/explain`, { token })).body);
  expect(await shown()).not.toContain('Black Friday');
  moveClock(Date.parse(made.body.starts_at) - now());
  expect(await shown()).toContain('Black Friday');
});

it('reprices carts when a promotion changes, is switched off or deleted', async () => {
  const { shop, cart_token } = await shopWithCart();
  const made = await promote(shop);
  const of = `/promotions/${made.body.id}`;
  const discount = async (seen: typeof made) =>
    (await cartSeeing(shop, cart_token, seen)).body.totals.discount;
  expect(await discount(made)).toBe(6);
  expect(await discount(await shop.patch(of, percent(20)))).toBe(12);
  expect(await discount(await shop.patch(of, { active: false }))).toBe(0);
  expect(await discount(await shop.patch(of, { active: true }))).toBe(12);
  expect(await discount(await shop.delete(of))).toBe(0);
});

it('holds up to three codes that combine, in whatever order they are entered', async () => {
  const { shop, path } = await shopWithCart();
  for (const [n, code] of ['A', 'B', 'C', 'D'].entries()) {
    await promoteByCode(shop, code, { ...percent(10 * (n + 1)), combinable: true, priority: 9 - n });
  }
  const entered = async (codes: string) => {
    await shop.delete(`${path}/coupon`);
    for (const code of codes) expect((await enter(shop, path, code)).status).toBe(200);
    const { applied_promotions, totals, items } = (await shop.get(path)).body;
    return { applied_promotions, totals, items };
  };
  const straight = await entered('ABC');
  expect(straight.applied_promotions.map(({ code }: { code: string }) => code)).toEqual(['C', 'B', 'A']);
  expect(await entered('CBA')).toEqual(straight);
  expect(await entered('BACB')).toEqual(straight);
  const full = await enter(shop, path, 'D');
  expectProblem(full, 409, 'coupon_not_applicable');
  expect(full.body.details).toEqual({ reason: 'too_many_codes' });
  const shown = (await shop.get(path)).body;
  expect(shown.coupons).toHaveLength(3);
  expect(shown.coupon).toEqual(shown.coupons[2]);
});

it('says why a code is refused or has no effect, and what it takes', async () => {
  const { shop, path, cart_token } = await shopWithCart();
  const ofMugs = { effect: { kind: 'buy_x_get_y', buy: 3, get: 1, percent_off: 100 } };
  await promoteByCode(shop, 'FOUR', ofMugs);
  const few = await enter(shop, path, 'FOUR');
  expectProblem(few, 409, 'coupon_not_applicable');
  expect(few.body.details).toEqual({ reason: 'below_minimum_quantity', minimum_quantity: 4 });
  await promoteByCode(shop, 'BIG', { conditions: { minimum_subtotal: 50 }, combinable: true });
  expect((await enter(shop, path, 'BIG')).body.coupons).toEqual([{ code: 'BIG', applies: true }]);
  const small = await shop.delete(`/cart/items/2?cart_token=${cart_token}`);
  const idle = { code: 'BIG', applies: false, reason: 'below_minimum_subtotal', minimum_subtotal: 50 };
  expect([small.body.coupon, small.body.coupons]).toEqual([idle, [idle]]);
  expect((await shop.get(path)).body.coupons).toEqual([idle]);
  await shop.delete(`${path}/coupon`);
  expect((await enter(shop, path, 'BIG')).body.details).toEqual({
    reason: 'below_minimum_subtotal',
    minimum_subtotal: 50,
  });
});

it('says that a code has no effect beside a better one', async () => {
  const { shop, path } = await shopWithCart();
  await promoteByCode(shop, 'TEN', { ...percent(10), combinable: true });
  await promoteByCode(shop, 'HALF', percent(50));
  await enter(shop, path, 'TEN');
  expect((await enter(shop, path, 'HALF')).body.coupons).toEqual([
    { code: 'TEN', applies: false, reason: 'not_combined' },
    { code: 'HALF', applies: true },
  ]);
});

it('says that a code which combines with others has nothing to reduce, once its goods are free', async () => {
  const { shop, mug, path } = await shopWithCart();
  const free = { ...percent(100), combinable: true, conditions: { product_ids: [mug.body.id] } };
  await promoteByCode(shop, 'MUGS', { ...free, priority: 1 });
  await promoteByCode(shop, 'TEN', { ...free, ...percent(10), priority: 2 });
  await enter(shop, path, 'MUGS');
  expect((await enter(shop, path, 'TEN')).body.coupons).toEqual([
    { code: 'MUGS', applies: true },
    { code: 'TEN', applies: false, reason: 'nothing_to_reduce' },
  ]);
  const { promotions } = (await shop.get(`${path}/explain`)).body;
  expect(promotions[1]).toMatchObject({ code: 'TEN', reason: 'nothing_to_reduce' });
});

it('names a code that was deleted until the next change', async () => {
  const { shop, lamp, cart_token, path } = await shopWithCart();
  const kept = await promoteByCode(shop, 'KEPT', { combinable: true });
  const gone = await promoteByCode(shop, 'GONE', { combinable: true });
  await cartSeeing(shop, cart_token, gone);
  for (const code of ['KEPT', 'GONE']) await enter(shop, path, code);
  const deleted = await shop.delete(`/promotions/${gone.body.id}`);
  const read = await cartSeeing(shop, cart_token, deleted);
  expect(read.body.coupons).toMatchObject([{ code: kept.body.code }]);
  expect(read.body.warnings).toEqual([
    { code: 'coupons_removed', coupons: ['GONE'], message: 'Codes that can no longer be used: GONE.' },
  ]);
  expect((await shop.get(path)).body.warnings).toEqual(read.body.warnings);
  expect((await addToCart(shop, lamp, { cart_token })).body.warnings).toEqual([]);
});

it('names a code that was deleted in the response to a change, as the first to show it', async () => {
  const { shop, lamp, cart_token, path } = await shopWithCart();
  const gone = await promoteByCode(shop, 'GONE');
  await cartSeeing(shop, cart_token, gone);
  await enter(shop, path, 'GONE');
  const deleted = await shop.delete(`/promotions/${gone.body.id}`);
  const line = { cart_token, product_id: lamp.body.id, quantity: 1 };
  const added = await shop.post('/cart/items', line, seeing(deleted));
  expect([added.body.coupons, added.body.warnings]).toMatchObject([[], [{ coupons: ['GONE'] }]]);
});

it('removes one code, or all', async () => {
  const { shop, path } = await shopWithCart();
  for (const code of ['ONE', 'TWO']) await promoteByCode(shop, code, { combinable: true });
  for (const code of ['ONE', 'TWO']) await enter(shop, path, code);
  const left = await shop.delete(`${path}/coupon?code=one`);
  expect(left.body.coupons).toEqual([{ code: 'TWO', applies: true }]);
  expect((await shop.delete(`${path}/coupon?code=NONE`)).body).toEqual(left.body);
  expectProblem(await shop.delete(`${path}/coupon?code=${'x'.repeat(65)}`), 422, 'validation_error');
  await enter(shop, path, 'ONE');
  expect((await shop.delete(`${path}/coupon`)).body).toMatchObject({ coupons: [], totals: { discount: 0 } });
  const { data } = (await shop.get(`${path}/history`)).body;
  expect(data.flatMap(({ operations }: { operations: unknown[] }) => operations).slice(0, 3)).toEqual([
    { op: 'coupon', code: null },
    { op: 'coupon', code: 'ONE' },
    { op: 'remove_coupon', code: 'one' },
  ]);
});

it.each([
  { alone: 10, best: ['A', 'B'], discount: 15 },
  { alone: 50, best: ['ALONE'], discount: 30 },
])('applies the better of codes that do not combine, whichever came first: $best', async (expected) => {
  const { shop, path } = await shopWithCart();
  await promoteByCode(shop, 'A', { ...percent(20), combinable: true });
  await promoteByCode(shop, 'B', { effect: { kind: 'fixed', value: 3 }, combinable: true });
  await promoteByCode(shop, 'ALONE', percent(expected.alone));
  const entered = async (...codes: string[]) => {
    await shop.delete(`${path}/coupon`);
    for (const code of codes) expect((await enter(shop, path, code)).status).toBe(200);
    const { applied_promotions, totals } = (await shop.get(path)).body;
    return { best: applied_promotions.map(({ code }: { code: string }) => code), discount: totals.discount };
  };
  const { best, discount } = expected;
  expect(await entered('A', 'B', 'ALONE')).toEqual({ best, discount });
  expect(await entered('ALONE', 'B', 'A')).toEqual({ best, discount });
  expect(await entered('B', 'ALONE', 'A')).toEqual({ best, discount });
});

it('holds one code that does not combine, and three in all', async () => {
  const { shop, path } = await shopWithCart();
  for (const code of ['ONE', 'TWO', 'THREE']) await promoteByCode(shop, code, { combinable: true });
  await shop.post('/coupons', { code: 'ALONE', kind: 'percent', value: 5 });
  await promoteByCode(shop, 'OTHER');
  const codes = async (code: string) =>
    (await enter(shop, path, code)).body.coupons.map((one: { code: string }) => one.code);
  expect(await codes('ALONE')).toEqual(['ALONE']);
  expect(await codes('ONE')).toEqual(['ALONE', 'ONE']);
  expect(await codes('OTHER')).toEqual(['ONE', 'OTHER']);
  expect(await codes('TWO')).toEqual(['ONE', 'OTHER', 'TWO']);
  const full = await enter(shop, path, 'THREE');
  expectProblem(full, 409, 'coupon_not_applicable');
  expect(full.body.details).toEqual({ reason: 'too_many_codes' });
  expect(await codes('ALONE')).toEqual(['ONE', 'TWO', 'ALONE']);
});

it('keeps a code that others are better than, until the cart makes it the better one', async () => {
  const { shop, lamp, path, cart_token } = await shopWithCart();
  await promote(shop, { name: 'Seven off', effect: { kind: 'fixed', value: 7 }, combinable: true });
  const code = await promoteByCode(shop, 'TEN');
  await cartSeeing(shop, cart_token, code);
  const worse = await enter(shop, path, 'TEN');
  expect(worse.body).toMatchObject({
    coupon: { code: 'TEN', applies: false },
    totals: { discount: 7 },
    applied_promotions: [{ name: 'Seven off' }],
  });
  const explained = (await shop.get(`${path}/explain`)).body;
  expect(explained.promotions).toMatchObject([
    { name: 'Seven off', rule: 'fixed', fixed: 7, eligible: 60, reason: null },
    { code: 'TEN', amount: 0, rule: 'not_applicable', reason: 'not_combined' },
  ]);
  expect(explained.discount).toMatchObject({ amount: 7, rule: 'fixed', code: null, reason: null });
  const more = await addToCart(shop, lamp, { cart_token });
  expect(more.body).toMatchObject({
    coupon: { code: 'TEN', applies: true },
    totals: { discount: 10 },
    applied_promotions: [{ code: 'TEN' }],
  });
});

it('charges no more with a code that would cost the free shipping', async () => {
  const shop = await world({ settings: { shipping: { flat: 9, free_over: 50 } } });
  const lamp = await stockedProduct(shop, { name: 'Lamp', sku: 'lamp', price: 51 });
  const { cart_token } = (await addToCart(shop, lamp, {})).body;
  await promoteByCode(shop, 'FIVE', percent(5));
  const entered = await enter(shop, `/cart/${cart_token}`, 'FIVE');
  expect(entered).toMatchObject({
    status: 200,
    body: {
      coupons: [{ code: 'FIVE', applies: false }],
      applied_promotions: [],
      totals: { discount: 0, shipping: 0, grand_total: 51 },
    },
  });
  const { body } = await shop.get(`/cart/${cart_token}/explain`);
  expect(body.discount).toMatchObject({ rule: 'not_applicable', code: 'FIVE', reason: 'raises_total' });
  expect(body.promotions).toMatchObject([{ code: 'FIVE', rule: 'not_applicable', reason: 'raises_total' }]);
  const two = await addToCart(shop, lamp, { cart_token });
  expect(two.body).toMatchObject({ coupon: { applies: true }, totals: { discount: 5.1, grand_total: 96.9 } });
});
it('explains several promotions by what each found', async () => {
  const { shop, cart_token, path } = await shopWithCart();
  await promote(shop, { ...percent(50), priority: 1, combinable: true });
  await promote(shop, { name: 'Big', conditions: { minimum_subtotal: 100 }, combinable: true });
  const seen = await promoteByCode(shop, 'OFF', { effect: { kind: 'fixed', value: 6 }, combinable: true });
  await cartSeeing(shop, cart_token, seen);
  await enter(shop, path, 'OFF');
  const { body } = await shop.get(`${path}/explain`);
  const ofOne = {
    code: null,
    percent: null,
    fixed: null,
    eligible_subtotal: null,
    minimum_subtotal: null,
    reason: null,
  };
  expect(body.discount).toEqual({ ...ofOne, amount: 36, rule: 'sum_of_promotions' });
  expect(body.promotions).toMatchObject([
    { name: 'Sale', amount: 30, rule: 'percent', percent: 50, eligible: 60 },
    { code: 'OFF', amount: 6, rule: 'fixed', fixed: 6, eligible: 30 },
    { name: 'Big', amount: 0, reason: 'below_minimum_subtotal', minimum_subtotal: 100 },
  ]);
  expect(body.items[0].discount).toMatchObject({ amount: 12, rule: 'sum_of_shares' });
  expect(body.items[0].discount.shares).toMatchObject([{ amount: 10 }, { amount: 2, weight: 10 }]);
});

it('takes codes in a batch, all or none', async () => {
  const { shop, path } = await shopWithCart();
  for (const code of ['ONE', 'TWO']) await promoteByCode(shop, code, { combinable: true });
  const batch = (...codes: (string | null)[]) =>
    shop.post(`${path}/batch`, { operations: codes.map((code) => ({ op: 'coupon', code })) });
  expect((await batch('ONE', 'TWO')).body.coupons).toHaveLength(2);
  const failed = await batch(null, 'NONE');
  expect([failed.body.code, failed.body.details.index]).toEqual(['coupon_not_found', 1]);
  expect((await shop.get(path)).body.coupons).toHaveLength(2);
  expect((await batch(null, 'TWO')).body.coupons).toEqual([{ code: 'TWO', applies: true }]);
});

it('rejects a code whose conditions do not hold', async () => {
  const { shop, mug, path } = await shopWithCart();
  const of = { product_ids: [mug.body.id] };
  await promoteByCode(shop, 'THREE', { conditions: { ...of, minimum_quantity: 3 } });
  await promoteByCode(shop, 'SETS', {
    effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 100 },
    conditions: of,
  });
  await promoteByCode(shop, 'OFF', { active: false });
  for (const code of ['THREE', 'SETS']) {
    const refused = await enter(shop, path, code);
    expectProblem(refused, 409, 'coupon_not_applicable');
    expect(refused.body.details).toEqual({ reason: 'below_minimum_quantity', minimum_quantity: 3 });
  }
  expectProblem(await enter(shop, path, 'OFF'), 404, 'coupon_not_found');
  await shop.patch('/cart/items/1', { cart_token: path.slice(6), quantity: 3 });
  expect((await enter(shop, path, 'SETS')).body.totals.discount).toBe(10);
  // The items that it is for are gone: it stays, without effect.
  const gone = await shop.delete(`/cart/items/1?cart_token=${path.slice(6)}`);
  expect(gone.body).toMatchObject({ coupon: { code: 'SETS', applies: false }, totals: { discount: 0 } });
});

it('costs one object call and no storage to add to a cart with promotions, once they are known', async () => {
  const { shop, mug, cart_token } = await shopWithCart();
  for (let n = 0; n < 5; n++)
    await promote(shop, { name: `P${n}`, combinable: true, starts_at: at(-MINUTE) });
  const seen = await promote(shop, { name: 'Last', combinable: true });
  const headers = { 'content-type': 'application/json', ...seeing(seen).headers };
  const calls: string[] = [];
  const recorded = interceptBindings([...MAIN_DATABASES, 'CACHE', 'CART'], (name, call) => {
    calls.push(name);
    return call();
  });
  const add = async () => {
    const body = JSON.stringify({ product_id: mug.body.id, quantity: 1, cart_token });
    const answer = await fetchWith(recorded, 'POST', '/v1/cart/items', shop.token, { body, headers });
    return answer.json<{ applied_promotions: unknown[] }>();
  };
  await add();
  calls.length = 0;
  expect((await add()).applied_promotions).toHaveLength(6);
  expect(calls.filter((name) => name !== 'CART.getByName')).toEqual(['CART.edit']);
});

it("shows no promotion of another tenant, and none to another tenant's cart", async () => {
  const { shop, cart_token } = await shopWithCart();
  const other = await world();
  const foreign = await promote(other);
  await promoteByCode(other, 'THEIRS');
  expect((await cartSeeing(shop, cart_token, foreign)).body.applied_promotions).toEqual([]);
  expectProblem(await enter(shop, `/cart/${cart_token}`, 'THEIRS'), 404, 'coupon_not_found');
});

it('applies a promotion once whose code became automatic', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 100 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const code = await promoteByCode(shop, 'TEN', { combinable: true });
  await shop.post(`/cart/${cart_token}/coupon`, { code: 'TEN' }, seeing(code));
  const automatic = await shop.patch(`/promotions/${code.body.id}`, { trigger: 'automatic' });
  const { body } = await cartSeeing(shop, cart_token, automatic);
  expect(body.totals.discount).toBe(10);
  expect(body.applied_promotions).toEqual([{ id: code.body.id, name: 'TEN', code: null, amount: 10 }]);
  expect(body.coupons).toEqual([]);
});
