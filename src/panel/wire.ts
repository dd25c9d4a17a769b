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

const AMOUNT = /^(?:([A-Za-z]{3})\s+)?(\d{1,13}(?:[.,]\d{1,6})?)$/;
const toNumber = (text = ''): number => Number(text.replace(',', '.'));

/** Amounts: a number, or one currency in a line ("EUR 4.90"). */
export const amounts = z.string().transform((text, context): number | Record<string, number> => {
  const found = text
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => AMOUNT.exec(line));
  const [first] = found;
  if (found.length === 1 && first && first[1] === undefined) return toNumber(first[2]);
  if (found.some((match) => match?.[1] === undefined)) {
    context.addIssue({ code: 'custom', message: 'must be a number, or lines such as EUR 4.90' });
    return z.NEVER;
  }
  return Object.fromEntries(found.map((match) => [match?.[1]?.toUpperCase(), toNumber(match?.[2])]));
});

/** {@link amounts} as they are typed. */
export const writeAmounts = (amount: number | Record<string, number> | null): string =>
  amount === null
    ? ''
    : typeof amount === 'number'
      ? String(amount)
      : Object.entries(amount)
          .map(([currency, value]) => `${currency} ${value}`)
          .join('\n');

/** Percentages by country, one in a line: "DE 19". */
export const shares = lines.transform((entries, context): Record<string, number> => {
  const found = entries.map((line) => /^([A-Za-z]{2})\s+(\d{1,3}(?:[.,]\d{1,6})?)\s*%?$/.exec(line));
  if (found.some((match) => match === null)) {
    context.addIssue({ code: 'custom', message: 'must be lines such as DE 19' });
    return z.NEVER;
  }
  return Object.fromEntries(found.map((match) => [match?.[1]?.toUpperCase(), toNumber(match?.[2])]));
});

/** A date and time that a browser's field gives, taken as UTC. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'must be a date and time')
  .transform((text) => `${text.length === 16 ? `${text}:00` : text}Z`);
export const optionalInstant = optional(instant);

/** An instant as such a field takes it. */
export const writeInstant = (instant: string | null): string => instant?.slice(0, 16) ?? '';

/** Whole numbers, parted by commas or spaces. */
export const numbers = z.string().transform((text, context): number[] => {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  if (parts.some((part) => !/^\d{1,15}$/.test(part))) {
    context.addIssue({ code: 'custom', message: 'must be whole numbers, parted by commas' });
    return z.NEVER;
  }
  return parts.map(Number);
});
