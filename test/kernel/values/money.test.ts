import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountText,
  divideHalfUp,
  exponent,
  formatMoney,
  MAX_AMOUNT,
  parseMinor,
  toMinor,
  toNumber,
} from '../../../src/kernel/values/money.ts';

/** One currency for each number of decimals: 0, 2, 3, 4. */
const currency = fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF');
/** Up to the largest amount, and up to the largest sum: a hundred such lines and the shipping, with their tax. */
const amount = fc.oneof(
  fc.integer({ min: 0, max: MAX_AMOUNT }),
  fc.integer({ min: 0, max: MAX_AMOUNT * 202 }),
);

/** Minor units as a decimal string, digit by digit: the model that needs no arithmetic. */
function literal(minor: number, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

describe('exponent', () => {
  it.each([
    ['JPY', 0],
    ['EUR', 2],
    ['TRY', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['constructor', 2],
  ])('%s has %i decimals', (code, decimals) => {
    expect(exponent(code)).toBe(decimals);
  });
});

describe('minor units and the JSON number', () => {
  it('convert both ways unchanged', () => {
    fc.assert(
      fc.property(amount, currency, (minor, code) => {
        expect(toMinor(toNumber(minor, code), code)).toBe(minor);
        if (minor !== 0) expect(toMinor(toNumber(-minor, code), code)).toBe(-minor);
      }),
      { numRuns: 2_000 },
    );
  });

  it('show exactly the decimal of their digits', () => {
    fc.assert(
      fc.property(amount, currency, (minor, code) => {
        const text = literal(minor, exponent(code));
        expect(toNumber(minor, code)).toBe(Number(text));
        expect(parseMinor(text, code)).toBe(minor);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reject one decimal too many, unless it is a zero', () => {
    fc.assert(
      fc.property(fc.nat(MAX_AMOUNT), currency, fc.nat(9), (minor, code, digit) => {
        const text = `${literal(minor, exponent(code))}${exponent(code) === 0 ? '.' : ''}${digit}`;
        expect(parseMinor(text, code)).toBe(digit === 0 ? minor : null);
        expect(toMinor(Number(text), code)).toBe(digit === 0 ? minor : null);
      }),
    );
  });

  it('follow the decimal point through an exponent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_AMOUNT }), currency, (minor, code) => {
        expect(parseMinor(`${minor}e-${exponent(code)}`, code)).toBe(minor);
        expect(parseMinor(`${minor}0E-${exponent(code) + 1}`, code)).toBe(minor);
        expect(parseMinor(`${literal(minor, exponent(code) + 3)}e+3`, code)).toBe(minor);
      }),
    );
  });

  it.each([
    [19.9, 'EUR', 1990],
    [1.005, 'EUR', null],
    [0.1 + 0.2, 'EUR', null],
    [0.29, 'EUR', 29],
    [1.005, 'KWD', 1005],
    [12.5, 'JPY', null],
    [-0, 'EUR', 0],
    [1e-7, 'EUR', null],
    [1e21, 'EUR', null],
    [1e21, 'JPY', null],
    [Number.MAX_SAFE_INTEGER, 'JPY', Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER + 1, 'JPY', null],
    [Number.MAX_VALUE, 'EUR', null],
    [Number.MIN_VALUE, 'EUR', null],
    [Number.NaN, 'EUR', null],
    [Number.POSITIVE_INFINITY, 'EUR', null],
  ])('reads the number %d %s as %s', (value, code, minor) => {
    expect(toMinor(value, code)).toBe(minor);
  });

  it.each([
    ['1e3', 'EUR', 100_000],
    ['1E+3', 'JPY', 1_000],
    ['1990e-2', 'EUR', 1990],
    ['1e-3', 'EUR', null],
    ['0e99', 'EUR', 0],
    ['1e99999999999999999999', 'EUR', null],
    ['1e-99999999999999999999', 'EUR', null],
    ['-0', 'EUR', 0],
    ['-0.00', 'EUR', 0],
    ['-5', 'EUR', -500],
    [' 5.50 ', 'EUR', 550],
    ['0005', 'EUR', 500],
    ['5.000', 'EUR', 500],
    ['', 'EUR', null],
    ['5.', 'EUR', null],
    ['.5', 'EUR', null],
    ['+5', 'EUR', null],
    ['5,50', 'EUR', null],
    ['1_000', 'EUR', null],
    ['0x10', 'EUR', null],
    ['5 EUR', 'EUR', null],
    ['٥', 'EUR', null],
    ['Infinity', 'EUR', null],
  ])('reads the string %j %s as %s', (text, code, minor) => {
    expect(parseMinor(text, code)).toBe(minor);
  });

  it('reject a huge string', () => {
    expect(parseMinor('9'.repeat(1_000_000), 'EUR')).toBeNull();
    expect(parseMinor(`1.${'0'.repeat(1_000_000)}1`, 'EUR')).toBeNull();
    expect(parseMinor(`${'0'.repeat(1_000_000)}5`, 'EUR')).toBe(500);
  });

  it('return a safe integer or null for any string', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^-?[0-9]{0,50}\.?[0-9]{0,50}([eE][+-]?[0-9]{1,4})?$/),
    );
    fc.assert(
      fc.property(text, currency, (value, code) => {
        const minor = parseMinor(value, code);
        expect(minor === null || Number.isSafeInteger(minor)).toBe(true);
        expect(Object.is(minor, -0)).toBe(false);
      }),
    );
  });
});

