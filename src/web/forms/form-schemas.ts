import { z } from 'zod';
import { isInCalendar } from '../../kernel/values/time-zone.ts';

/**
 * Schemas that convert form fields to API bodies. They parse formats only: the API validates the values, with
 * the same messages as for any client.
 */

/** Checkboxes that share a name: none, one, or a list. */
export const list = z.preprocess((value) => (value === undefined ? [] : [value].flat()), z.array(z.string()));

/** One entry per line; empty lines are ignored. */
export const lines = z.string().transform((text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

/** Words, separated by commas or whitespace. */
export const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

/**
 * Returns a text with its full-width digits and marks, which East Asian keyboards type, as ASCII. Not NFKC: that makes
 * 102 of "10²".
 */
export const halfWidth = (text: string): string =>
  text.replace(/[！-～]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));

/** A whole number. */
export const wholeNumber = z
  .string()
  .trim()
  .overwrite(halfWidth)
  .regex(/^-?\d{1,15}$/, 'must be a whole number')
  .transform(Number);

/** A number with a decimal point or comma. */
export const decimal = z
  .string()
  .trim()
  .overwrite(halfWidth)
  .regex(/^-?\d{1,13}([.,]\d{1,6})?$/, 'must be a number')
  .transform((text) => Number(text.replace(',', '.')));

/** The error of an amount that may be one of thousands: "1,000" would be read as 1. */
export const THOUSANDS = 'must be without a separator of thousands, such as 1000 or 1000.00';

/** An amount of money, as {@link decimal}, but no "1,000". */
export const price = z
  .string()
  .refine((text) => !/,\d{3}$/.test(halfWidth(text.trim())), { abort: true, error: THOUSANDS })
  .pipe(decimal);

/** Makes an empty field null. */
export const optional = <Inner extends z.ZodType>(inner: Inner) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
    inner.nullable(),
  );

/** A string; empty is null. */
export const optionalText = optional(z.string().trim());

/** Returns a text as a form sends it back: with line feeds alone, and without spaces around it. */
export const normalText = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** A text of several lines; empty is null. */
export const optionalLines = z.string().transform((text) => normalText(text) || null);

/** A single checkbox, as a boolean. */
export const checked = z.preprocess((value) => value !== undefined, z.boolean());

/** The value of a `datetime-local` field, interpreted as UTC. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/, {
    abort: true,
    error: 'must be a date and time',
  })
  .refine(isInCalendar, 'must be a date and time of the calendar')
  .transform((text) => `${text.length === 16 ? `${text}:00` : text}Z`);
/** The same; empty is null. */
export const optionalInstant = optional(instant);

/** Returns an instant of a form as the API shows it. */
export const shownInstant = (instant: string | null | undefined): string | null =>
  instant ? new Date(instant).toISOString() : null;

/** Formats an instant for a `datetime-local` field, to the millisecond, so that saving it again changes nothing. */
export const writeInstant = (instant: string | null): string =>
  instant?.replace(/(:00)?\.000Z$|Z$/, '') ?? '';
