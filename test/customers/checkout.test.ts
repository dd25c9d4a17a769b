/** Signing in, or a new e-mail, in the middle of a checkout. */

import { expect, it } from 'vitest';
import { fiveCups, stockedProduct, stockOf } from '../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  startCheckout,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import {
  PASSWORD,
  registerCustomer,
  registration,
  withSession,
} from '../support/fixtures/selling/customers.ts';

it("continues the checkout of a customer who signs in or changes e-mail; the order stays a guest's", async () => {
  const shop = await sandboxShop();
  const cup = await fiveCups(shop);
  const cart = await cartWith(shop, cup, 2);
  const path = await checkoutPath(shop, cart);
  const ada = await registerCustomer(shop);
  await shop.post('/customers/login', { email: ada.email, password: PASSWORD, cart_token: cart });
  expect((await browse(path)).status).toBe(200);
  expect(
    (
      await shop.patch(
        '/customers/me',
        { email: registration().email, current_password: PASSWORD },
        withSession(ada.token),
      )
    ).status,
  ).toBe(200);
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 3, reserved: 0 });
  expect((await shop.get(`/orders/${order_id}`)).body.customer.id).toBeNull();
  expect((await shop.get('/customers/me/orders', withSession(ada.token))).body.data).toEqual([]);
});

it('ends the checkout when signing in adds to the cart, so that the new total is confirmed before payment', async () => {
  const shop = await sandboxShop();
  const cup = await stockedProduct(shop, { stock: 20 });
  const ada = await registerCustomer(shop, { cart_token: await cartWith(shop, cup, 10) });
  const cart = await cartWith(shop, cup, 1);
  const path = await checkoutPath(shop, cart);
  await shop.post('/customers/login', { email: ada.email, password: PASSWORD, cart_token: cart });
  expect((await browse(path)).status).toBe(410);
  expect(await stockOf(cup.body.id)).toEqual({ on_hand: 20, reserved: 0 });
  const risen = await startCheckout(shop, cart);
  expect([risen.status, risen.body.code]).toEqual([409, 'price_changed']);
  expect(risen.body.details.cart.totals.grand_total).toBe(100);
  expect((await startCheckout(shop, cart)).status).toBe(200);
});

it('places no order for a customer who was erased meanwhile', async () => {
  const shop = await sandboxShop();
  const cart = await cartWith(shop, await fiveCups(shop));
  const ada = await registerCustomer(shop, { cart_token: cart });
  const path = await checkoutPath(shop, cart);
  expect((await shop.delete('/customers/me', withSession(ada.token))).status).toBe(204);
  const { order_id } = readReturn(await submitCheckout(path, 'pay'));
  expect((await shop.get(`/orders/${order_id}`)).body.customer.id).toBeNull();
});

it.each(['ivan@example.xn--p1ai', 'b&q@example.com'])(
  'sells to a customer who registered as %s',
  async (address) => {
    const shop = await sandboxShop();
    const cart = await cartWith(shop, await fiveCups(shop));
    const email = `${crypto.randomUUID()}.${address}`;
    await registerCustomer(shop, { email, cart_token: cart });
    const { order_id } = readReturn(
      await submitCheckout(await checkoutPath(shop, cart), 'pay', { ...ADDRESS, email }),
    );
    const found = await shop.get(`/orders?email=${encodeURIComponent(email)}`);
    expect(found.body.data).toMatchObject([{ id: order_id, customer: { email } }]);
  },
);
