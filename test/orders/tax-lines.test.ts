/** The tax of an order by rate, as its invoice shows it. */
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { addToCart } from '../support/fixtures/selling/cart.ts';
import {
  checkoutPath,
  readReturn,
  sandboxShop,
  submitCheckout,
} from '../support/fixtures/selling/checkout.ts';
import { databaseOf } from '../support/runtime/runtime.ts';

const RATES = {
  rate_percent: 20,
  rates_by_country: { DE: 19 },
  rates_by_class: {
    reduced: { rate_percent: 8.875, rates_by_country: { DE: 7 } },
    exempt: { rate_percent: 0 },
  },
};

/** Sells a cup, a book and a course to Germany, shipped for 4.90. */
async function sold(tax: object) {
  const shop = await sandboxShop({ settings: { tax: { ...RATES, ...tax }, shipping: { flat: 4.9 } } });
  let cart_token: string | undefined;
  for (const [name, tax_class] of [['Cup'], ['Book', 'reduced'], ['Course', 'exempt']]) {
    const product = await stockedProduct(shop, { name, price: 10, tax_class });
    ({ cart_token } = (await addToCart(shop, product, { cart_token, quantity: 2 })).body);
  }
  const cart = (await shop.put(`/cart/${cart_token}/shipping-address`, { country: 'DE' })).body;
  const path = await checkoutPath(shop, cart_token ?? '');
  const id = readReturn(await submitCheckout(path, 'pay')).order_id;
  return { shop, id, cart, order: (await shop.get(`/orders/${id}`)).body };
}

const ratesOf = (items: readonly { tax_rate_percent: number }[]) =>
  items.map((item) => item.tax_rate_percent);

it.each(['inclusive', 'exclusive'])('is of each line what the cart showed, tax %s', async (mode) => {
  const { cart, order } = await sold({ mode, shipping_taxed: true });
  const taxOf = (item: { tax: number; tax_rate_percent: number }) => [item.tax, item.tax_rate_percent];
  expect(order.items.map(taxOf)).toEqual(cart.items.map(taxOf));
  const [cup, book, course] = mode === 'inclusive' ? [3.19, 1.31, 0] : [3.8, 1.4, 0];
  expect(cart.items.map(taxOf)).toEqual([
    [cup, 19],
    [book, 7],
    [course, 0],
  ]);
});

it('shows tax that is included by rate, shipping with what its rate taxes', async () => {
  const { order } = await sold({ mode: 'inclusive', shipping_taxed: true });
  expect(ratesOf(order.items)).toEqual([19, 7, 0]);
  expect(order).toMatchObject({
    totals: { tax: 5.28, grand_total: 64.9 },
    shipping_tax_rate_percent: 19,
    tax_lines: [
      { rate_percent: 19, net: 20.93, tax: 3.97 },
      { rate_percent: 7, net: 18.69, tax: 1.31 },
      { rate_percent: 0, net: 20, tax: 0 },
    ],
  });
});

it('exports tax by rate', async () => {
  const { shop } = await sold({ mode: 'inclusive', shipping_taxed: true });
  const { body } = await shop.get('/orders', { headers: { accept: 'text/csv' } });
  expect(body).toContain(',19% of 20.93: 3.97; 7% of 18.69: 1.31; 0% of 20: 0,');
});

it('shows tax that is added by rate, and shipping that is not taxed at 0 %', async () => {
  const { order } = await sold({ mode: 'exclusive' });
  expect(order).toMatchObject({
    totals: { tax: 5.2, grand_total: 70.1 },
    shipping_tax_rate_percent: 0,
    tax_lines: [
      { rate_percent: 19, net: 20, tax: 3.8 },
      { rate_percent: 7, net: 20, tax: 1.4 },
      { rate_percent: 0, net: 24.9, tax: 0 },
    ],
  });
});

it('keeps the rates that applied when it was placed, and shows null where none were kept', async () => {
  const { shop, id } = await sold({ mode: 'exclusive' });
  await shop.patch('/settings', { tax: { mode: 'exclusive', rate_percent: 50 } });
  expect(ratesOf((await shop.get(`/orders/${id}`)).body.items)).toEqual([19, 7, 0]);
  await databaseOf(shop).run(sql`UPDATE orders SET shipping_tax_rate = NULL WHERE id = ${id}`);
  await databaseOf(shop).run(sql`UPDATE order_lines SET tax_rate = NULL WHERE order_id = ${id}`);
  const { items, tax_lines, shipping_tax_rate_percent } = (await shop.get(`/orders/${id}`)).body;
  expect([ratesOf(items), tax_lines, shipping_tax_rate_percent]).toEqual([[null, null, null], [], null]);
});
