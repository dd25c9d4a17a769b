import { describe, expect, it } from 'vitest';
import { MAX_AMOUNT } from '../../src/kernel/values/money.ts';
import { type PricingSettings, rulesFor } from '../../src/pricing/index.ts';
import { computeTotals } from '../../src/pricing/totals.ts';
import { DEFAULT_SETTINGS, Settings } from '../../src/tenants/schemas.ts';
import { bill, noted, priced, SETTINGS } from './priced-cart.ts';

const taxed = (mode: 'exclusive' | 'inclusive', rate_percent: number, more = {}): PricingSettings => ({
  tax: { mode, rate_percent, ...more },
  shipping: { flat: 0 },
});

describe('totals without a coupon', () => {
  it('add 18 % to each line and the flat shipping', () => {
    // 39.80 → 7.164 → 7.16; 5.05 → 0.909 → 0.91
    const lines = [{ price: 19.9, quantity: 2 }, { price: 5.05 }];
    expect(bill({ lines, settings: SETTINGS })).toEqual({
      subtotal: 44.85,
      discount: 0,
      shipping: 4.9,
      tax: 8.07,
      grand_total: 57.82,
    });
  });

  it('show price, tax and sum for each line', () => {
    const { lines } = priced({ lines: [{ price: 19.9, quantity: 2 }], settings: SETTINGS });
    expect(lines).toEqual([{ subtotal: 3980, discount: 0, tax: 716, taxRate: 18_000_000 }]);
  });

  it('are zero for an empty cart', () => {
    const zeros = { subtotal: 0, discount: 0, shipping: 0, tax: 0, grand_total: 0 };
    expect(bill({ lines: [], settings: SETTINGS })).toEqual(zeros);
  });
});

describe('tax', () => {
  it.each([
    ['EUR', 18, 10.25, 1.85], // 1.845
    ['EUR', 18, 10.24, 1.84], // 1.8432
    ['USD', 8.875, 100, 8.88], // 8.875: New York City
    ['USD', 8.875, 999.99, 88.75], // 88.7491125
    ['CHF', 8.1, 5, 0.41], // 0.405
    ['JPY', 10, 105, 11], // 10.5
    ['JPY', 8, 106, 8], // 8.48
    ['KWD', 5, 1.25, 0.063], // 0.0625
    ['KWD', 5, 1.249, 0.062], // 0.06245
    ['EUR', 0, 10, 0],
    ['EUR', 0.000001, 10_000_000, 0.1],
  ])('%s: %d %% on top of %d is %d', (currency, rate, price, tax) => {
    expect(bill({ lines: [{ price }], settings: taxed('exclusive', rate), currency }).tax).toBe(tax);
  });

  it.each([
    ['EUR', 20, 12, 2],
    ['EUR', 19, 11.9, 1.9],
    ['EUR', 18, 19.9, 3.04], // 3.0356
    ['EUR', 20, 0.03, 0.01], // 0.005
    ['JPY', 10, 105, 10], // 9.545
    ['KWD', 5, 1.25, 0.06], // 0.0595
  ])('%s: %d %% inside of %d is %d', (currency, rate, price, tax) => {
    const shown = bill({ lines: [{ price }], settings: taxed('inclusive', rate), currency });
    expect(shown).toMatchObject({ tax, grand_total: price });
  });

  it('is rounded on each line, not on the sum', () => {
    const lines = [{ price: 105 }, { price: 105 }];
    expect(bill({ lines, settings: taxed('exclusive', 10), currency: 'JPY' }).tax).toBe(22);
  });

  it('depends on the country, and is the default if the country is unknown or has no rate', () => {
    const settings = taxed('exclusive', 20, { rates_by_country: { DE: 19, US: 0 } });
    const taxIn = (country: string | null) => bill({ lines: [{ price: 100 }], settings, country }).tax;
    expect([null, 'TR', 'DE', 'US', 'constructor'].map(taxIn)).toEqual([20, 20, 19, 0, 20]);
  });

  it('leaves inclusive prices as they are in every country', () => {
    const settings = taxed('inclusive', 20, { rates_by_country: { DE: 19, US: 0 } });
    const shown = ['TR', 'DE', 'US'].map((country) => bill({ lines: [{ price: 100 }], settings, country }));
    expect(shown.map(({ grand_total }) => grand_total)).toEqual([100, 100, 100]);
    expect(shown.map(({ tax }) => tax)).toEqual([16.67, 15.97, 0]);
  });

  it("takes the rate of the product's tax class in the country, then of the class, then the standard rate", () => {
    const books = { rate_percent: 1, rates_by_country: { DE: 7 } };
    const settings = taxed('exclusive', 20, {
      rates_by_country: { DE: 19, US: 0 },
      rates_by_class: { books },
    });
    const taxOf = (taxClass: string | null, country: string) =>
      bill({ lines: [{ price: 100, taxClass }], settings, country }).tax;
    expect(['TR', 'DE', 'US'].map((country) => taxOf('books', country))).toEqual([1, 7, 1]);
    expect(['TR', 'DE', 'US'].map((country) => taxOf('toys', country))).toEqual([20, 19, 0]);
    expect(taxOf('toString', 'TR')).toBe(20);
  });
});

