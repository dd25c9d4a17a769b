/**
 * Money is an integer in the currency's minor unit everywhere inside; decimals exist only in JSON.
 * Exponents are those of ISO 4217; the currencies not listed have two decimals.
 */
const EXPONENTS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

/** The largest amount that is taken, in minor units: sums of 9,999 × 100 lines of it stay exact in a double. */
export const MAX_AMOUNT = 1_000_000_000;

/** How many decimals the currency has (ISO 4217): JPY 0, EUR 2, KWD 3. */
export const exponent = (currency: string): number => EXPONENTS[currency] ?? 2;

/**
 * A JSON number as minor units, or `null` when it has more decimals than the currency
 * (or is not finite). Decided on the decimal digits, so 0.1 + 0.2 never rounds silently.
 */
export function toMinor(amount: number, currency: string): number | null {
  return parseMinor(String(amount), currency);
}

/** A decimal string ("19.90", "5", "1e3") as minor units; `null` when it is no amount of this currency. */
export function parseMinor(text: string, currency: string): number | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', power = '0'] = match;
  const digits = (whole + fraction).replace(/^0+(?=\d)/, '');
  const shift = exponent(currency) - fraction.length + Number(power);
  if (Math.abs(shift) > 30 || digits.length > 40) return null;
  const scaled = shift >= 0 ? digits + '0'.repeat(shift) : dropZeros(digits, -shift);
  if (scaled === null) return null;
  const minor = Number(scaled);
  return Number.isSafeInteger(minor) ? (sign && minor !== 0 ? -minor : minor) : null;
}

/** Drops `count` trailing digits if all of them are zeros: 1990|0 → 199; else `null`. */
function dropZeros(digits: string, count: number): string | null {
  const padded = digits.padStart(count + 1, '0');
  const tail = padded.slice(-count);
  return /^0*$/.test(tail) ? padded.slice(0, -count) : null;
}

/** Minor units as the JSON number of the wire: (1990, "EUR") → 19.9. */
export function toNumber(minor: number, currency: string): number {
  return Number((minor / 10 ** exponent(currency)).toFixed(exponent(currency)));
}

/** Half up, for the sign as well: 2.5 → 3, −2.5 → −3. `numerator` and `denominator` are integers. */
export function divideHalfUp(numerator: number, denominator: number): number {
  const a = BigInt(numerator);
  const b = BigInt(denominator);
  const negative = a < 0n !== b < 0n;
  const [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const rounded = Number((2n * x + y) / (2n * y));
  return negative && rounded !== 0 ? -rounded : rounded;
}
