import { expect, it } from 'vitest';
import { asDeveloper } from '../../../support/fixtures/browser.ts';
import { stockedProduct } from '../../../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  OWN_CHECKOUT,
  sandboxShop,
  sessionOf,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import { registerCustomer, withSession } from '../../../support/fixtures/selling/customers.ts';
import { world } from '../../../support/world.ts';
import { paidCups } from './paid-cups.ts';

it('erases the buyer of a guest order after a question, and offers it no more', async () => {
  const { shop, developer, here, path } = await paidCups({ phone: '+49 30 5551234' });
  expect(developer.last.html).toContain(`href="${here}/erase-buyer"`);
  await developer.get(`${here}/erase-buyer`);
  expect(developer.last.html).toContain('Nothing can be sent to the buyer any more.');
  expect(developer.last.html).toContain(`href="${here}">Keep the data`);
  const before = (await shop.get(path)).body;
  await developer.submit(`${here}/erase-buyer`, {});
  for (const gone of ['Lovelace', 'ada@example.com', '5551234', `${here}/erase-buyer`]) {
    expect(developer.last.html).not.toContain(gone);
  }
  const { customer, totals } = (await shop.get(path)).body;
  expect([customer.email, totals]).toEqual([null, before.totals]);
});

it('offers it for an order whose only data of a person is an address or a message', async () => {
  const shop = await sandboxShop({ settings: OWN_CHECKOUT });
  await shop.patch('/settings', { secrets: { checkout_secret: 'the-secret-of-the-checkout-outside' } });
  const developer = await asDeveloper(shop.slug);
  const cup = await stockedProduct(shop);
  const country = { country: 'DE' };
  const street = { ...country, line1: 'Vanishing Lane 9' };
  for (const [buyer, offered] of [
    [{ shipping_address: street }, true],
    [{ shipping_address: country, billing_address: street }, true],
    [{ note: 'Ring at the neighbours' }, true],
    [{ shipping_address: country }, false],
  ] as const) {
    const session = await sessionOf(shop, await cartWith(shop, cup));
    const { body: order } = await shop.post('/orders', { session, ...buyer });
    expect(order.customer).toEqual({ id: null, name: null, email: null, phone: null });
    await developer.get(`/developer/orders/${order.id}`);
    expect([buyer, developer.last.html.includes('erase-buyer')]).toEqual([buyer, offered]);
  }
});

it("offers it for no customer's order, and for none of another tenant", async () => {
  const { shop, developer, here } = await paidCups();
  const theirs = await asDeveloper((await world()).slug);
  expect((await theirs.get(`${here}/erase-buyer`)).status).toBe(404);
  await theirs.get('/developer/theme');
  expect((await theirs.post(`${here}/erase-buyer`, {})).status).toBe(404);
  const ada = await registerCustomer(shop);
  const cart = await cartWith(shop, await stockedProduct(shop));
  await shop.put('/customers/me/cart', { cart_token: cart }, withSession(ada.token));
  await submitCheckout(await checkoutPath(shop, cart), 'pay');
  const [order] = (await shop.get(`/orders?customer_id=${ada.id}`)).body.data;
  await developer.get(`/developer/orders/${order.id}`);
  expect(developer.last.html).toContain(`/developer/customers/${ada.id}`);
  expect(developer.last.html).not.toContain('erase-buyer');
  const refused = await developer.post(`/developer/orders/${order.id}/erase-buyer`, {});
  expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('erase the customer')]);
  expect((await shop.get(`/orders/${order.id}`)).body).toEqual(order);
});
