import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { CartSnapshot } from '../../../src/cart/index.ts';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import type { Result } from '../../../src/kernel/core/result.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, cartPort, tellOrderStatus } from '../../support/fixtures/selling/cart.ts';
import { type World, world } from '../../support/world.ts';

function got<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}
const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.failure.code);
const frozen = async (shop: World, token: string): Promise<CartSnapshot> =>
  got(await cartPort(shop, token).freeze(null));
const order = (orderId: string, version: number) => ({ orderId, version, email: null });

it('freezes lines, totals and the stock they need', async () => {
  const shop = await world({
    settings: { tax: { mode: 'inclusive', rate_percent: 25 }, shipping: { flat: 5 } },
  });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const lens = await stockedProduct(shop, { name: 'Lens', price: 50, inventory_policy: 'untracked' });
  const kit = await stockedProduct(shop, {
    name: 'Kit',
    type: 'bundled',
    price: 1,
    bundle_groups: [
      { title: 'A', items: [{ product_id: mug.body.id, quantity: 2 }] },
      { title: 'B', items: [{ product_id: lens.body.id }] },
    ],
  });
  const url = 'https://files.example.com/song';
  const song = await stockedProduct(shop, {
    name: 'Song',
    type: 'downloadable',
    links: [{ title: 'One', price: 1, url }],
  });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 3, options: { note: 'x' } })).body;
  const [a, b] = kit.body.bundle_groups;
  const bundle_options = { [a.id]: [a.items[0].id], [b.id]: [b.items[0].id] };
  await addToCart(shop, kit, { cart_token, quantity: 2, options: { bundle_options } });
  await addToCart(shop, song, { cart_token, options: { links: [song.body.links[0].id] } });
  await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  const shown = await shop.post(`/cart/${cart_token}/coupon`, { code: 'TEN' });

  const snapshot = await frozen(shop, cart_token);
  expect(snapshot).toMatchObject({
    currency: 'EUR',
    country: null,
    promotions: [{ code: 'TEN', terms: { kind: 'percent', value: 10 } }],
    demands: [{ itemId: mug.body.id, quantity: 7 }],
    lines: [
      {
        productId: mug.body.id,
        quantity: 3,
        unitPrice: 1000,
        ships: true,
        options: { note: 'x' },
        links: [],
      },
      { name: 'Kit', quantity: 2, demands: [{ itemId: mug.body.id, quantity: 4 }] },
      { ships: false, demands: [], links: [{ title: 'One', url }] },
    ],
  });
  expect(snapshot.totals.grandTotal / 100).toBe(shown.body.totals.grand_total);
  expect(await frozen(shop, cart_token)).toEqual(snapshot);
});

it('refuses to freeze an empty cart and one with a product that is no longer sold', async () => {
  const shop = await world();
  const { cart_token } = (await shop.post('/cart')).body;
  expect(codeOf(await cartPort(shop, cart_token).freeze(null))).toBe('cart_empty');
  const mug = await stockedProduct(shop, { name: 'Mug' });
  await addToCart(shop, mug, { cart_token });
  await shop.delete(`/products/${mug.body.id}`);
  expect(codeOf(await cartPort(shop, cart_token).freeze(null))).toBe('insufficient_stock');
  expect(codeOf(await cartPort(shop, `ct_${'0'.repeat(35)}`).freeze(null))).toBe('cart_not_found');
});

it('refuses a higher total once and accepts a lower one', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const { version } = await frozen(shop, cart_token);
  await shop.patch(`/products/${mug.body.id}`, { price: 11 });
  const risen = await cartPort(shop, cart_token).freeze(null);
  expect(risen).toMatchObject({
    ok: false,
    failure: { code: 'price_changed', details: { cart: { cart_token, totals: { grand_total: 11 } } } },
  });
  const agreed = await frozen(shop, cart_token);
  expect([agreed.totals.grandTotal, agreed.version]).toEqual([1100, version]);
  await shop.patch(`/products/${mug.body.id}`, { price: 9 });
  expect((await frozen(shop, cart_token)).totals.grandTotal).toBe(900);
});

