import { z } from 'zod';

/**
 * Schemas that convert form fields to API bodies. They parse formats only: the API validates the values, with
 * the same messages as for any client.
 */

/** Checkboxes that share a name: none, one, or a list. */
export const list = z.preprocess(
  (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
  z.array(z.string()),
);

/** One entry per line; empty lines are ignored. */
export const lines = z.string().transform((text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

/** Words, separated by commas or whitespace. */
export const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

/** A whole number. */
export const wholeNumber = z
  .string()
  .trim()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/** A number with a decimal point or comma. */
export const decimal = z
  .string()
  .trim()
  .regex(/^-?\d{1,13}([.,]\d{1,6})?$/, 'must be a number')
  .transform((text) => Number(text.replace(',', '.')));

/** Makes an empty field null. */
export const optional = <Inner extends z.ZodType>(inner: Inner) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    inner.nullable(),
  );

/** A string; empty is null. */
export const optionalText = optional(z.string().trim());

/** A single checkbox, as a boolean. */
export const checked = z.preprocess((value) => value !== undefined, z.boolean());

const toNumber = (text: string): number => Number(text.replace(',', '.'));

/** Parses a non-negative number with a decimal point or comma; returns `null` for anything else. */
const readNumber = (text: string): number | null =>
  /^\d{1,13}(?:[.,]\d{1,6})?$/.test(text) ? toNumber(text) : null;

/**
 * Splits a text into words at whitespace, commas and semicolons; a comma before a digit belongs to the number.
 * Linear in the text's length: one pattern for the whole text could backtrack quadratically.
 */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/,(?!\d)|;/g, ' ')
    .split(/\s/)
    .filter((word) => word !== '');

/** Parses pairs of a name with `letters` letters and a number (`EUR 4.90, USD 6`); `null` for anything else. */
function readPairs(words: readonly string[], letters: number): [name: string, value: number][] | null {
  const pairs: [string, number][] = [];
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = words.slice(at, at + 2);
    const number = readNumber(value);
    if (number === null || name.length !== letters || !/^[A-Za-z]+$/.test(name)) return null;
    pairs.push([name.toUpperCase(), number]);
  }
  return pairs.length > 0 ? pairs : null;
}

/** An amount of the API: one for all currencies, or one by currency. */
type Amount = number | Record<string, number>;

/** Parses `4.90`, or `EUR 4.90, USD 6` separated by commas or lines; returns `null` for anything else. */
function readAmounts(text: string): Amount | null {
  const number = readNumber(text);
  if (number !== null) return number;
  const pairs = /^[A-Za-z]/.test(text) ? readPairs(wordsOf(text), 3) : null;
  return pairs && Object.fromEntries(pairs);
}

/** Amounts: a number, or one for each currency ("EUR 4.90", "USD 6"). */
export const amounts = z.string().transform((text, context): Amount => {
  const amount = readAmounts(text.trim());
  if (amount !== null) return amount;
  context.addIssue({ code: 'custom', message: 'must be a number, or lines such as EUR 4.90' });
  return z.NEVER;
});

/** Formats {@link amounts} for a form field, one per line. */
export const writeAmounts = (amount: Amount | null, between = '\n'): string =>
  amount === null
    ? ''
    : typeof amount === 'number'
      ? String(amount)
      : Object.entries(amount)
          .map(([currency, value]) => `${currency} ${value}`)
          .join(between);

/** Parses one entry per line, keyed by country. Errors carry the line's index in their path. */
const byCountry = <Value>(read: (text: string) => Value | null, example: string) =>
  lines.transform((entries, context): Record<string, Value> => {
    const found = new Map<string, Value>();
    for (const [at, line] of entries.entries()) {
      const code = /^[A-Za-z]{2}(?=[\s:])/.exec(line)?.[0].toUpperCase();
      const value = code === undefined ? null : read(line.slice(2).replace(/^[\s:]+/, ''));
      const problem =
        code === undefined || value === null
          ? `must be like ${example}`
          : found.has(code)
            ? `must not repeat ${code}`
            : null;
      if (problem) context.addIssue({ code: 'custom', path: [at], message: problem });
      else if (code !== undefined && value !== null) found.set(code, value);
    }
    return Object.fromEntries(found);
  });

/** Parses a percentage, with or without a percent sign; returns `null` for anything else. */
const readShare = (text: string): number | null =>
  readNumber(text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);

/** Percentages by country: "DE 19". */
export const shares = byCountry(readShare, 'DE 19');

