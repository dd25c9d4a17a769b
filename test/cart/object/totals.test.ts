import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { exponent, toMinor, toNumber } from '../../../src/kernel/values/money.ts';
import { seeing, stockedProduct } from '../../support/fixtures/catalog/products.ts';
import { addToCart } from '../../support/fixtures/selling/cart.ts';
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

const FLAT = {
  flat: { EUR: 4.99, JPY: 700, KWD: 1.375 },
  free_over: { EUR: 5_000 },
  by_country: { CH: { flat: 9 } },
};
const METHODS = {
  methods: [
    { id: 'pickup', name: 'Pickup', countries: ['DE'], price: 0 },
    {
      id: 'parcel',
      name: 'Parcel',
      free_over: { EUR: 5_000, JPY: 90_000 },
      tiers: [
        { from_subtotal: 0, price: 9 },
        { from_subtotal: { EUR: 50.01, JPY: 4_999, KWD: 20.005 }, price: { EUR: 4.99, JPY: 7, KWD: 1.375 } },
      ],
    },
    {
      id: 'freight',
      name: 'Freight',
      countries: ['DE', 'US', 'JP'],
      tiers: [
        { from_weight: 0, price: 3 },
        { from_weight: 1_000, price: { EUR: 6.99, KWD: 0.005, JPY: 900 } },
        { from_weight: 30_000, price: 99 },
      ],
    },
    { id: 'euro', name: 'Euro only', price: { EUR: 0.01 } },
    { id: 'retired', name: 'Retired', price: 0, active: false },
  ],
};
const METHOD_IDS = METHODS.methods.map(({ id }) => id);

/** A shop that sells in three currencies, with goods, virtual ones among them, and coupons of all kinds. */
async function sale(mode: 'exclusive' | 'inclusive', shipping: object): Promise<Sale> {
  const shop = await world({
    plan: 'enterprise',
    currencies: [...CURRENCIES],
    settings: {
      tax: { mode, rate_percent: 7.7, rates_by_country: { DE: 19, US: 8.875, JP: 10 }, shipping_taxed: true },
      shipping,
    },
  });
  const goods: Answer[] = [];
  for (const [n, minor] of PRICES.entries()) {
    const type = n % 3 === 0 ? 'virtual' : 'simple';
    const good = { name: `Good ${n}`, type, weight: n * 370, stock: 1_000_000, ...prices(minor) };
    goods.push(await stockedProduct(shop, good));
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

interface Item {
  readonly total: number;
  readonly tax: number;
  readonly tax_rate_percent: number;
  readonly discounts: readonly { readonly amount: number }[];
}

/** That each line shows its tax after its discount, and that these are all of the tax but that of shipping. */
function taxesSumUp({ body }: Answer): void {
  const { currency, items, totals } = body;
  const units = (amount: number) => BigInt(minor(amount, currency));
  const taxIn = (amount: bigint, percent: number): bigint => {
    const [rate, whole] = [BigInt(Math.round(percent * 1_000)), 100_000n];
    const over = totals.tax_included ? whole + rate : whole;
    return (2n * amount * rate + over) / (2n * over);
  };
  let tax = taxIn(units(totals.shipping), items[0].tax_rate_percent);
  let off = 0n;
  for (const item of items as Item[]) {
    const reduction = item.discounts.reduce((all, { amount }) => all + units(amount), 0n);
    expect(units(item.tax)).toBe(taxIn(units(item.total) - reduction, item.tax_rate_percent));
    tax += units(item.tax);
    off += reduction;
  }
  expect([tax, off]).toEqual([units(totals.tax), units(totals.discount)]);
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
  method: fc.option(fc.nat(METHOD_IDS.length - 1)),
});

const sales = new Map<string, Sale>();
beforeAll(async () => {
  sales.set('exclusive', await sale('exclusive', FLAT));
  sales.set('inclusive', await sale('inclusive', FLAT));
  sales.set('exclusive, with shipping methods', await sale('exclusive', METHODS));
  sales.set('inclusive, with shipping methods', await sale('inclusive', METHODS));
});

/** That the totals charge the chosen method if it fits, or else the cheapest that does. */
async function shipsWithTheRightMethod(shop: World, { body }: Answer, chosen: string | null): Promise<void> {
  const { data } = (await shop.get(`/cart/${body.cart_token}/shipping-methods`)).body;
  const selected = data.filter((one: { selected: boolean }) => one.selected);
  expect(selected.map(({ id, name, price }: Record<string, unknown>) => ({ id, name, price }))).toEqual(
    body.shipping_method === null ? [] : [body.shipping_method],
  );
  expect(body.totals.shipping).toBe(body.shipping_method?.price ?? 0);
  if (selected.length === 0) return;
  const ids = data.map(({ id }: { id: string }) => id);
  const isShippingFree = body.coupon?.code === 'SHIPPING' && body.coupon.applies;
  const cheapest = Math.min(...data.map(({ price }: { price: number }) => price));
  if (ids.includes(chosen)) expect(selected[0].id).toBe(chosen);
  else expect(selected[0].price).toBe(isShippingFree ? 0 : cheapest);
}

it.each(['exclusive', 'inclusive', 'exclusive, with shipping methods', 'inclusive, with shipping methods'])(
  'sums to the last minor unit, tax %s, and reads back what it returned',
  async (mode) => {
    const { shop, goods, codes, seen } = sales.get(mode) ?? (await sale('exclusive', FLAT));
    const check = async (answer: Answer) => {
      expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
      sumsUp(answer);
      taxesSumUp(answer);
      const read = await shop.get(`/cart/${answer.body.cart_token}`, seeing(seen));
      expect(read.body).toEqual(answer.body);
    };
    await fc.assert(
      fc.asyncProperty(carts, async ({ currency, country, coupon, lines, change, method }) => {
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
        let chosen: string | null = null;
        if (method !== null) {
          const id = METHOD_IDS[method] ?? '';
          const set = await shop.put(`/cart/${cart_token}/shipping-method`, { id });
          expect([200, 409, 422]).toContain(set.status);
          if (set.status === 200) chosen = id;
          // A weight and value that the method was not chosen for.
          await check(await shop.patch('/cart/items/1', { cart_token, quantity: 3 }));
        }
        const cart = await shop.get(`/cart/${cart_token}`);
        await check(cart);
        await shipsWithTheRightMethod(shop, cart, chosen);
        recompute((await shop.get(`/cart/${cart_token}/explain`)).body, cart.body.totals);
      }),
      { numRuns: 25 },
    );
  },
);