it('drops a used-up coupon, which raises the total', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const coupon = await shop.post('/coupons', { code: 'TEN', kind: 'percent', value: 10 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  await shop.post(`/cart/${cart_token}/coupon`, { code: 'TEN' });
  await shop.delete(`/coupons/${coupon.body.id}`);
  expect(codeOf(await cartPort(shop, cart_token).freeze(null))).toBe('price_changed');
  expect((await frozen(shop, cart_token)).promotions).toEqual([]);
});

it('is locked by one order, for the frozen version', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const { version } = await frozen(shop, cart_token);
  const port = cartPort(shop, cart_token);
  const edited = await addToCart(shop, mug, { cart_token });
  expect(codeOf(await port.lock(order('ord_1', version)))).toBe('precondition_failed');
  const next = (await frozen(shop, cart_token)).version;
  expect(next).toBe(version + 1);
  got(await port.lock(order('ord_1', next)));
  got(await port.lock(order('ord_1', next)));
  expect(codeOf(await port.lock(order('ord_2', next)))).toBe('cart_locked');
  got(await port.unlock('ord_2'));
  expect(got(await port.standing())).toEqual({
    version: next,
    customerId: null,
    order: { id: 'ord_1', state: 'placing' },
  });

  for (const [state, revision] of [
    ['pending', 1],
    ['paid', 2],
  ] as const) {
    got(await tellOrderStatus(port, { id: 'ord_1', status: state, revision }));
    const edits = await Promise.all([
      shop.post('/cart/items', { product_id: mug.body.id, quantity: 1, cart_token }),
      shop.patch('/cart/items/1', { cart_token, quantity: 1 }),
      shop.delete(`/cart/items/1?cart_token=${cart_token}`),
      shop.delete(`/cart/${cart_token}/coupon`),
      shop.put(`/cart/${cart_token}/shipping-address`, { country: 'DE' }),
    ]);
    for (const edit of edits) expect([edit.status, edit.body.code]).toEqual([409, 'cart_locked']);
    expect(codeOf(await port.freeze(null))).toBe('cart_locked');
  }
  got(await tellOrderStatus(port, { id: 'ord_2', status: 'cancelled', revision: 9 }));
  // What is ordered costs what it cost.
  const dearer = await shop.patch(`/products/${mug.body.id}`, { price: 99 });
  expect((await shop.get(`/cart/${cart_token}`, seeing(dearer))).body).toEqual({
    ...edited.body,
    status: 'paid',
    order: { id: 'ord_1', number: 1001, status: 'paid' },
  });
  got(await tellOrderStatus(port, { id: 'ord_1', status: 'cancelled', revision: 4 }));
  // Words that were overtaken on their way.
  got(await tellOrderStatus(port, { id: 'ord_1', status: 'paid', revision: 3 }));
  got(await tellOrderStatus(port, { id: 'ord_1', status: 'pending', revision: 1 }));
  expect((await shop.delete(`/cart/items/1?cart_token=${cart_token}`)).status).toBe(200);
});

it('releases the lock of an order that was never placed', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const port = cartPort(shop, cart_token);
  got(await port.lock(order('ord_1', (await frozen(shop, cart_token)).version)));
  moveClock(2 * 60_000 + 1000);
  expect((await shop.patch('/cart/items/1', { cart_token, quantity: 2 })).status).toBe(200);
});

it('is not locked by a late notice of an order whose lock had expired before an edit', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const port = cartPort(shop, cart_token);
  const { version: cartVersion } = await frozen(shop, cart_token);
  got(await port.lock(order('ord_1', cartVersion)));
  moveClock(2 * 60_000 + 1000);
  expect((await shop.patch('/cart/items/1', { cart_token, quantity: 2 })).status).toBe(200);
  const status = 'pending';
  got(await port.orderStatus({ id: 'ord_1', number: 1001, status, revision: 1, cartVersion, payUrl: null }));
  expect((await shop.get(`/cart/${cart_token}`)).body.status).toBe('open');
  expect((await shop.patch('/cart/items/1', { cart_token, quantity: 3 })).status).toBe(200);
});

