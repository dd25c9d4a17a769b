import { ownEntry } from '../core/records.ts';

/**
 * Decimals of the currencies that don't have two (ISO 4217). Internally money is always an integer in the
 * currency's minor unit; decimals exist only in JSON.
 */
const EXPONENTS = new Map(
  [
    { decimals: 0, codes: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF' },
    { decimals: 3, codes: 'BHD IQD JOD KWD LYD OMR TND' },
    { decimals: 4, codes: 'CLF UYW' },
  ].flatMap(({ decimals, codes }) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/**
 * The largest price, line total or amount in the settings, in minor units. A hundred such lines with 100 %
 * tax and the largest shipping cost stay below 2^52, so totals are exact as doubles, here and in JSON.
 */
export const MAX_AMOUNT = 10_000_000_000_000;

/** An amount of settings and coupons, as in JSON: one number for every currency, or a number by currency. */
export type Amount = number | Readonly<Record<string, number>>;

/** A tenant's currencies: the main one, and every one it sells in. */
export interface Currencies {
  readonly currency: string;
  readonly currencies: readonly string[];
}

/** Returns the number of decimals of a currency (ISO 4217, upper case): JPY 0, EUR 2, KWD 3, CLF 4. */
export const exponent = (currency: string): number => EXPONENTS.get(currency) ?? 2;

/**
 * Converts a JSON number to minor units. Returns `null` when it has more decimals than the currency or is
 * not finite. Works on the decimal digits, so 0.1 + 0.2 is never rounded silently.
 */
export function toMinor(amount: number, currency: string): number | null {
  return parseMinor(String(amount), currency);
}

/**
 * Parses a decimal string ("19.90", "5", "1e3") to minor units. Returns `null` for other characters, for
 * more significant decimals than the currency has, for more than 40 digits and beyond 2^53.
 */
export function parseMinor(text: string, currency: string): number | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  if (digits === '0') return 0;
  const shift = exponent(currency) - fraction.length + Number(power);
  if (Math.abs(shift) > 30 || digits.length > 40) return null;
  const scaled = shift >= 0 ? digits + '0'.repeat(shift) : dropZeros(digits, -shift);
  if (scaled === null) return null;
  const minor = Number(scaled);
  if (!Number.isSafeInteger(minor)) return null;
  return sign ? -minor : minor;
}

/** Returns the validation message for a JSON amount in this currency, or `null` when it is valid. */
export function amountError(amount: number, currency: string): string | null {
  const most = toNumber(MAX_AMOUNT, currency);
  if (amount > most) return `must be at most ${most} in ${currency}`;
  const tooFine = toMinor(amount, currency) === null;
  return tooFine ? `must have at most ${exponent(currency)} decimals in ${currency}` : null;
}

/** Drops `count` trailing zeros: ("1990", 1) → "199". Returns `null` when one of those digits is not zero. */
function dropZeros(digits: string, count: number): string | null {
  const padded = digits.padStart(count + 1, '0');
  const tail = padded.slice(-count);
  return /^0*$/.test(tail) ? padded.slice(0, -count) : null;
}

/**
 * Converts minor units to a JSON number: (1990, "EUR") → 19.9. IEEE 754 rounds one division of two exact
 * integers correctly, so the result equals the decimal literal.
 */
export const toNumber = (minor: number, currency: string): number => minor / 10 ** exponent(currency);

/**
 * Returns an amount of settings or promotions in minor units of `currency`, or null if it has none for it.
 * Rounds a number to the currency's decimals, and takes at most {@link MAX_AMOUNT} of it.
 */
export function amountIn(amount: Amount | null | undefined, currency: string): number | null {
  const named = amount == null || typeof amount === 'number' ? amount : ownEntry(amount, currency);
  if (named == null) return null;
  // A number that the main currency takes may be too large for one with more decimals.
  const value = Math.min(named, toNumber(MAX_AMOUNT, currency));
  return toMinor(value, currency) ?? parseMinor(value.toFixed(exponent(currency)), currency);
}

/** Formats a JSON amount for people, with all the currency's decimals: (19.9, "EUR") → "€19.90". */
export function formatMoney(amount: number, currency: string): string {
  // By default Intl rounds by CLDR, where HUF and IQD have no decimals.
  const digits = { minimumFractionDigits: exponent(currency), maximumFractionDigits: exponent(currency) };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(amount);
}

/** Formats a JSON amount for a field, with all the currency's decimals: (49, "EUR") → "49.00"; none is "". */
export const amountText = (amount: number | null | undefined, currency: string): string =>
  amount?.toFixed(exponent(currency)) ?? '';

/**
 * Divides integers and rounds halves away from zero: 5/2 → 3, −5/2 → −3. Pass a product that may exceed
 * 2^53 as a `bigint`. Throws on a quotient beyond 2^53 and on a divisor of 0.
 */
export function divideHalfUp(numerator: number | bigint, denominator: number | bigint): number {
  const a = BigInt(numerator);
  const b = BigInt(denominator);
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const rounded = Number((2n * x + y) / (2n * y));
  if (!Number.isSafeInteger(rounded)) throw new RangeError('a quotient beyond 2^53');
  return a < 0n !== b < 0n && rounded !== 0 ? -rounded : rounded;
}
