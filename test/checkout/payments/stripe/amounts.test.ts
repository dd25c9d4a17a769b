import { expect, it, vi } from 'vitest';
import { stripeAmount } from '../../../../src/checkout/payments/stripe-amount.ts';
import { stockedProduct, stockOf } from '../../../support/fixtures/catalog/products.ts';
import {
  ADDRESS,
  browse,
  cartWith,
  checkoutPath,
  readReturn,
  startCheckout,
  submitCheckout,
} from '../../../support/fixtures/selling/checkout.ts';
import { stripeShop, stubStripe } from '../../../support/fixtures/selling/stripe-shop.ts';

const stripe = stubStripe();

it("sends exact amounts in Stripe's units", async () => {
  const amounts = [
    [1990, 'EUR', 1990],
    [500, 'JPY', 500],
    [1235, 'KWD', null],
    [1230, 'KWD', 1230],
    [5, 'ISK', 500],
    [5, 'UGX', 500],
    [500, 'MGA', 5],
    [550, 'MGA', null],
  ] as const;
  for (const [minor, currency, amount] of amounts)
    expect(stripeAmount(minor, currency), currency).toBe(amount);
  const shop = await stripeShop({ currency: 'KWD' });
  const cup = await stockedProduct(shop, { price: 1.235, stock: 3 });
  const refused = await startCheckout(shop, await cartWith(shop, cup));
  expect([refused.status, refused.body.code]).toEqual([409, 'total_not_chargeable']);
  expect(refused.body.details).toEqual({ total: 1.235, currency: 'KWD' });
  expect(refused.headers.get('retry-after')).toBeNull();
  expect(await stockOf(cup.body.id as number)).toEqual({ on_hand: 3, reserved: 0 });
});

it("requests no refund of an amount that Stripe can't pay back", async () => {
  const shop = await stripeShop({ currency: 'KWD' });
  const cup = await stockedProduct(shop, { price: 1.23, stock: 3 });
  const path = await checkoutPath(shop, await cartWith(shop, cup));
  stripe.finish(stripe.sessionAt((await submitCheckout(path, 'pay')).location));
  const { order_id } = readReturn(await browse(`${path}/return`));
  const refund = (amount: number) => shop.post(`/orders/${order_id}/refunds`, { amount });
  const refused = await refund(1.225);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['amount']]);
  expect((await refund(1.22)).body).toMatchObject({ amount: 1.22, status: 'succeeded' });
});

it("places no order whose total with the country's tax Stripe can't charge", async () => {
  const tax = { mode: 'exclusive', rate_percent: 0, rates_by_country: { DE: 19 } };
  const shop = await stripeShop({ currency: 'KWD', settings: { tax } });
  const cup = await stockedProduct(shop, { price: 1.23, stock: 3 });
  const path = await checkoutPath(shop, await cartWith(shop, cup));
  const asked = await submitCheckout(path, 'pay');
  expect(asked.status).toBe(409);
  expect(asked.text).toContain('1.464, which can');
  const sent = await browse(path, { ...ADDRESS, shown_total: '1464', action: 'pay' });
  expect(sent.status).toBe(409);
  expect((await shop.get('/orders')).body.meta.total).toBe(0);
});

it.each(['amount_too_small', 'amount_too_large'])(
  'releases the stock when Stripe refuses a total (%s), and says that it cannot be paid',
  async (code) => {
    const shop = await stripeShop();
    const cup = await stockedProduct(shop, { price: 0.3, stock: 3 });
    const cart = await cartWith(shop, cup);
    const path = await checkoutPath(shop, cart);
    stripe.refuseSessions = code;
    const refused = await submitCheckout(path, 'pay');
    expect([refused.status, refused.text.includes('be paid here')], refused.text).toEqual([409, true]);
    expect(await stockOf(cup.body.id as number)).toEqual({ on_hand: 3, reserved: 0 });
    expect((await shop.get('/orders')).body.data).toMatchObject([
      { status: 'cancelled', cancel_reason: 'timeout', payment_status: 'unpaid' },
    ]);
    stripe.refuseSessions = null;
    const reopened = async () => expect((await shop.get(`/cart/${cart}`)).body.status).toBe('open');
    await vi.waitFor(reopened, 30_000);
    expect((await submitCheckout(await checkoutPath(shop, cart), 'pay')).location).toContain('stripe.com');
  },
);