describe('shipping', () => {
  const at = (price: number, more = {}) => bill({ lines: [{ price }], settings: SETTINGS, ...more });

  it('is free from free_over, to the cent', () => {
    expect(at(49.99).shipping).toBe(4.9);
    expect(at(50).shipping).toBe(0);
  });

  it('compares free_over with the sum after the discount', () => {
    expect(at(55, { coupon: { kind: 'fixed', value: 5 } }).shipping).toBe(0);
    expect(at(55, { coupon: { kind: 'fixed', value: 5.01 } }).shipping).toBe(4.9);
  });

  it('is zero if nothing ships, and charged once otherwise', () => {
    const download = { price: 10, ships: false };
    expect(bill({ lines: [download], settings: SETTINGS }).shipping).toBe(0);
    expect(bill({ lines: [download, { price: 1 }, { price: 2 }], settings: SETTINGS }).shipping).toBe(4.9);
  });

  it('depends on country and currency', () => {
    const shipping = {
      flat: { EUR: 5, JPY: 800 },
      free_over: { EUR: 100 },
      by_country: { US: { flat: 15 }, JP: { flat: { JPY: 300 } } },
    };
    const settings = { ...SETTINGS, shipping };
    const of = (currency: string, country: string | null) =>
      bill({ lines: [{ price: 100 }], settings, currency, country }).shipping;
    expect(of('EUR', null)).toBe(0);
    expect(of('JPY', null)).toBe(800);
    expect(of('JPY', 'JP')).toBe(300);
    expect(of('KWD', 'US')).toBe(15);
    expect(of('KWD', 'DE')).toBe(0);
    expect(bill({ lines: [{ price: 99 }], settings, country: 'JP' }).shipping).toBe(5);
  });

  it("has a country's own free_over, and is never free where it is null", () => {
    const by_country = {
      US: { flat: 15, free_over: 200 },
      CH: { flat: 9, free_over: null },
      FR: { flat: 7 },
    };
    const settings = { ...SETTINGS, shipping: { flat: 4.9, free_over: 50, by_country } };
    const of = (price: number, country: string) => bill({ lines: [{ price }], settings, country }).shipping;
    expect([of(49, 'DE'), of(50, 'DE')]).toEqual([4.9, 0]);
    expect([of(199, 'US'), of(200, 'US')]).toEqual([15, 0]);
    expect([of(49, 'CH'), of(10_000, 'CH')]).toEqual([9, 9]);
    expect([of(49, 'FR'), of(50, 'FR')]).toEqual([7, 0]);
  });

  it("is rounded to the currency's decimals", () => {
    expect(bill({ lines: [{ price: 1 }], settings: SETTINGS, currency: 'JPY' }).shipping).toBe(5);
  });

  it('is untaxed, or taxed at the standard rate if the tenant says so', () => {
    const settings = (mode: 'exclusive' | 'inclusive', shipping_taxed?: boolean): PricingSettings => ({
      tax: { mode, rate_percent: 20, shipping_taxed, rates_by_class: { books: { rate_percent: 0 } } },
      shipping: { flat: 6 },
    });
    const lines = [{ price: 100, taxClass: 'books' }];
    expect(bill({ lines, settings: settings('exclusive') })).toMatchObject({ tax: 0, grand_total: 106 });
    expect(bill({ lines, settings: settings('exclusive', true) })).toMatchObject({
      tax: 1.2,
      grand_total: 107.2,
    });
    expect(bill({ lines, settings: settings('inclusive', true) })).toMatchObject({
      tax: 1,
      grand_total: 106,
    });
    expect(priced({ lines, settings: settings('inclusive', true) }).shippingTax).toBe(100);
  });
});

describe('the settings', () => {
  it('are accepted as the tenant stores them', () => {
    const settings = Settings.parse({
      ...DEFAULT_SETTINGS,
      tax: { mode: 'inclusive', rate_percent: 20, rates_by_country: { DE: 19 }, shipping_taxed: true },
      shipping: { flat: { EUR: 5 }, free_over: 50, by_country: { DE: { flat: 3.9, free_over: null } } },
    });
    expect(rulesFor(settings, 'EUR', 'DE')).toEqual({
      taxIncluded: true,
      standardRate: 19_000_000,
      ratesByClass: {},
      shippingTaxed: true,
      shippingMethods: [
        {
          id: 'standard',
          name: 'Standard',
          description: null,
          minDays: null,
          maxDays: null,
          basis: 'flat',
          tiers: [{ from: 0, price: 390 }],
          freeOver: null,
        },
      ],
    });
    expect(rulesFor(DEFAULT_SETTINGS, 'EUR', null)).toMatchObject({
      standardRate: 0,
      shippingMethods: [{ tiers: [{ from: 0, price: 0 }], freeOver: null }],
    });
  });
});

describe('the limits', () => {
  const rules = rulesFor(SETTINGS, 'EUR', null);
  const line = { ...noted({ price: 0, quantity: 1 }, 'EUR'), unitPrice: MAX_AMOUNT };

  it('accept the largest possible cart', () => {
    const totals = computeTotals(
      Array.from({ length: 100 }, () => line),
      rules,
    );
    expect(totals.subtotal).toBe(1_000_000_000_000_000);
    expect(totals.grandTotal).toBe(1_180_000_000_000_000);
  });

  it('throw if a sum would not be exact', () => {
    expect(() => computeTotals([{ ...line, unitPrice: MAX_AMOUNT * 1_000 }], rules)).toThrow(RangeError);
  });
});
