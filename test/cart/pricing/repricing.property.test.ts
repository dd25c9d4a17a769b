/** After any changes of prices and rules, a cart of before costs what a new one with the same lines costs. */
import { afterEach, expect, inject, it, vi } from 'vitest';
import { switchSales } from '../../../src/catalog/sales/switch-sales.ts';
import { HOUR, now } from '../../../src/kernel/core/clock.ts';
import { Generator } from '../../catalog/filters/filter-catalogue.ts';
import { NEWEST } from '../../support/fixtures/catalog/products.ts';
import { instant, seeingNow, stopClockAt } from '../../support/fixtures/catalog/sales.ts';
import { contextOf } from '../../support/runtime/runtime.ts';
import { random } from '../../support/seeded-random.ts';
import { type Answer, type World, world } from '../../support/world.ts';
import { CURRENCIES, type Good, goodsOf, priceOf } from './random-goods.ts';

const CARTS = 4;
const CHANGES = 4;

const settingsOf = (g: Generator) => ({
  tax: {
    mode: 'exclusive',
    rate_percent: g.pick([0, 7.7]),
    rates_by_country: g.pick([{}, { DE: 19 }]),
    rates_by_class: { low: { rate_percent: g.pick([1, 3.5]) } },
    shipping_taxed: g.chance(0.5),
  },
  shipping: {
    methods: [
      { id: 'parcel', name: 'Parcel', price: g.below(9), active: g.chance(0.8) },
      {
        id: 'light',
        name: 'Light',
        tiers: [0, 500].map((from_weight) => ({ from_weight, price: from_weight })),
      },
    ],
  },
});

/** A sale that runs at once or in an hour, below a new price. */
const saleOf = (g: Generator) => ({
  price: 300,
  prices: { JPY: 30_000, KWD: 30 },
  sale: {
    prices: { EUR: 1, JPY: 50, KWD: 0.05 },
    starts_at: instant(now() + g.below(2) * HOUR),
    ends_at: instant(now() + 3 * HOUR),
  },
});

/** What a shop has, as its editors see it. */
interface Known {
  readonly products: readonly Answer['body'][];
  readonly promotions: readonly Answer['body'][];
  readonly category: number;
}

/** Changes something that a cart's amounts come from, or lets an hour pass. */
async function change(shop: World, g: Generator, { products, promotions, category }: Known): Promise<void> {
  const { id, variants, links } = g.pick(products);
  const product = (body: object) => shop.patch(`/products/${id}`, body);
  const priced = (one: object) => () =>
    product(
      variants.length > 0
        ? {
            variants: variants.map(({ id, attributes }: Answer['body']) => ({
              id,
              attributes,
              ...one,
              ...priceOf(g),
            })),
          }
        : { ...one, ...priceOf(g) },
    );
  const changed = await g.pick<() => Promise<Answer | null>>([
    priced({ sale: null }),
    priced({ sale: null }),
    () => (variants.length > 0 || links ? product({}) : product(saleOf(g))),
    () =>
      product({
        category_ids: g.pick([[], [category]]),
        weight: g.below(900),
        tax_class: g.pick([null, 'low']),
      }),
    () => shop.patch('/settings', settingsOf(g)),
    () => {
      const more = { active: g.chance(0.7), priority: g.below(3), combinable: g.chance(0.7) };
      return shop.patch(`/promotions/${g.pick(promotions).id}`, more);
    },
    async () => {
      stopClockAt(Date.now() + HOUR);
      await switchSales(contextOf(shop));
      return null;
    },
  ])();
  expect(changed?.status ?? 200, JSON.stringify(changed?.body)).toBe(200);
}

/** Fills a cart, seeing all that is committed. Returns its token. */
async function fill(shop: World, items: readonly Good[], currency: string): Promise<string> {
  const fresh = await seeingNow(shop);
  const made = await shop.post('/cart', { currency, items }, fresh);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { cart_token } = made.body;
  await shop.put(`/cart/${cart_token}/shipping-address`, { country: 'DE' }, fresh);
  await enterCode(shop, cart_token);
  return cart_token;
}

/** Enters a code, which is refused where it has no effect, and held already where it has. */
const enterCode = async (shop: World, token: string) =>
  shop.post(`/cart/${token}/coupon`, { code: 'PARTS' }, await seeingNow(shop));

/** Reads a cart's amounts and where they come from, seeing all that is committed. */
async function amountsOf(shop: World, token: string): Promise<object> {
  const fresh = await seeingNow(shop);
  const [cart, explained] = [
    await shop.get(`/cart/${token}`, fresh),
    await shop.get(`/cart/${token}/explain`, fresh),
  ];
  const { items, totals, applied_promotions, shipping_method } = cart.body;
  const { cart_token, ...why } = explained.body;
  return { items, totals, applied_promotions, shipping_method, why };
}

afterEach(() => vi.restoreAllMocks());

it('has the same lines, discounts, taxes and totals', async () => {
  const seed = inject('seed');
  const g = new Generator(random(seed));
  stopClockAt(Date.now());
  const shop = await world({ currencies: CURRENCIES, settings: settingsOf(g) });
  const goods = await goodsOf(shop, g);
  const { data } = (await shop.get('/products', NEWEST)).body;
  const products = await Promise.all(
    data.map(async ({ id }: Answer['body']) => (await shop.get(`/products/${id}`, NEWEST)).body),
  );
  const known = {
    products: products.filter(({ type }) => type !== 'bundled'),
    promotions: (await shop.get('/promotions?trigger=automatic')).body.data,
    category: (await shop.get('/categories', NEWEST)).body.data[0].id,
  };
  for (let cart = 0; cart < CARTS; cart++) {
    const items = [g.pick(goods), ...g.some(goods, 3)].map((good) => ({
      ...good,
      quantity: 1 + g.below(5),
    }));
    const currency = g.pick(CURRENCIES);
    const before = await fill(shop, items, currency);
    for (let changed = 0; changed < CHANGES; changed++) {
      await change(shop, g, known);
      if (g.chance(0.4)) await amountsOf(shop, before);
    }
    await enterCode(shop, before);
    const after = await amountsOf(shop, await fill(shop, items, currency));
    const asked = `seed ${seed}: ${currency} ${JSON.stringify(items)}`;
    expect(await amountsOf(shop, before), asked).toEqual(after);
  }
}, 300_000);