describe('formatMoney', () => {
  it.each([
    [19.95, 'EUR', '€19.95'],
    [19.95, 'HUF', 'HUF\u00a019.95'],
    [1.234, 'IQD', 'IQD\u00a01.234'],
    [1200, 'JPY', '¥1,200'],
    [-5, 'KWD', '-KWD\u00a05.000'],
  ])('shows %d %s with all decimals of the currency', (amount, currency, words) => {
    expect(formatMoney(amount, currency)).toBe(words);
  });
});

describe('divideHalfUp', () => {
  const magnitude = (value: number): bigint => BigInt(Math.abs(value));
  const safe = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

  it('returns the nearest integer, and half away from zero', () => {
    fc.assert(
      fc.property(safe, fc.oneof(safe, fc.integer({ min: -20, max: 20 })), (numerator, denominator) => {
        fc.pre(denominator !== 0);
        const quotient = divideHalfUp(numerator, denominator);
        if (quotient !== 0) expect(quotient < 0).toBe(numerator < 0 !== denominator < 0);
        const [n, d, q] = [magnitude(numerator), magnitude(denominator), magnitude(quotient)];
        // q − ½ ≤ n/d < q + ½, for the absolute values.
        expect((2n * q - 1n) * d <= 2n * n && 2n * n < (2n * q + 1n) * d).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepts products beyond 2^53 as bigints', () => {
    fc.assert(
      fc.property(fc.nat(MAX_AMOUNT * 202), fc.integer({ min: 1, max: 1_000_000_000 }), (value, factor) => {
        expect(divideHalfUp(BigInt(value) * BigInt(factor), factor)).toBe(value);
      }),
    );
  });

  it.each([
    [5, 2, 3],
    [-5, 2, -3],
    [5, -2, -3],
    [-5, -2, 3],
    [4, 3, 1],
    [1, 2, 1],
    [-1, 3, 0],
    [0, -7, 0],
  ])('%i / %i → %i', (numerator, denominator, quotient) => {
    expect(divideHalfUp(numerator, denominator)).toBe(quotient);
  });

  it('throws on programming errors', () => {
    expect(() => divideHalfUp(1, 0)).toThrow(RangeError);
    expect(() => divideHalfUp(1.5, 1)).toThrow(RangeError);
    expect(() => divideHalfUp(2n ** 60n, 1)).toThrow(RangeError);
  });
});

describe('amountText', () => {
  it('is the exact amount with all the decimals of its currency, for up to the largest amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_AMOUNT }), currency, (minor, code) => {
        expect(amountText(toNumber(minor, code), code)).toBe(literal(minor, exponent(code)));
      }),
    );
  });

  it('is empty for no amount', () => {
    expect([amountText(null, 'EUR'), amountText(undefined, 'JPY')]).toEqual(['', '']);
  });
});
