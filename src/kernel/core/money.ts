/**
 * Money is an integer in the currency's minor unit everywhere inside; decimals exist only in JSON.
 * Exponents are those of ISO 4217; the currencies not listed have two decimals.
 */
const EXPONENTS = new Map(
  [
    { decimals: 0, codes: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF' },
    { decimals: 3, codes: 'BHD IQD JOD KWD LYD OMR TND' },
    { decimals: 4, codes: 'CLF UYW' },
  ].flatMap(({ decimals, codes }) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/**
 * The most that a price, a whole line of a cart or an amount of the settings may be, in minor units. A hundred
 * such lines with 100 % of tax and such a shipping stay below 2^52, where a double tells each minor unit from
 * the next in every currency: sums are exact, inside and in JSON.
 */
export const MAX_AMOUNT = 10_000_000_000_000;

/** An amount of settings and coupons, as in JSON: a number that holds in every currency, or one for each. */
export type Amount = number | Readonly<Record<string, number>>;

/** The currencies of a tenant: the main one, and all that it sells in. */
export interface Currencies {
  readonly currency: string;
  readonly currencies: readonly string[];
}

/** How many decimals the currency has (ISO 4217, upper case): JPY 0, EUR 2, KWD 3, CLF 4. */
export const exponent = (currency: string): number => EXPONENTS.get(currency) ?? 2;

/**
 * A JSON number as minor units, or `null` when it has more decimals than the currency
 * (or is not finite). Decided on the decimal digits, so 0.1 + 0.2 never rounds silently.
 */
export function toMinor(amount: number, currency: string): number | null {
  return parseMinor(String(amount), currency);
}

/**
 * A decimal string ("19.90", "5", "1e3") as minor units; `null` when it is no amount of this currency:
 * other characters, more decimals than it has (zeros aside), more than 40 digits, beyond 2^53.
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
  return Number.isSafeInteger(minor) ? (sign ? -minor : minor) : null;
}

/** What keeps a JSON number from being an amount that is taken in this currency, or `null`. */
export function amountError(amount: number, currency: string): string | null {
  const most = toNumber(MAX_AMOUNT, currency);
  if (amount > most) return `must be at most ${most} in ${currency}`;
  const tooFine = toMinor(amount, currency) === null;
  return tooFine ? `must have at most ${exponent(currency)} decimals in ${currency}` : null;
}

/** Drops `count` trailing digits if all of them are zeros: 1990|0 → 199; else `null`. */
function dropZeros(digits: string, count: number): string | null {
  const padded = digits.padStart(count + 1, '0');
  const tail = padded.slice(-count);
  return /^0*$/.test(tail) ? padded.slice(0, -count) : null;
}

/**
 * Minor units as the JSON number of the wire: (1990, "EUR") → 19.9. One division of two exact integers
 * is rounded correctly (IEEE 754), so this is the very number that the decimal literal names.
 */
export const toNumber = (minor: number, currency: string): number => minor / 10 ** exponent(currency);

/** An amount of the wire as people read it, with all the currency's decimals: (19.9, "EUR") → "€19.90". */
export function formatMoney(amount: number, currency: string): string {
  // Left to itself Intl rounds by CLDR, where HUF and IQD have no decimals at all.
  const digits = { minimumFractionDigits: exponent(currency), maximumFractionDigits: exponent(currency) };
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits }).format(amount);
}

/**
 * An integer division rounded half up, for either sign: 5/2 → 3, −5/2 → −3. Hand over a product as a
 * `bigint` when it may exceed 2^53. A quotient beyond 2^53 or a divisor of 0 is a bug and throws.
 */
export function divideHalfUp(numerator: number | bigint, denominator: number | bigint): number {
  const a = BigInt(numerator);
  const b = BigInt(denominator);
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const rounded = Number((2n * x + y) / (2n * y));
  if (!Number.isSafeInteger(rounded)) throw new RangeError('a quotient beyond 2^53');
  return a < 0n !== b < 0n && rounded !== 0 ? -rounded : rounded;
}
