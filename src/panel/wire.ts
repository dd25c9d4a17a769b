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
