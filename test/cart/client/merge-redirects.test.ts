import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { bindCart } from '../../../src/cart/index.ts';
import { tenantContext } from '../../../src/kernel/data/tenant-context.ts';
import type { Call } from '../../../src/kernel/http/context.ts';
import { interceptBindings } from '../../support/faults/bindings.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, cartIdOf } from '../../support/fixtures/selling/cart.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { world } from '../../support/world.ts';

const OWNER = { id: 7, email: 'ada@example.com' };

/**
 * Merges one cart into another, and the other way round just before the first merge calls `method`. Returns what both
 * tokens lead to afterwards.
 */
async function crossMerges(method: 'contents' | 'moveTo', quantities: readonly [number, number]) {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 10 });
  const catalogVersion = Number(mug.headers.get('x-catalog-version'));
  const tokens: string[] = [];
  for (const quantity of quantities) tokens.push((await addToCart(shop, mug, { quantity })).body.cart_token);
  const [first = '', second = ''] = tokens;
  const bind = (bindings: Env, token: string, older: string | null) => {
    const ctx = tenantContext({ env: bindings, ctx: { waitUntil: () => undefined } }, shop.tenantId);
    const caller = { tenantId: shop.tenantId, applicationId: shop.applicationId, catalogVersion };
    const call = { ...ctx, caller } as unknown as Call; // What binding needs of a call.
    const olderId = older === null ? null : cartIdOf(shop, older);
    return bindCart(call, cartIdOf(shop, token), { owner: OWNER, olderId });
  };
  for (const token of tokens) await bind(env, token, null);
  let isCrossed = false;
  const racing = interceptBindings(['CART'], (name, call) => {
    if (isCrossed || name !== `CART.${method}`) return call();
    isCrossed = true;
    return bind(env, first, second).then(call);
  });
  const bound = await bind(racing, second, first);
  const shown = await Promise.all(tokens.map((token) => shop.get(`/cart/${token}`)));
  return { isCrossed, bound, carts: shown.map(({ status, body }) => ({ ...body, http: status })) };
}

it.each([
  ['before it reads the older cart', 'contents', [2, 3]],
  ['before it redirects an equal cart', 'moveTo', [2, 2]],
] as const)(
  'keeps the items of two carts when a merge is crossed by its opposite %s',
  async (_, method, quantities) => {
    const { isCrossed, bound, carts } = await crossMerges(method, quantities);
    expect(isCrossed).toBe(true);
    expect(bound.ok).toBe(true);
    for (const cart of carts) {
      expect(cart).toMatchObject({
        http: 200,
        items: [{ name: 'Mug', quantity: Math.max(...quantities) }],
      });
    }
    expect(carts[0]?.cart_token).toBe(carts[1]?.cart_token);
  },
);

it('leads from the token of a first cart through many merges', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 10 });
  const cart = async (): Promise<string> => (await addToCart(shop, mug, { quantity: 2 })).body.cart_token;
  const first = await cart();
  const ada = await registerCustomer(shop, { cart_token: first });
  const take = (cart_token: string) => shop.put('/customers/me/cart', { cart_token }, withSession(ada.token));
  let last = first;
  for (let n = 0; n < 8; n++) {
    last = await cart();
    expect((await take(last)).status).toBe(200);
  }
  const shown = await shop.get(`/cart/${first}`);
  expect([shown.status, shown.body.cart_token, shown.body.total_quantity]).toEqual([200, last, 2]);
  expect((await addToCart(shop, mug, { cart_token: first })).body.cart_token).toBe(last);
  expect((await take(first)).status).toBe(200);
});

it('adds once what is sent again by the token of a first cart, after the cart that took it was merged too', async () => {
  const shop = await world();
  const mug = await stockedProduct(shop, { name: 'Mug', stock: 10 });
  const cart = async (): Promise<string> => (await addToCart(shop, mug, { quantity: 1 })).body.cart_token;
  const first = await cart();
  const ada = await registerCustomer(shop, { cart_token: first });
  const takeAnother = async () =>
    shop.put('/customers/me/cart', { cart_token: await cart() }, withSession(ada.token));
  const add = () => {
    const body = { cart_token: first, product_id: mug.body.id, quantity: 2 };
    return shop.post('/cart/items', body, { headers: { 'idempotency-key': 'two-more' } });
  };
  expect((await takeAnother()).status).toBe(200);
  expect((await add()).body.total_quantity).toBe(3);
  expect((await takeAnother()).status).toBe(200);
  const again = await add();
  expect([again.status, again.body.total_quantity]).toEqual([200, 3]);
});
