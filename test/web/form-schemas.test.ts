/** The texts of the panels' forms are read in one pass, whatever they hold. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { amounts, shares, sharesByClass, shippingByCountry } from '../../src/web/ui/form-schemas.ts';

const read = (schema: z.ZodType, text: string) => {
  const found = schema.safeParse(text);
  return found.success ? found.data : found.error.issues.map(({ message, path }) => [message, ...path]);
};

/** So long that reading it again for each of its characters would take minutes. */
const LONG = 1_000_000;
const long = (part: string) => part.repeat(Math.ceil(LONG / part.length));

describe('amounts', () => {
  it.each([
    ['4.90', 4.9],
    [' 4,90 ', 4.9],
    ['EUR 4.90, USD 6', { EUR: 4.9, USD: 6 }],
    ['eur 4,90\nUSD 6;CHF 7', { EUR: 4.9, USD: 6, CHF: 7 }],
    ['EUR 1, USD 2,', { EUR: 1, USD: 2 }],
    ['EUR 1,2', { EUR: 1.2 }],
    ['EUR 1,2, USD 3', { EUR: 1.2, USD: 3 }],
    ['EUR\t1', { EUR: 1 }],
  ])('%j is %j', (text, value) => expect(read(amounts, text)).toEqual(value));

  it.each([
    '',
    'EUR',
    'EUR1',
    '4.90 EUR',
    'EUR 4.90 x',
    'EURO 4',
    'EUR 4.9.1',
    'EUR 1234567890123456',
    ', EUR 1',
  ])('%j is rejected', (text) =>
    expect(read(amounts, text)).toEqual([['must be a number, or lines such as EUR 4.90']]),
  );

  it.each([
    `EUR ${long(' ')}x`,
    `${long('EUR 1 ')}x`,
    `${long('EUR 1')}x`,
    `EUR 1${long(' ,;')}x`,
    long('1'),
    long('A'),
  ])('is parsed in linear time (%#)', (text) => {
    expect(read(amounts, text)).toEqual([['must be a number, or lines such as EUR 4.90']]);
  });
});

describe('rates by country', () => {
  it.each([
    ['DE 19', { DE: 19 }],
    ['de: 19 %\nAT 20,5%', { DE: 19, AT: 20.5 }],
    ['DE:19', { DE: 19 }],
  ])('%j is %j', (text, value) => expect(read(shares, text)).toEqual(value));

  it.each([
    ['DE', ['must be like DE 19', 0]],
    ['DE 19\nDE 7', ['must not repeat DE', 1]],
    ['DEU 19', ['must be like DE 19', 0]],
    ['DE 19 x', ['must be like DE 19', 0]],
  ])('%j is rejected', (text, issue) => expect(read(shares, text)).toEqual([issue]));

  it.each([`DE ${long(' ')}\u2028x\u2028y`, `DE 19${long(' ')}x`, `DE ${long('1')}`, `DE${long(':')}x`])(
    'are parsed in linear time (%#)',
    (text) => {
      expect(read(shares, text)).toEqual([['must be like DE 19', 0]]);
    },
  );
});

describe('rates by tax class', () => {
  it.each([
    ['books: 7', { books: { rate_percent: 7 } }],
    ['books: 7, CH 2.6', { books: { rate_percent: 7, rates_by_country: { CH: 2.6 } } }],
    [
      'my books: 7 %; ch 2,6 % AT 10',
      { 'my books': { rate_percent: 7, rates_by_country: { CH: 2.6, AT: 10 } } },
    ],
    ['books:7,5', { books: { rate_percent: 7.5 } }],
    ['books: 7, CH 2,6, AT 10', { books: { rate_percent: 7, rates_by_country: { CH: 2.6, AT: 10 } } }],
  ])('%j is %j', (text, value) => expect(read(sharesByClass, text)).toEqual(value));

  it.each([
    'books',
    ': 7',
    'books 7',
    'books: x',
    'books: 7, CHE 2',
    'books: 7, CH',
    `${'x'.repeat(51)}: 7`,
    'books: 7 CH2',
  ])('%j is rejected', (text) =>
    expect(read(sharesByClass, text)).toEqual([['must be like books: 7, CH 2.6', 0]]),
  );

  it.each([
    `books: 7${long(' ')}x`,
    `books: 7${long(', CH 2')}x`,
    `books:${long(' ')}x`,
    `books: 7, CH 2${long(' ,;')}x`,
    long(':'),
  ])('are parsed in linear time (%#)', (text) => {
    expect(read(sharesByClass, text)).toEqual([['must be like books: 7, CH 2.6', 0]]);
  });
});

describe('shipping by country', () => {
  const example = 'must be like CH 9.90, or CH EUR 9.90, USD 12 free from 100';
  it.each([
    ['CH 9.90', { CH: { flat: 9.9 } }],
    ['CH: 9.90', { CH: { flat: 9.9 } }],
    ['US EUR 12, USD 13 free from 100', { US: { flat: { EUR: 12, USD: 13 }, free_over: 100 } }],
    [
      'US EUR 12, FREE FROM EUR 100, USD 110',
      { US: { flat: { EUR: 12 }, free_over: { EUR: 100, USD: 110 } } },
    ],
    ['NO 15 never free\nSE 9', { NO: { flat: 15, free_over: null }, SE: { flat: 9 } }],
    ['NO 15, Never Free', { NO: { flat: 15, free_over: null } }],
  ])('%j is %j', (text, value) => expect(read(shippingByCountry, text)).toEqual(value));

  it.each([
    'NO',
    'NO free',
    'NO never free',
    'NO 15 free from',
    'NO 15free from 3',
    'NO 15 free from x',
    'NO 15 free',
  ])('%j is rejected', (text) => expect(read(shippingByCountry, text)).toEqual([[example, 0]]));

  it.each([
    `NO 15${long(' ,')}x`,
    `NO ${long(' free from')}`,
    `NO ${long('never free ')}x`,
    `NO 15 free from${long(' ')}x`,
    `NO ${long(' ')}\u2028x\u2028y`,
  ])('is parsed in linear time (%#)', (text) => {
    expect(read(shippingByCountry, text)).toEqual([[example, 0]]);
  });
});