it('is not locked by a late notice of an order of the version before an edit', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const port = cartPort(shop, cart_token);
  const { version } = await frozen(shop, cart_token);
  got(await port.lock(order('ord_1', version)));
  got(await port.unlock('ord_1'));
  await addToCart(shop, mug, { cart_token });
  const notice = { id: 'ord_1', number: 1001, status: 'pending', revision: 1, payUrl: null } as const;
  got(await port.orderStatus({ ...notice, cartVersion: version }));
  expect((await shop.get(`/cart/${cart_token}`)).body.status).toBe('open');
  expect((await shop.patch('/cart/items/1', { cart_token, quantity: 3 })).status).toBe(200);
});

it('keeps the order that it was placed in anew, and its way back to paying, whatever notices come late', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug' });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const port = cartPort(shop, cart_token);
  const cartVersion = (await frozen(shop, cart_token)).version;
  got(await port.lock(order('ord_2', cartVersion)));
  const [pending, payUrl] = ['pending' as const, 'https://shop.example.com/checkout/ck_1'];
  got(
    await port.orderStatus({ id: 'ord_2', number: 1002, status: pending, revision: 1, cartVersion, payUrl }),
  );
  got(
    await port.orderStatus({
      id: 'ord_1',
      number: 1001,
      status: pending,
      revision: 1,
      cartVersion,
      payUrl: null,
    }),
  );
  got(
    await port.orderStatus({
      id: 'ord_2',
      number: 1002,
      status: pending,
      revision: 2,
      cartVersion,
      payUrl: null,
    }),
  );
  expect((await shop.get(`/cart/${cart_token}`)).body.order).toEqual({
    id: 'ord_2',
    number: 1002,
    status: 'pending',
    redirect_url: payUrl,
  });
});

it('renews the lock when the order is placed again', async () => {
  const shop = await world();
  const { cart_token } = (await addToCart(shop, await stockedProduct(shop, { name: 'Mug' }), {})).body;
  const port = cartPort(shop, cart_token);
  const { version } = await frozen(shop, cart_token);
  got(await port.lock(order('ord_1', version)));
  moveClock(2 * 60_000 - 1000);
  got(await port.lock(order('ord_1', version)));
  moveClock(2 * 60_000 - 1000);
  const edited = await shop.patch('/cart/items/1', { cart_token, quantity: 2 });
  expect([edited.status, edited.body.code]).toEqual([409, 'cart_locked']);
});

it('counts another address as an edit, the same one as none', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10 });
  const { cart_token } = (await addToCart(shop, mug, {})).body;
  const before = (await frozen(shop, cart_token)).version;
  const address = { country: 'DE', city: 'Berlin' };
  for (let time = 1; time <= 2; time++) {
    await shop.put(`/cart/${cart_token}/shipping-address`, address);
    expect(await frozen(shop, cart_token)).toMatchObject({ address, country: 'DE', version: before + 1 });
  }
});

it('does not count its own reservation as sold out, and releases it on an edit', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 2 });
  const { cart_token } = (await addToCart(shop, mug, { quantity: 2 })).body;
  const { version, demands, cartId } = await frozen(shop, cart_token);
  const { reserve } = await import('../../../src/inventory/index.ts');
  const { tenantContext } = await import('../../../src/kernel/data/tenant-context.ts');
  const runtime = { env, ctx: { waitUntil: () => undefined } };
  const { tenantId } = shop;
  const kept = got(await reserve(tenantContext(runtime, tenantId), { cartId, version, demands }));
  got(await cartPort(shop, cart_token).reserved(version, kept.expiresAt));
  const stock = async () => (await shop.get(`/products/${mug.body.id}`, seeing(touched))).body.stock;
  const touched = await shop.patch(`/products/${mug.body.id}`, { price: 8 });
  expect(await stock()).toBe(0);
  expect((await shop.get(`/cart/${cart_token}`, seeing(touched))).body.warnings).toMatchObject([
    { code: 'price_changed' },
  ]);
  expect((await frozen(shop, cart_token)).version).toBe(version);
  const edited = await shop.patch('/cart/items/1', { cart_token, quantity: 1 }, seeing(touched));
  expect([edited.status, edited.body.warnings]).toEqual([200, []]);
  const after = await shop.patch(`/products/${mug.body.id}`, { price: 7 });
  expect(after.body.stock).toBe(2);
  expect((await shop.get(`/cart/${cart_token}`, seeing(after))).body.warnings).toMatchObject([
    { code: 'price_changed' },
  ]);
});
