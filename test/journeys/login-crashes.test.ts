/** A login with a cart crashes at each call that it awaits: the customer keeps all that both carts have. */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchWith } from '../support/faults/bindings.ts';
import { crashingWorker } from '../support/faults/worker-crashes.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import { PASSWORD, registerCustomer } from '../support/fixtures/selling/customers.ts';
import { silenceConsole } from '../support/fixtures/selling/shopper.ts';
import { world } from '../support/world.ts';

beforeEach(silenceConsole);
afterEach(() => vi.restoreAllMocks());

it.each(['before', 'after'] as const)('loses no item of a login that crashes %s a call', async (when) => {
  const shop = await world();
  const [mug, bowl] = [
    await stockedProduct(shop, { name: 'Mug', stock: 1000 }),
    await stockedProduct(shop, { name: 'Bowl', stock: 1000 }),
  ];
  const cartOf = async (product: typeof mug, quantity: number): Promise<string> =>
    (await addToCart(shop, product, { quantity })).body.cart_token;
  const login = async (worker: Env, email: string, cart_token?: string) => {
    const body = JSON.stringify({ email, password: PASSWORD, cart_token });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetchWith(worker, 'POST', '/v1/customers/login', shop.token, { body, headers });
    return { status: answer.status, body: await answer.json<{ cart_token: string }>() };
  };
  const items = async (token: string) =>
    (await shop.get(`/cart/${token}`)).body.items
      .map((item: { name: string; quantity: number }) => `${item.quantity} ${item.name}`)
      .sort();
  let nth = 0;
  for (let crashed = true; crashed; ) {
    const { email } = await registerCustomer(shop, { cart_token: await cartOf(mug, 5) });
    const cart = await cartOf(bowl, 2);
    const worker = crashingWorker(++nth, when);
    await login(worker.env, email, cart);
    crashed = worker.crashed();
    const where = `call ${nth} (${worker.calls.at(-1)})`;
    const kept = await login(env, email);
    expect(kept.status, where).toBe(200);
    expect(await items(kept.body.cart_token), where).toContain('5 Mug');
    for (const token of [cart, undefined]) {
      expect((await login(env, email, token)).body.cart_token, where).toBe(cart);
    }
    for (const token of [cart, kept.body.cart_token]) {
      expect(await items(token), where).toEqual(['2 Bowl', '5 Mug']);
    }
  }
  expect(nth).toBeGreaterThan(5);
});
