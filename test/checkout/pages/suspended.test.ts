import { expect, it } from 'vitest';
import { cupShop, ready } from '../../support/fixtures/agents/agent.ts';
import { fiveCups } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
import {
  browse,
  cartWith,
  checkoutPath,
  sandboxShop,
  submitCheckout,
} from '../../support/fixtures/selling/checkout.ts';
import { admin, type World } from '../../support/world.ts';

/** The hosted page of a shop that is suspended. */

const CLOSED = 'This shop is closed at the moment.';

const setStatus = async ({ slug }: World, status: string) =>
  expect((await admin('PATCH', `/tenants/${slug}`, { status })).status).toBe(200);

it('says that the shop is closed, and goes on after the suspension', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  await setStatus(shop, 'suspended');
  for (const page of [await browse(path), await submitCheckout(path, 'pay')]) {
    expect(page.status).toBe(503);
    expect(page.text).toContain(CLOSED);
    expect(page.text).not.toMatch(/expired|start again/);
  }
  await setStatus(shop, 'active');
  expect((await browse(path)).status).toBe(200);
  expect((await submitCheckout(path, 'pay')).status).toBe(303);
});

it('takes no payment of a placed order meanwhile, and does not blame the payment provider', async () => {
  const shop = await sandboxShop();
  const path = await checkoutPath(shop, await cartWith(shop, await fiveCups(shop)));
  await submitCheckout(path, 'decline');
  await setStatus(shop, 'suspended');
  const refused = await submitCheckout(path, 'pay');
  expect(refused.status).toBe(503);
  expect(refused.text).toContain(CLOSED);
  expect(refused.text).not.toContain('payment provider');
  await setStatus(shop, 'active');
  expect((await submitCheckout(path, 'pay')).status).toBe(303);
});

it('shows a checkout that had ended as ended, not as closed', async () => {
  const shop = await sandboxShop();
  const cups = await fiveCups(shop);
  const cart = await cartWith(shop, cups);
  const ended = await checkoutPath(shop, cart);
  await addToCart(shop, cups, { product_id: cups.body.id, quantity: 1, cart_token: cart });
  const path = await checkoutPath(shop, cart);
  await setStatus(shop, 'suspended');
  expect((await browse(ended)).status).toBe(410);
  expect((await browse(path)).status).toBe(503);
});

it("says so to the buyer who follows an agent's link, and opens the checkout after the suspension", async () => {
  const { agent, cup, ...shop } = await cupShop('REST');
  const { continue_url } = (await agent.checkout.create(ready(cup))).body;
  const { pathname } = new URL(continue_url);
  await setStatus(shop, 'suspended');
  const closed = await browse(pathname);
  expect([closed.status, closed.text]).toEqual([503, expect.stringContaining(CLOSED)]);
  expect(closed.text).not.toMatch(/expired|start again/);
  await setStatus(shop, 'active');
  expect((await browse(pathname)).status).toBe(303);
});
