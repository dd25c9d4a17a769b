import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toMinor, toNumber } from '../../src/kernel/values/money.ts';
import { explainShipping } from '../../src/pricing/explain-shipping.ts';
import { type PricedLine, rulesFor, traceTotals } from '../../src/pricing/index.ts';
import { ShippingMethods } from '../../src/shipping/index.ts';

// Any methods, cart, country and currency: what shipping costs, worked out again by hand. fast-check prints the
// seed of a failure.

const COUNTRIES = ['DE', 'AT', 'US'] as const;
const CURRENCIES = ['JPY', 'EUR', 'KWD'] as const;
type Currency = (typeof CURRENCIES)[number];

/** An amount in the smallest units of each currency that it has a value in. */
type Minor = Readonly<Partial<Record<Currency, number>>>;
const units = fc.oneof(fc.nat(20), fc.nat(5_000), fc.nat(1_000_000));
const minor: fc.Arbitrary<Minor> = fc.record(
  { JPY: units, EUR: units, KWD: units },
  { requiredKeys: ['EUR'] },
);
const every = fc.record({ JPY: units, EUR: units, KWD: units });

const kind = fc.oneof(
  fc.record({ kind: fc.constant('flat' as const), price: minor }),
  fc.record({
    kind: fc.constant('subtotal' as const),
    first: minor,
    steps: fc.array(fc.record({ by: every, price: minor }), { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('weight' as const),
    first: minor,
    steps: fc.array(fc.record({ by: fc.nat(5_000), price: minor }), { maxLength: 3 }),
  }),
);
type Kind = typeof kind extends fc.Arbitrary<infer T> ? T : never;

/** A method as it was drawn: amounts in the smallest units. */
const method = fc.record({
  kind,
  countries: fc.option(fc.subarray([...COUNTRIES], { minLength: 1 })),
  freeOver: fc.option(minor),
  active: fc.boolean(),
});
type Drawn = typeof method extends fc.Arbitrary<infer T> ? T : never;

const line: fc.Arbitrary<PricedLine> = fc.record({
  productId: fc.constant(1),
  categoryIds: fc.constant([]),
  unitPrice: units,
  quantity: fc.integer({ min: 1, max: 50 }),
  ships: fc.boolean(),
  taxClass: fc.constant(null),
  weight: fc.oneof(fc.constant(0), fc.nat(5_000)),
});

const given = fc.record({
  methods: fc.array(method, { minLength: 1, maxLength: 6 }),
  lines: fc.array(line, { maxLength: 5 }),
  country: fc.option(fc.constantFrom(...COUNTRIES)),
  currency: fc.constantFrom(...CURRENCIES),
  chosen: fc.option(fc.nat(6)),
  mode: fc.constantFrom('exclusive' as const, 'inclusive' as const),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

const CODES = Object.fromEntries(CURRENCIES.map((code) => [code, code])) as Record<Currency, Currency>;
const entries = (amount: Minor) =>
  Object.values(CODES).flatMap((code) => (amount[code] === undefined ? [] : [[code, amount[code]] as const]));
const wire = (amount: Minor) =>
  Object.fromEntries(entries(amount).map(([code, value]) => [code, toNumber(value, code)]));

/** The tiers with their beginnings: the steps are what each adds to the one before, at least one unit. */
function tiersOf(drawn: Exclude<Kind, { kind: 'flat' }>): { from: Minor | number; price: Minor }[] {
  if (drawn.kind === 'weight') {
    let from = 0;
    const rest = drawn.steps.map(({ by, price }) => {
      from += by + 1;
      return { from, price };
    });
    return [{ from: 0, price: drawn.first }, ...rest];
  }
  let from = { JPY: 0, EUR: 0, KWD: 0 };
  const rest = drawn.steps.map(({ by, price }) => {
    from = { JPY: from.JPY + by.JPY + 1, EUR: from.EUR + by.EUR + 1, KWD: from.KWD + by.KWD + 1 };
    return { from, price };
  });
  return [{ from: { JPY: 0, EUR: 0, KWD: 0 }, price: drawn.first }, ...rest];
}

const settingsOf = ({ kind: own, countries, freeOver, active }: Drawn, n: number) => ({
  id: `method-${n}`,
  name: `Method ${n}`,
  active,
  ...(countries && { countries }),
  ...(freeOver && { free_over: wire(freeOver) }),
  ...(own.kind === 'flat'
    ? { price: wire(own.price) }
    : {
        tiers: tiersOf(own).map(({ from, price }) =>
          typeof from === 'number'
            ? { from_weight: from, price: wire(price) }
            : { from_subtotal: wire(from), price: wire(price) },
        ),
      }),
});

/** What a method costs, by hand: undefined if it does not fit. */
function costByHand({ kind: own, countries, freeOver, active }: Drawn, cart: Given): number | undefined {
  const { country, currency, lines } = cart;
  if (!active || (countries && !(country && countries.includes(country)))) return undefined;
  const goods = lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);
  const weight = lines.reduce(
    (sum, { ships, weight: grams = 0, quantity }) => sum + (ships ? grams * quantity : 0),
    0,
  );
  const tiers = own.kind === 'flat' ? [{ from: 0, price: own.price }] : tiersOf(own);
  if (tiers.some(({ price }) => price[currency] === undefined)) return undefined;
  const free = freeOver?.[currency];
  if (free !== undefined && goods >= free) return 0;
  let cost: number | undefined;
  for (const { from, price } of tiers) {
    const reached = typeof from === 'number' ? weight >= from : goods >= (from[currency] ?? 0);
    if (reached) cost = price[currency];
  }
  return cost;
}

it('charges the chosen method if it fits, else the cheapest that does, and explains what it charges', () => {
  fc.assert(
    fc.property(given, (cart) => {
      const { currency, country, lines, chosen, mode } = cart;
      const methods = ShippingMethods.parse(cart.methods.map(settingsOf));
      const settings = {
        tax: { mode, rate_percent: 19, shipping_taxed: true },
        shipping: { flat: 7, methods },
      };
      const rules = rulesFor(settings, currency, country);
      const chosenMethod = chosen === null ? null : `method-${chosen}`;
      const traced = traceTotals(lines, { ...rules, chosenMethod });
      const { totals, shipping } = traced;

      const costs = cart.methods.map((drawn) => costByHand(drawn, cart));
      const fitting = costs.flatMap((cost, n) => (cost === undefined ? [] : [{ id: `method-${n}`, cost }]));
      expect(shipping.quotes.map(({ method: { id }, price }) => ({ id, cost: price }))).toEqual(fitting);
      const cheapest = fitting.toSorted((a, b) => a.cost - b.cost)[0];
      const right = fitting.find(({ id }) => id === chosenMethod) ?? cheapest;
      const ships = lines.some((one) => one.ships);
      expect(totals.shipping).toBe(ships ? (right?.cost ?? 0) : 0);
      expect(shipping.rule === 'no_method').toBe(ships && right === undefined);

      const explained = explainShipping(shipping, currency);
      expect(toMinor(explained.amount, currency)).toBe(totals.shipping);
      expect(explained.method?.id).toBe(ships ? right?.id : undefined);
      const { subtotal, discount, tax, shippingTax, grandTotal } = totals;
      const lineTax = totals.lines.reduce((sum, one) => sum + one.tax, 0);
      expect(tax).toBe(lineTax + shippingTax);
      expect(grandTotal).toBe(subtotal - discount + totals.shipping + (mode === 'inclusive' ? 0 : tax));
    }),
    { numRuns: 2_000 },
  );
});

it('never charges more for the method that applies by itself than for one that fits', () => {
  fc.assert(
    fc.property(given, (cart) => {
      const methods = ShippingMethods.parse(cart.methods.map(settingsOf));
      const settings = { tax: { mode: cart.mode, rate_percent: 0 }, shipping: { flat: 0, methods } };
      const rules = rulesFor(settings, cart.currency, cart.country);
      const least = traceTotals(cart.lines, rules).totals.grandTotal;
      for (const { id } of rules.shippingMethods) {
        const chosen = traceTotals(cart.lines, { ...rules, chosenMethod: id });
        expect(chosen.totals.grandTotal).toBeGreaterThanOrEqual(least);
      }
    }),
    { numRuns: 500 },
  );
});
