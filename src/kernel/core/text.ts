import { z } from '@hono/zod-openapi';

/** What a field is told whose text can't be kept. */
export const NOT_TEXT = 'must be well-formed Unicode without NUL';

/** Whether a string is text that can be kept: well-formed Unicode (no lone surrogate) without NUL. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Returns how many characters (code points) a text has. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Returns the first characters of a text, at most `most` code points: never half of a character. */
export const firstOf = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('');

/** What a text has to look like: the expression (without flags but `u`), and the message that says so. */
export type Pattern = readonly [RegExp, string];

const atMost = (most: number) => `must have at most ${most} ${most === 1 ? 'character' : 'characters'}`;
const atLeast = (least: number) => `must have at least ${least} ${least === 1 ? 'character' : 'characters'}`;

/** What every text is brought to: NFC, so that what looks the same is the same. Measured in code points. */
const measured = (most: number) =>
  z
    .string()
    .refine(isText, { message: NOT_TEXT, abort: true })
    .overwrite((text) => text.normalize('NFC'))
    .refine((text) => text.length <= most || lengthOf(text) <= most, atMost(most));

const matching = (field: z.ZodString, pattern: Pattern | undefined): z.ZodString =>
  pattern ? field.refine((text) => pattern[0].test(text), pattern[1]) : field;

/**
 * Returns the field of a text of 1 to `most` characters, kept in NFC and without the blanks around it. Characters
 * are code points, counted with those blanks.
 */
export function text(most: number, pattern?: Pattern): z.ZodString {
  const trimmed = measured(most)
    .trim()
    .refine((text) => text.length > 0, atLeast(1));
  return matching(trimmed, pattern).openapi({
    minLength: 1,
    maxLength: most,
    // JSON Schema has no words for "not only blanks" and "no NUL".
    pattern: pattern?.[0].source ?? '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
  });
}

/** Returns the field of a text that is kept as it is typed, in NFC: `least` (0) to `most` characters. */
export function rawText(most: number, { least = 0, pattern }: { least?: number; pattern?: Pattern } = {}) {
  const long = measured(most).refine((text) => lengthOf(text) >= least, atLeast(least));
  return matching(long, pattern).openapi({
    ...(least > 0 ? { minLength: least } : {}),
    maxLength: most,
    pattern: pattern?.[0].source ?? '^[^\\u0000]*$',
  });
}