/** The rates of a tax class: the default, and the countries that differ. */
interface ClassRates {
  readonly rate_percent: number;
  readonly rates_by_country?: Readonly<Record<string, number>> | undefined;
}

/** Parses a class with its rates: "books: 7 %, CH 2.6"; returns `null` for anything else. */
function readClass(line: string): readonly [name: string, ClassRates] | null {
  const colon = line.indexOf(':');
  const [rate = '', ...countries] = wordsOf(line.slice(colon + 1).replaceAll('%', ' '));
  const rate_percent = readNumber(rate);
  if (colon < 1 || colon > 50 || rate_percent === null) return null;
  const name = line.slice(0, colon).trim();
  if (countries.length === 0) return [name, { rate_percent }];
  const pairs = readPairs(countries, 2);
  return pairs && [name, { rate_percent, rates_by_country: Object.fromEntries(pairs) }];
}

/** Percentages by tax class, one class per line: "books: 7, CH 2.6". */
export const sharesByClass = lines.transform((entries, context): Record<string, ClassRates> => {
  const classes = new Map<string, ClassRates>();
  for (const [at, line] of entries.entries()) {
    const read = readClass(line);
    if (read) classes.set(...read);
    else context.addIssue({ code: 'custom', path: [at], message: 'must be like books: 7, CH 2.6' });
  }
  return Object.fromEntries(classes);
});

/** Formats {@link shares} for a form field. */
export const writeShares = (countries: Readonly<Record<string, number>> = {}, between = '\n'): string =>
  Object.entries(countries)
    .map(([country, rate]) => `${country} ${rate}`)
    .join(between);

/** Formats {@link sharesByClass} for a form field. */
export const writeClasses = (classes: Readonly<Record<string, ClassRates>> = {}): string =>
  Object.entries(classes)
    .map(([name, { rate_percent, rates_by_country = {} }]) =>
      [`${name}: ${rate_percent}`, writeShares(rates_by_country, ', ')].filter(Boolean).join(', '),
    )
    .join('\n');

/** Shipping to a country. `free_over` is null for never free, and absent to use the general threshold. */
interface CountryShipping {
  readonly flat: Amount;
  readonly free_over?: Amount | null | undefined;
}

/** Shipping by country: "CH 9.90", "US EUR 12, USD 13 free from 100", "NO 15 never free". */
export const shippingByCountry = byCountry((text): CountryShipping | null => {
  const words = wordsOf(text);
  const lower = words.map((word) => word.toLowerCase());
  const free = lower.findIndex((word, at) => `${word} ${lower[at + 1]}` === 'free from');
  const never = lower.at(-2) === 'never' && lower.at(-1) === 'free';
  const end = free >= 0 ? free : never ? words.length - 2 : words.length;
  const flat = readAmounts(words.slice(0, end).join(' '));
  if (flat === null) return null;
  if (free < 0) return never ? { flat, free_over: null } : { flat };
  const freeOver = readAmounts(words.slice(free + 2).join(' '));
  return freeOver === null ? null : { flat, free_over: freeOver };
}, 'CH 9.90, or CH EUR 9.90, USD 12 free from 100');

/** Formats {@link shippingByCountry} for a form field. */
export const writeShipping = (countries: Readonly<Record<string, CountryShipping>> = {}): string =>
  Object.entries(countries)
    .map(([country, { flat, free_over }]) => {
      const free =
        free_over === undefined
          ? ''
          : free_over === null
            ? ' never free'
            : ` free from ${writeAmounts(free_over, ', ')}`;
      return `${country} ${writeAmounts(flat, ', ')}${free}`;
    })
    .join('\n');

/** The value of a `datetime-local` field, interpreted as UTC. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/, 'must be a date and time')
  .transform((text) => `${text.length === 16 ? `${text}:00` : text}Z`);
export const optionalInstant = optional(instant);

/** Formats an instant for a `datetime-local` field, to the millisecond, so that saving it again changes nothing. */
export const writeInstant = (instant: string | null): string =>
  instant?.replace(/(:00)?\.000Z$|Z$/, '') ?? '';

/** Whole numbers, separated by commas or whitespace. */
export const numbers = z.string().transform((text, context): number[] => {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.some((part) => !/^\d{1,15}$/.test(part))) {
    context.addIssue({ code: 'custom', message: 'must be whole numbers, separated by commas' });
    return z.NEVER;
  }
  return parts.map(Number);
});
