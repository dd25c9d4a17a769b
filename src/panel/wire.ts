import { z } from 'zod';

/**
 * What browsers send with a form, as the API's bodies want it. Only shapes are made here; the API itself
 * says whether a value is good, in the same words as to everybody.
 */

/** Several checkboxes of one name: none, one, or a list. */
export const list = z.preprocess(
  (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
  z.array(z.string()),
);

/** One entry in each line; empty lines don't count. */
export const lines = z.string().transform((text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

/** Words, parted by commas or spaces. */
export const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

/** A whole number. */
export const wholeNumber = z
  .string()
  .trim()
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/** A number with decimals after a point or a comma. */
export const decimal = z
  .string()
  .trim()
  .regex(/^-?\d{1,13}([.,]\d{1,6})?$/, 'must be a number')
  .transform((text) => Number(text.replace(',', '.')));

/** An empty field is null. */
export const optional = <Inner extends z.ZodType>(inner: Inner) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    inner.nullable(),
  );

/** A text; empty is null. */
export const optionalText = optional(z.string().trim());

/** A checkbox that is there or not. */
export const checked = z.preprocess((value) => value !== undefined, z.boolean());

const toNumber = (text = ''): number => Number(text.replace(',', '.'));
const NUMBER = String.raw`\d{1,13}(?:[.,]\d{1,6})?`;
const PLAIN = new RegExp(`^${NUMBER}$`);
const PRICED = new RegExp(String.raw`([A-Za-z]{3})\s+(${NUMBER})`, 'g');
const ALL_PRICED = new RegExp(String.raw`^(?:[A-Za-z]{3}\s+${NUMBER}[\s,;]*)+$`);

/** An amount as the API has it: one for every currency, or one for each. */
type Amount = number | Record<string, number>;

/** `4.90`, or `EUR 4.90, USD 6`, parted by commas or lines; `null` for anything else. */
function readAmounts(text: string): Amount | null {
  if (PLAIN.test(text)) return toNumber(text);
  if (!ALL_PRICED.test(text)) return null;
  return Object.fromEntries(
    [...text.matchAll(PRICED)].map(([, currency = '', value]) => [currency.toUpperCase(), toNumber(value)]),
  );
}

/** Amounts: a number, or one for each currency ("EUR 4.90", "USD 6"). */
export const amounts = z.string().transform((text, context): Amount => {
  const amount = readAmounts(text.trim());
  if (amount !== null) return amount;
  context.addIssue({ code: 'custom', message: 'must be a number, or lines such as EUR 4.90' });
  return z.NEVER;
});

/** {@link amounts} as they are typed, one in a line. */
export const writeAmounts = (amount: Amount | null, between = '\n'): string =>
  amount === null
    ? ''
    : typeof amount === 'number'
      ? String(amount)
      : Object.entries(amount)
          .map(([currency, value]) => `${currency} ${value}`)
          .join(between);

/** One entry for each country, one in a line; what is wrong is told by the line's number. */
const byCountry = <Value>(read: (text: string) => Value | null, example: string) =>
  lines.transform((entries, context): Record<string, Value> => {
    const found = new Map<string, Value>();
    for (const [at, line] of entries.entries()) {
      const [, country = '', rest = ''] = /^([A-Za-z]{2})[\s:]+(.+)$/.exec(line) ?? [];
      const [code, value] = [country.toUpperCase(), read(rest.trim())];
      const problem =
        value === null ? `must be like ${example}` : found.has(code) ? `names ${code} a second time` : null;
      if (problem) context.addIssue({ code: 'custom', path: [at], message: problem });
      else if (value !== null) found.set(code, value);
    }
    return Object.fromEntries(found);
  });

/** Percentages by country: "DE 19". */
export const shares = byCountry((text) => {
  const [, share] = new RegExp(`^(${NUMBER})\\s*%?$`).exec(text) ?? [];
  return share === undefined ? null : toNumber(share);
}, 'DE 19');

/** Rates of a tax class: in general, and by country where they differ. */
interface ClassRates {
  readonly rate_percent: number;
  readonly rates_by_country?: Readonly<Record<string, number>> | undefined;
}

const RATE = String.raw`(${NUMBER})\s*%?`;
const CLASS = new RegExp(String.raw`^([^:]{1,50}):\s*${RATE}((?:[\s,;]+[A-Za-z]{2}\s+${RATE})*)$`);

/** Percentages by tax class, one class in a line: "books: 7, CH 2.6". */
export const sharesByClass = lines.transform((entries, context): Record<string, ClassRates> => {
  const classes = new Map<string, ClassRates>();
  for (const [at, line] of entries.entries()) {
    const [, name = '', rate, places = ''] = CLASS.exec(line) ?? [];
    if (rate === undefined) {
      context.addIssue({ code: 'custom', path: [at], message: 'must be like books: 7, CH 2.6' });
      continue;
    }
    const found = places.matchAll(new RegExp(String.raw`([A-Za-z]{2})\s+${RATE}`, 'g'));
    const byPlace = [...found].map(([, country = '', share]) => [country.toUpperCase(), toNumber(share)]);
    const more = byPlace.length > 0 ? { rates_by_country: Object.fromEntries(byPlace) } : {};
    classes.set(name.trim(), { rate_percent: toNumber(rate), ...more });
  }
  return Object.fromEntries(classes);
});

/** {@link shares} as they are typed. */
export const writeShares = (countries: Readonly<Record<string, number>> = {}, between = '\n'): string =>
  Object.entries(countries)
    .map(([country, rate]) => `${country} ${rate}`)
    .join(between);

/** {@link sharesByClass} as they are typed. */
export const writeClasses = (classes: Readonly<Record<string, ClassRates>> = {}): string =>
  Object.entries(classes)
    .map(([name, { rate_percent, rates_by_country = {} }]) =>
      [`${name}: ${rate_percent}`, writeShares(rates_by_country, ', ')].filter(Boolean).join(', '),
    )
    .join('\n');

/** What shipping costs in a country, and from where on it is free there: `null` for never, absent for as everywhere. */
interface CountryShipping {
  readonly flat: Amount;
  readonly free_over?: Amount | null | undefined;
}

/** Shipping by country: "CH 9.90", "US EUR 12, USD 13 free from 100", "NO 15 never free". */
export const shippingByCountry = byCountry((text): CountryShipping | null => {
  const [, price = '', never, from] = /^(.+?)(?:[\s,]+(?:(never free)|free from\s+(.+)))?$/i.exec(text) ?? [];
  const [flat, free] = [readAmounts(price), from === undefined ? null : readAmounts(from)];
  if (flat === null || (from !== undefined && free === null)) return null;
  return { flat, ...(never || free !== null ? { free_over: free } : {}) };
}, 'CH 9.90, or CH EUR 9.90, USD 12 free from 100');

/** {@link shippingByCountry} as it is typed. */
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

/** A date and time that a browser's field gives, taken as UTC. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/, 'must be a date and time')
  .transform((text) => `${text.length === 16 ? `${text}:00` : text}Z`);
export const optionalInstant = optional(instant);

/** An instant as such a field takes it, to the millisecond, so that saving it again changes nothing. */
export const writeInstant = (instant: string | null): string =>
  instant?.replace(/(:00)?\.000Z$|Z$/, '') ?? '';

/** Whole numbers, parted by commas or spaces. */
export const numbers = z.string().transform((text, context): number[] => {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.some((part) => !/^\d{1,15}$/.test(part))) {
    context.addIssue({ code: 'custom', message: 'must be whole numbers, parted by commas' });
    return z.NEVER;
  }
  return parts.map(Number);
});
