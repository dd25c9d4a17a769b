import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { bindCart, forgetPerson } from '../../../src/cart/index.ts';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import type { Result } from '../../../src/kernel/core/result.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import type { Call } from '../../../src/kernel/http/context.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import {
  addToCart,
  cartIdOf,
  cartObject,
  cartPort,
  tellOrderStatus,
} from '../../support/fixtures/selling/cart.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { type World, world } from '../../support/world.ts';

const ada = { id: 7, email: 'ada@example.com' };
const bob = { id: 8, email: 'bob@example.com' };

/** What binding needs of a call: as the customers' endpoints have it. */
const callOf = (shop: World, catalogVersion: number, bindings: Env) =>
  ({
    ...tenantContext({ env: bindings, ctx: { waitUntil: () => undefined } }, shop.tenantId),
    caller: { tenantId: shop.tenantId, applicationId: shop.applicationId, catalogVersion },
  }) as unknown as Call;

function got<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

type Line = { sku: string; quantity: number };

async function twoCarts() {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 10 });
  const bowl = await stockedProduct(shop, { name: 'Bowl' });
  const cup = await stockedProduct(shop, { name: 'Cup' });
  const older = (await addToCart(shop, mug, { quantity: 5 })).body.cart_token;
  await addToCart(shop, bowl, { cart_token: older, quantity: 1 });
  const newer = (await addToCart(shop, mug, { quantity: 2 })).body.cart_token;
  await addToCart(shop, bowl, { cart_token: newer, quantity: 4 });
  await addToCart(shop, cup, { cart_token: newer });
  const version = Number(cup.headers.get('x-catalog-version'));
  const bindWith =
    (bindings: Env) =>
    (token: string, owner = ada, before: string | null = null) =>
      bindCart(callOf(shop, version, bindings), cartIdOf(shop, token), {
        owner,
        olderId: before === null ? null : cartIdOf(shop, before),
      });
  return { shop, older, newer, bind: bindWith(env), bindWith, cup };
}

it('merges an older cart with the larger quantity of each line, and a second time changes nothing', async () => {
  const { shop, older, newer, bind, cup } = await twoCarts();
  got(await bind(older));
  const bound = { cartId: cartIdOf(shop, newer), apart: false, olderMovedTo: null };
  expect(got(await bind(newer, ada, older))).toEqual(bound);
  const merged = await shop.get(`/cart/${newer}`);
  expect(merged.body.items).toMatchObject([
    { name: 'Mug', quantity: 5 },
    { name: 'Bowl', quantity: 4 },
    { name: 'Cup', quantity: 1 },
  ]);
  expect(merged.body.totals.subtotal).toBe(100);
  expect(got(await bind(newer, ada, older))).toEqual(bound);
  expect((await shop.get(`/cart/${newer}`)).body).toEqual(merged.body);

  // The older token answers as the merged cart, for edits too.
  expect((await shop.get(`/cart/${older}`)).body).toEqual(merged.body);
  const added = await addToCart(shop, cup, { cart_token: older });
  expect(added.body.cart_token).toBe(newer);
  expect((await shop.get(`/cart/${newer}`)).body).toEqual(added.body);
  expect(got(await bind(older, ada, newer))).toEqual(bound);
});

it('takes what is added to the older cart while it is merged', async () => {
  const { shop, older, newer, bind, bindWith, cup } = await twoCarts();
  got(await bind(older));
  let edits = 0;
  const racing = interceptBindings(['CART'], (name, call) => {
    if (name !== 'CART.moveTo' || edits > 0) return call();
    edits += 1;
    return addToCart(shop, cup, { cart_token: older, quantity: 3 }).then(call);
  });
  got(await bindWith(racing)(newer, ada, older));
  expect(edits).toBe(1);
  const { body } = await shop.get(`/cart/${older}`);
  expect(body.cart_token).toBe(newer);
  expect(body.items).toMatchObject([
    { name: 'Mug', quantity: 5 },
    { name: 'Bowl', quantity: 4 },
    { name: 'Cup', quantity: 3 },
  ]);
});

it('counts no line of any type twice when it is copied twice', async () => {
  const { shop, older, newer, bind, cup } = await twoCarts();
  const slot = { from: '2099-05-01T09:00:00Z', to: '2099-05-01T10:00:00Z' };
  const item = { product_id: cup.body.id };
  const made = [
    { options: { engraving: 'Ada' } },
    {
      type: 'configurable',
      variants: [{ sku: 'TEE-S', price: 12, stock: 9, sale: { price: 8 }, attributes: { size: 'S' } }],
      options: { attributes: { size: 'S' } },
    },
    { type: 'grouped', grouped: [item] },
    {
      type: 'bundled',
      bundle_groups: [{ title: 'Cup', items: [item] }],
      options: { bundle_options: { 1: [1] } },
    },
    {
      type: 'downloadable',
      links: [{ title: 'PDF', price: 1, url: 'https://files.example.com/a.pdf' }],
      options: { links: [1] },
    },
    {
      type: 'booking',
      booking: { timezone: 'UTC', slots: [{ ...slot, capacity: 9 }] },
      options: { booking: slot },
    },
    { type: 'virtual' },
  ];
  let last = cup;
  for (const { options, ...product } of made) {
    last = await stockedProduct(shop, product);
    for (const [cart_token, quantity] of [
      [older, 3],
      [newer, 2],
    ] as const)
      await addToCart(shop, last, { cart_token, quantity, ...(options && { options }) });
  }
  got(await bind(older));
  const quantities = async (token: string): Promise<Record<string, number>> => {
    const { items } = (await shop.get(`/cart/${token}`)).body;
    return Object.fromEntries(items.map(({ sku, quantity }: Line) => [sku, quantity]));
  };
  const [earlier, own] = [await quantities(older), await quantities(newer)];
  expect(Object.keys(earlier)).toHaveLength(made.length + 2);
  const [{ id: mug }] = (await shop.get(`/cart/${older}`)).body.items;
  let copies = 0;
  const edited = interceptBindings(['CART'], (name, call) => {
    if (name !== 'CART.moveTo' || copies > 0) return call();
    copies += 1;
    return shop.patch(`/cart/items/${mug}`, { cart_token: older, quantity: 4 }).then(call);
  });
  const call = callOf(shop, Number(last.headers.get('x-catalog-version')), edited);
  const olderId = cartIdOf(shop, older);
  got(await bindCart(call, cartIdOf(shop, newer), { owner: ada, olderId }));
  expect(copies).toBe(1);
  const larger = Object.keys(earlier).map((sku) => [sku, Math.max(earlier[sku] ?? 0, own[sku] ?? 0)]);
  expect(await quantities(newer)).toEqual(Object.fromEntries(larger));
});

