import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { exponent, toMinor, toNumber } from '../../../src/kernel/core/money.ts';
import { addToCart } from '../../support/fixtures/cart.ts';
import { seeing, stockedProduct } from '../../support/fixtures/products.ts';
import { type Answer, type World, world } from '../../support/world.ts';
import { recompute } from './recompute.ts';

const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const;
const COUNTRIES = ['DE', 'CH', 'US', 'JP'] as const;
/** Labels as shopkeepers write them, in the smallest units: odd ones, round ones, tiny and huge ones. */
const PRICES = [1, 3, 7, 99, 333, 1_005, 19_999, 1_234_567, 99_999_999];

interface Sale {
  readonly shop: World;
  readonly goods: readonly Answer[];
  readonly codes: readonly string[];
  readonly seen: Answer;
}

const price = (minor: number, currency: string) => toNumber(minor, currency);
const prices = (minor: number) => ({
  price: price(minor, 'EUR'),
  prices: { JPY: price(minor, 'JPY'), KWD: price(minor, 'KWD') },
});

/** A shop that sells in three currencies, with goods, virtual ones among them, and coupons of all kinds. */
async function sale(mode: 'exclusive' | 'inclusive'): Promise<Sale> {
  const shop = await world({
    plan: 'enterprise',
    currencies: [...CURRENCIES],
    settings: {
      tax: { mode, rate_percent: 7.7, rates_by_country: { DE: 19, US: 8.875, JP: 10 }, shipping_taxed: true },
      shipping: {
        flat: { EUR: 4.99, JPY: 700, KWD: 1.375 },
        free_over: { EUR: 5_000 },
        by_country: { CH: { flat: 9 } },
      },
    },
  });
  const goods: Answer[] = [];
  for (const [n, minor] of PRICES.entries()) {
    const type = n % 3 === 0 ? 'virtual' : 'simple';
    goods.push(await stockedProduct(shop, { name: `Good ${n}`, type, stock: 1_000_000, ...prices(minor) }));
  }
  const [first, second] = goods;
  const coupons = [
    { code: 'PERCENT', kind: 'percent', value: 33.333 },
    { code: 'FIXED', kind: 'fixed', value: { EUR: 10.01, JPY: 1_001, KWD: 0.007 } },
    { code: 'SHIPPING', kind: 'free_shipping' },
    { code: 'SOME', kind: 'percent', value: 15, product_ids: [first?.body.id, second?.body.id] },
  ];
  let seen = await shop.get('/theme/options');
  for (const coupon of coupons) {
    seen = await shop.post('/coupons', coupon);
    expect(seen.status, JSON.stringify(seen.body)).toBe(201);
  }
  return { shop, goods, codes: coupons.map(({ code }) => code), seen };
}

/** The cart's amounts as integers; fails when one is no amount of the currency. */
function minor(amount: number, currency: string): number {
  const units = toMinor(amount, currency);
  expect(units, `${amount} ${currency}, ${exponent(currency)} decimals`).not.toBeNull();
  return units ?? 0;
}

/** That the parts of a cart sum to the whole, to the last minor unit. */
function sumsUp({ body }: Answer): void {
  const { currency, items, totals } = body;
  const part = (name: string) => minor(totals[name], currency);
  for (const item of items) {
    expect(minor(item.total, currency)).toBe(minor(item.unit_price, currency) * item.quantity);
  }
  const sum = items.reduce((all: number, item: { total: number }) => all + minor(item.total, currency), 0);
  expect(part('subtotal')).toBe(sum);
  expect(part('discount')).toBeLessThanOrEqual(sum);
  const goods = sum - part('discount') + part('shipping');
  expect(part('grand_total')).toBe(totals.tax_included ? goods : goods + part('tax'));
  for (const name of ['subtotal', 'discount', 'shipping', 'tax', 'grand_total']) {
    expect(part(name)).toBeGreaterThanOrEqual(0);
  }
}

const carts = fc.record({
  currency: fc.constantFrom(...CURRENCIES),
  country: fc.option(fc.constantFrom(...COUNTRIES)),
  coupon: fc.option(fc.integer({ min: 0, max: 3 })),
  lines: fc.array(
    fc.record({
      good: fc.nat(PRICES.length - 1),
      quantity: fc.integer({ min: 1, max: 999 }),
      note: fc.nat(2),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  change: fc.option(fc.integer({ min: 1, max: 50 })),
});

const sales = new Map<string, Sale>();
beforeAll(async () => {
  sales.set('exclusive', await sale('exclusive'));
  sales.set('inclusive', await sale('inclusive'));
});

it.each(['exclusive', 'inclusive'])(
  'sums to the last minor unit, tax %s, and reads back what it returned',
  async (mode) => {
    const { shop, goods, codes, seen } = sales.get(mode) ?? (await sale('exclusive'));
    const check = async (answer: Answer) => {
      expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
      sumsUp(answer);
      const read = await shop.get(`/cart/${answer.body.cart_token}`, seeing(seen));
      expect(read.body).toEqual(answer.body);
    };
    await fc.assert(
      fc.asyncProperty(carts, async ({ currency, country, coupon, lines, change }) => {
        const made = await shop.post('/cart', { currency });
        const { cart_token } = made.body;
        for (const { good, quantity, note } of lines) {
          await addToCart(shop, seen, {
            cart_token,
            product_id: goods[good]?.body.id,
            quantity,
            options: { note },
          });
        }
        if (country) await check(await shop.put(`/cart/${cart_token}/shipping-address`, { country }));
        if (coupon !== null) {
          const applied = await shop.post(`/cart/${cart_token}/coupon`, { code: codes[coupon] });
          if (applied.status === 200) await check(applied);
          else expect(applied.body.details.reason).toBe('no_eligible_line');
        }
        if (change !== null) await check(await shop.patch('/cart/items/1', { cart_token, quantity: change }));
        const cart = await shop.get(`/cart/${cart_token}`);
        await check(cart);
        recompute((await shop.get(`/cart/${cart_token}/explain`)).body, cart.body.totals);
      }),
      { numRuns: 25 },
    );
  },
  120_000,
);
