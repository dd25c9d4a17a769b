/** The totals of any cart and checkout of an agent. fast-check prints the seed of a failure. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toNumber } from '../../../src/kernel/values/money.ts';
import { agentShop, codes, published, shipTo } from '../../support/fixtures/agents/agent.ts';
import { stockedProduct } from '../../support/fixtures/catalog/products.ts';

const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const;
const COUNTRIES = ['DE', 'CH', 'US', 'JP'] as const;
const METHODS = ['parcel', 'express'] as const;
const CODES = ['PERCENT', 'FIXED', 'SHIPPING', 'ONE', 'UNKNOWN'] as const;
/** Prices in minor units: odd ones, tiny and huge ones. */
const PRICES = [1, 3, 333, 1_005, 1_234_567] as const;

const SHIPPING = {
  methods: [
    { id: 'parcel', name: 'Parcel', price: { EUR: 4.99, JPY: 700, KWD: 1.375 } },
    { id: 'express', name: 'Express', price: { EUR: 19.5, JPY: 2_501, KWD: 5.005 } },
  ],
};

const prices = (minor: number) => ({
  price: toNumber(minor, 'EUR'),
  prices: { JPY: toNumber(minor, 'JPY'), KWD: toNumber(minor, 'KWD') },
});

/** Creates a shop that sells in currencies with 0, 2 and 3 decimals, and an agent that buys there. */
async function sale(mode: 'inclusive' | 'exclusive') {
  const tax = { mode, rate_percent: 7.7, rates_by_country: { DE: 19, US: 8.875 }, shipping_taxed: true };
  const settings = { tax, shipping: SHIPPING };
  const { agent, ...shop } = await agentShop('REST', { currencies: [...CURRENCIES], settings });
  const ids: number[] = [];
  for (const [n, minor] of PRICES.entries()) {
    const type = n % 3 === 0 ? 'virtual' : 'simple';
    ids.push(
      (await stockedProduct(shop, { name: `Good ${n}`, type, stock: 100_000, ...prices(minor) })).body.id,
    );
  }
  const coupons = [
    { code: 'PERCENT', kind: 'percent', value: 33.333 },
    { code: 'FIXED', kind: 'fixed', value: { EUR: 10.01, JPY: 1_001, KWD: 0.007 } },
    { code: 'SHIPPING', kind: 'free_shipping' },
    { code: 'ONE', kind: 'percent', value: 15, product_ids: [ids[1]] },
  ];
  for (const coupon of coupons) {
    const made = await shop.post('/coupons', coupon);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  published();
  return { agent, ids };
}

interface Total {
  readonly type: string;
  readonly amount: number;
  readonly lines?: readonly { readonly amount: number }[];
}

const sum = (parts: readonly { readonly amount: number }[]) =>
  parts.reduce((all, { amount }) => all + amount, 0);
const ofType = (totals: readonly Total[], type: string) => totals.filter((entry) => entry.type === type);

/** Expects the protocol's rules for totals: one subtotal, one total that the others sum to, signs, and sub-lines. */
function expectTotals(totals: readonly Total[]): void {
  for (const type of ['subtotal', 'total']) expect(ofType(totals, type)).toHaveLength(1);
  expect(sum(totals.filter(({ type }) => type !== 'total'))).toBe(sum(ofType(totals, 'total')));
  for (const { type, amount, lines } of totals) {
    expect(Number.isSafeInteger(amount), `${type} ${amount}`).toBe(true);
    if (type.endsWith('discount')) expect(amount).toBeLessThan(0);
    else expect(amount).toBeGreaterThanOrEqual(0);
    if (lines) expect(sum(lines)).toBe(amount);
  }
}

/** A cart or checkout, as far as it has amounts. */
interface Basket {
  readonly currency: string;
  readonly line_items: readonly {
    readonly item: { readonly price: number };
    readonly quantity: number;
    readonly totals: readonly Total[];
  }[];
  readonly totals: readonly Total[];
  readonly discounts?: {
    readonly applied: readonly {
      readonly amount: number;
      readonly allocations?: readonly { amount: number }[];
    }[];
  };
}

/** Expects that lines, discounts and totals agree to the last minor unit. */
function expectSums({ line_items, totals, discounts }: Basket): void {
  expectTotals(totals);
  for (const { item, quantity, totals: ofLine } of line_items) {
    expectTotals(ofLine);
    expect(sum(ofType(ofLine, 'subtotal'))).toBe(item.price * quantity);
  }
  const lines = line_items.flatMap((line) => line.totals);
  for (const type of ['subtotal', 'items_discount']) {
    expect(sum(ofType(lines, type)), type).toBe(sum(ofType(totals, type)));
  }
  const applied = discounts?.applied ?? [];
  for (const { amount, allocations } of applied) {
    expect(amount).toBeGreaterThan(0);
    if (allocations) expect(sum(allocations)).toBe(amount);
  }
  const allocated = applied.flatMap(({ allocations }) => allocations ?? []);
  expect(0 - sum(allocated)).toBe(sum(ofType(totals, 'items_discount')));
  expect(0 - sum(applied)).toBe(sum(ofType(totals, 'items_discount')) + sum(ofType(totals, 'discount')));
}

const baskets = fc.record({
  currency: fc.constantFrom(...CURRENCIES),
  country: fc.constantFrom(...COUNTRIES),
  method: fc.constantFrom(...METHODS),
  codes: fc.subarray([...CODES]),
  lines: fc.uniqueArray(
    fc.record({ good: fc.nat(PRICES.length - 1), quantity: fc.integer({ min: 1, max: 999 }) }),
    { minLength: 1, maxLength: PRICES.length, selector: ({ good }) => good },
  ),
});

it.each(['inclusive', 'exclusive'] as const)('sums up to the last minor unit, tax %s', async (mode) => {
  const { agent, ids } = await sale(mode);
  await fc.assert(
    fc.asyncProperty(baskets, async ({ currency, country, method, lines, ...drawn }) => {
      const line_items = lines.map(({ good, quantity }) => ({ item: { id: `p${ids[good]}` }, quantity }));
      const context = { currency, address_country: country };
      const payload = { line_items, context, discounts: { codes: drawn.codes } };
      const cart: Basket = (await agent.cart.create(payload)).body;
      const groups = [{ id: 'parcel', selected_option_id: method }];
      const fulfillment = shipTo({ address_country: country }, { groups });
      const { body } = await agent.checkout.create({ ...payload, fulfillment });
      for (const basket of [cart, body as Basket]) {
        expect(basket.currency, JSON.stringify(codes(body))).toBe(currency);
        expect(basket.line_items).toHaveLength(lines.length);
        expectSums(basket);
        expect(ofType(basket.totals, 'tax')).toHaveLength(mode === 'exclusive' ? 1 : 0);
      }
      const option = body.fulfillment?.methods[0].groups[0];
      expect(option?.selected_option_id).toBe(body.fulfillment && method);
      const chosen = option?.options.find(({ id }: { id: string }) => id === method);
      const shipping = [...ofType(body.totals, 'fulfillment'), ...ofType(body.totals, 'discount')];
      expect(sum(shipping)).toBe(chosen ? sum(chosen.totals) : 0);
    }),
    { numRuns: 25 },
  );
});
