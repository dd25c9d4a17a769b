/** The currencies whose minor unit is not a hundredth (ISO 4217). Intl follows CLDR, where others differ too. */
const EXPONENTS: Readonly<Record<string, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** Returns the number of decimals of a currency (ISO 4217): JPY 0, EUR 2, KWD 3. */
export function currencyDecimals(currency: string): number {
  const found = Object.entries(EXPONENTS).find(([, codes]) => codes.split(' ').includes(currency));
  return found ? Number(found[0]) : 2;
}

/**
 * Formats an amount of the API, which are decimal numbers: `formatMoney(1234.5, 'EUR', 'de')` → "1.234,50 €".
 * Without a locale, the runtime's is used.
 */
export function formatMoney(amount: number, currency: string, locale?: string): string {
  const decimals = currencyDecimals(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(amount);
}

/** Formats an amount in the currency's minor unit: `formatMinorUnits(123450, 'EUR', 'de')` → "1.234,50 €". */
export const formatMinorUnits = (minor: number, currency: string, locale?: string): string =>
  formatMoney(minor / 10 ** currencyDecimals(currency), currency, locale);

/** Converts an amount of the API to an integer in the currency's minor unit: (19.99, "EUR") → 1999. */
export const toMinorUnits = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** currencyDecimals(currency));
