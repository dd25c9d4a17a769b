/** What an order stores at most, as the page of the storage says. */
import { expect, it } from 'vitest';
import { createProduct } from '../support/fixtures/catalog/products.ts';
import {
  cartWith,
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';

it('takes 50 fulfilments and 100 refunds', async () => {
  const shop = await sandboxShop();
  const cup = await createProduct(shop, { stock: 60 });
  const paid = await submitCheckout(await checkoutPath(shop, await cartWith(shop, cup, 60)), 'pay');
  const order = `/orders/${readReturn(paid).order_id}`;
  const ship = () => shop.post(`${order}/fulfilments`, { items: [{ line_id: 1, quantity: 1 }] });
  const refund = () => shop.post(`${order}/refunds`, { amount: 0.01 });
  for (let n = 0; n < 50; n++) expect((await ship()).status).toBe(201);
  const shipped = await ship();
  const left = { items: [{ line_id: 1, quantity: 10 }] };
  expect((await shop.post(`${order}/refunds`, left)).status).toBe(201);
  for (let n = 1; n < 100; n++) expect((await refund()).status).toBe(201);
  const refunded = await refund();
  expect([shipped.status, shipped.body.message]).toEqual([409, 'An order has at most 50 fulfilments.']);
  expect([refunded.status, refunded.body.code, refunded.body.message]).toEqual([
    409,
    'order_not_refundable',
    'An order takes at most 100 refunds.',
  ]);
  const { body } = await shop.get(order);
  expect(body.fulfilments).toHaveLength(50);
  const change = { ids: [body.id], change: { fulfil: true } };
  expect((await shop.post('/orders/bulk', change)).body).toEqual({ updated: 1, errors: [] });
});
