/** Orders that were paid in the tenant's own checkout: the panel moves none of their money. */
import { expect, it } from 'vitest';
import { ownCheckout, report } from '../../../checkout/placing/promoted-order.ts';
import { asDeveloper, fieldsOf } from '../../../support/fixtures/browser.ts';
import { stockedProduct } from '../../../support/fixtures/catalog/products.ts';
import { cartWith, sessionOf } from '../../../support/fixtures/selling/checkout.ts';

async function placedElsewhere() {
  const shop = await ownCheckout();
  const cart = await cartWith(shop, await stockedProduct(shop, { name: 'Cup', price: 10, stock: 9 }), 2);
  const { id } = (await shop.post('/orders', { session: await sessionOf(shop, cart) })).body;
  return { shop, id, developer: await asDeveloper(shop.slug), here: `/developer/orders/${id}` };
}

async function paidElsewhere() {
  const placed = await placedElsewhere();
  expect((await report(placed.shop, placed.id, 'paid')).body.status).toBe('paid');
  return placed;
}

it('says that a refund is only recorded, and has to be paid back in the own checkout', async () => {
  const { shop, id, developer, here } = await paidElsewhere();
  await developer.get(`${here}/refund/confirm?what=part&amount=5`);
  const { html } = developer.last;
  expect(html).toMatch(/€5.00<\/strong> is recorded as paid back\..*pay it back in your own checkout/s);
  expect(html).not.toContain('will be paid back');
  await developer.submit(`${here}/refund/confirm`, fieldsOf(html, `${here}/refund/confirm`));
  expect((await shop.get(`/orders/${id}`)).body.payment_status).toBe('partially_refunded');
});

it('says that a payment of a cancelled order has to go back, until that is reported', async () => {
  const { shop, id, developer, here } = await placedElsewhere();
  expect((await shop.post(`/orders/${id}/cancel`)).body.status).toBe('cancelled');
  expect((await developer.get(here)).html).not.toContain('due to the customer');
  const late = await report(shop, id, 'paid');
  expect(late.body).toMatchObject({ status: 'cancelled', payment_status: 'paid', refund_due: 20 });
  expect((await developer.get(here)).html).toMatch(
    /€20.00 is due to the customer:.*Pay it back in your own/s,
  );
  await report(shop, id, 'refunded');
  expect((await developer.get(here)).html).not.toContain('due to the customer');
});

it('asks for the refund in the own checkout before an order can be cancelled', async () => {
  const { shop, id, developer, here } = await paidElsewhere();
  const { status, html } = await developer.get(`${here}/cancel`);
  expect([status, html]).toEqual([409, expect.stringContaining('Pay it back there')]);
  expect(html).not.toContain('will be paid back');
  await shop.post(`/orders/${id}/refunds`, {});
  await developer.get(`${here}/cancel`);
  expect(developer.last.html).toContain('Everything was paid back already.');
  await developer.submit(`${here}/cancel`, fieldsOf(developer.last.html, `${here}/cancel`));
  expect((await shop.get(`/orders/${id}`)).body.status).toBe('cancelled');
});