it("leads from the older token to the merged cart for as long as a customer's cart lives", async () => {
  const { shop, older, newer, bind } = await twoCarts();
  got(await bind(older));
  got(await bind(newer, ada, older));
  moveClock(89 * DAY);
  await runDurableObjectAlarm(cartObject(shop, older));
  expect((await shop.get(`/cart/${older}`)).body).toMatchObject({ cart_token: newer, total_quantity: 10 });
  moveClock(DAY);
  expect((await shop.get(`/cart/${older}`)).body.code).toBe('cart_expired');
});

it("answers 404 for another customer's cart", async () => {
  const { older, bind } = await twoCarts();
  got(await bind(older, bob));
  expect(await bind(older, ada)).toMatchObject({ ok: false, failure: { code: 'cart_not_found' } });
});

it('does not merge a cart that has an order', async () => {
  const { shop, older, newer, bind } = await twoCarts();
  const port = cartPort(shop, older);
  got(await tellOrderStatus(port, { id: 'ord_1', status: 'paid', revision: 1 }));
  const before = await shop.get(`/cart/${older}`);
  got(await bind(newer, ada, older));
  expect((await shop.get(`/cart/${older}`)).body).toEqual(before.body);
  expect((await shop.get(`/cart/${newer}`)).body.items).toMatchObject([{ quantity: 2 }, { quantity: 4 }, {}]);
});

it('keeps a frozen checkout valid, and removes an erased customer', async () => {
  const { shop, newer, bind } = await twoCarts();
  const port = cartPort(shop, newer);
  const { version } = got(await port.freeze(null));
  got(await bind(newer));
  const bound = got(await port.freeze(7));
  expect(bound).toMatchObject({ version, customerId: 7, email: 'ada@example.com' });
  expect((await shop.get(`/cart/${newer}`)).body.email).toBeUndefined();
  await forgetPerson({ env, tenantId: shop.tenantId }, cartIdOf(shop, newer), 8);
  expect(got(await port.freeze(null)).customerId).toBe(7);
  await forgetPerson({ env, tenantId: shop.tenantId }, cartIdOf(shop, newer), 7);
  expect(got(await port.freeze(null))).toMatchObject({ customerId: null, email: null });
});

it("shows address and customer only with the customer's session", async () => {
  const { shop, newer, bind } = await twoCarts();
  const [mine, theirs] = [await registerCustomer(shop), await registerCustomer(shop)];
  got(await bind(newer, mine));
  const address = { country: 'DE', first_name: 'Ada', line1: 'Hauptstr. 1' };
  const path = `/cart/${newer}`;
  const put = await shop.put(`${path}/shipping-address`, address, withSession(mine.token));
  const whole = { shipping_address: address, email: mine.email };
  expect(put.body).toMatchObject(whole);
  expect((await shop.get(path, withSession(mine.token))).body).toEqual(put.body);
  for (const answer of [await shop.get(path), await shop.get(path, withSession(theirs.token))]) {
    expect(answer.body.shipping_address).toEqual({ country: 'DE' });
    expect(JSON.stringify(answer.body)).not.toMatch(/Ada|Hauptstr|example\.com/);
  }
  // The two views have different tags; a change may begin from either.
  const tags = [put, await shop.get(path)].map(({ headers }) => headers.get('etag') ?? '');
  for (const [tag, other] of [tags, [...tags].reverse()]) {
    const known = { 'if-none-match': other ?? '' };
    const fresh = await shop.get(path, tag === tags[0] ? withSession(mine.token, known) : { headers: known });
    expect([fresh.status, fresh.headers.get('etag')]).toEqual([200, tag]);
    const same = await shop.put(`${path}/shipping-address`, address, { headers: { 'if-match': tag ?? '' } });
    expect(same.status).toBe(200);
  }
  const wrong = await shop.get(path, withSession('cs_wrong'));
  expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_customer_token']);
});

it('does not replay a response to another customer', async () => {
  const { shop, newer, bind, cup } = await twoCarts();
  const mine = await registerCustomer(shop);
  got(await bind(newer, mine));
  await shop.put(`/cart/${newer}/shipping-address`, { country: 'DE', line1: 'Hauptstr. 1' });
  const body = { cart_token: newer, product_id: cup.body.id, quantity: 1 };
  const first = await shop.post('/cart/items', body, withSession(mine.token, { 'idempotency-key': 'k' }));
  expect(first.body.shipping_address.line1).toBe('Hauptstr. 1');
  const other = await shop.post('/cart/items', body, { headers: { 'idempotency-key': 'k' } });
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
});
