import { expect, it } from 'vitest';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart, tryAddToCart } from '../../support/fixtures/selling/cart.ts';
import { world } from '../../support/world.ts';

it("applies the rates of a product's tax class if the tenant has set some", async () => {
  const rates_by_class = {
    reduced: { rate_percent: 8, rates_by_country: { DE: 7 } },
    zero: { rate_percent: 0 },
  };
  const tax = { mode: 'exclusive', rate_percent: 20, rates_by_country: { DE: 19 }, rates_by_class };
  const shop = await world({ settings: { tax } });
  expect((await shop.get('/settings')).body.tax).toEqual(tax);
  let cart_token: string | null = null;
  const taxes: number[] = [];
  const taxOf = (item: { tax: number; tax_rate_percent: number }) => [item.tax, item.tax_rate_percent];
  for (const tax_class of [null, 'reduced', 'zero', 'unheard-of']) {
    const made = await stockedProduct(shop, { name: `${tax_class}`, price: 100, tax_class });
    const { body } = await addToCart(shop, made, { cart_token });
    taxes.push(body.totals.tax);
    cart_token = body.cart_token;
  }
  expect(taxes).toEqual([20, 28, 28, 48]);
  const german = await shop.put(`/cart/${cart_token}/shipping-address`, { country: 'DE' });
  expect(german.body.totals.tax).toBe(19 + 7 + 0 + 19);
  expect(german.body.items.map(taxOf)).toEqual([19, 7, 0, 19].map((rate) => [rate, rate]));
});

it("accepts a country's shipping as a number, by currency, or with its own free_over", async () => {
  const shop = await world({
    currencies: ['EUR', 'USD'],
    settings: {
      shipping: {
        flat: 5,
        free_over: 30,
        by_country: { AT: 7, CH: { EUR: 20, USD: 25 }, FR: { flat: { EUR: 9 }, free_over: null } },
      },
    },
  });
  expect((await shop.get('/settings')).body.shipping.by_country).toEqual({
    AT: { flat: 7 },
    CH: { flat: { EUR: 20, USD: 25 } },
    FR: { flat: { EUR: 9 }, free_over: null },
  });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 10, prices: { USD: 11 } });
  const shipping = async (currency: string, country: string, quantity: number) => {
    const { cart_token } = (await shop.post('/cart', { currency })).body;
    await addToCart(shop, mug, { cart_token, quantity });
    const { body } = await shop.put(`/cart/${cart_token}/shipping-address`, { country });
    return body.totals.shipping;
  };
  expect(await shipping('EUR', 'DE', 1)).toBe(5);
  expect(await shipping('EUR', 'AT', 1)).toBe(7);
  expect(await shipping('EUR', 'AT', 3)).toBe(0);
  expect(await shipping('USD', 'CH', 1)).toBe(25);
  expect(await shipping('EUR', 'FR', 3)).toBe(9);
});

it('sells products of millions in currencies of small value, and documents the largest amount', async () => {
  const shop = await world({ currency: 'IDR', settings: { tax: { mode: 'exclusive', rate_percent: 11 } } });
  const car = await stockedProduct(shop, { name: 'Car', price: 99_999_999_999.99 });
  const bought = await addToCart(shop, car, {});
  expect(bought.body.totals).toMatchObject({ subtotal: 99_999_999_999.99, grand_total: 110_999_999_999.99 });
  const two = await tryAddToCart(shop, car, { cart_token: bought.body.cart_token });
  expect([two.status, two.body.errors]).toEqual([
    422,
    { quantity: ['line total exceeds the largest amount'] },
  ]);
  const dearer = { name: 'Yacht', type: 'simple', price: 100_000_000_000.01 };
  const refused = await shop.post('/products', dearer);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { price: ['must be at most 100000000000 in IDR'] },
  ]);
  const settings = await shop.patch('/settings', { shipping: { flat: 1e12 } });
  expect(settings.body.errors).toEqual({ 'shipping.flat': ['must be at most 100000000000 in IDR'] });
  const coupon = await shop.post('/coupons', { code: 'X', kind: 'fixed', value: 1e12 });
  expect(coupon.body.errors).toEqual({ value: ['must be at most 100000000000 in IDR'] });
});

it('takes at most the largest amount of a setting that is a number, in currencies with more decimals', async () => {
  const tax = { mode: 'exclusive', rate_percent: 100, shipping_taxed: true };
  const shop = await world({
    currency: 'JPY',
    currencies: ['JPY', 'KWD'],
    settings: { tax, shipping: { flat: 9_000_000_000_000 } },
  });
  const mug = await stockedProduct(shop, { name: 'Mug', price: 100, prices: { KWD: 1.5 } });
  const { cart_token } = (await shop.post('/cart', { currency: 'KWD' })).body;
  const { body } = await addToCart(shop, mug, { cart_token });
  expect(body.totals).toMatchObject({ subtotal: 1.5, shipping: 10_000_000_000, grand_total: 20_000_000_003 });
});
