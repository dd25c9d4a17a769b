import { expect, it } from 'vitest';
import { currencyDecimals, formatMinorUnits, formatMoney, toMinorUnits } from '../../client/src/index.ts';
import { isCurrency } from '../../src/kernel/values/currencies.ts';
import { exponent } from '../../src/kernel/values/money.ts';

it('knows the decimals of every currency of the API', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters
    .flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
    .filter(isCurrency);
  expect(codes.length).toBeGreaterThan(150);
  for (const code of codes) expect(currencyDecimals(code), code).toBe(exponent(code));
});

it.each([
  [1234.5, 'EUR', 'de', '1.234,50 €'],
  [1234.5, 'EUR', 'en', '€1,234.50'],
  [1900, 'JPY', 'en', '¥1,900'],
  [1.5, 'KWD', 'en', 'KWD 1.500'],
  [5, 'HUF', 'en', 'HUF 5.00'],
  [-3.1, 'USD', 'en', '-$3.10'],
] as const)('formats %d %s in %s as %s', (amount, currency, locale, text) => {
  const plain = (formatted: string) => formatted.replaceAll(/\s/g, ' ');
  expect(plain(formatMoney(amount, currency, locale))).toBe(text);
  const minor = toMinorUnits(amount, currency);
  expect(Number.isSafeInteger(minor)).toBe(true);
  expect(plain(formatMinorUnits(minor, currency, locale))).toBe(text);
});

it('converts amounts that have no exact binary form', () => {
  expect([19.99, 0.29, 1.005].map((amount) => toMinorUnits(amount, 'EUR'))).toEqual([1999, 29, 100]);
  expect(toMinorUnits(4.35, 'KWD')).toBe(4350);
});
