import { z } from '@hono/zod-openapi';

const NOT_TEXT = 'must be well-formed Unicode without NUL';
const MANY_MARKS = 'must have at most 30 combining marks in a row';

/** Returns whether a string is well-formed Unicode (no lone surrogate) without NUL. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/**
 * Returns whether a string has more than 30 combining marks in a row, the bound of the Stream-Safe Text Format (UAX
 * #15, 13). Normalizing puts marks in order, which takes the square of their number. Two letters decompose to marks.
 */
export const hasManyMarks = (text: string): boolean =>
  text.length > 30 && /(?:^|[^\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u.test(text);

/** Returns whether a string has no line break and no other control character. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

/**
 * Returns whether nothing of a string shows: it has white space, default-ignorable characters (UAX #44) such as
 * zero-width spaces and soft hyphens, and the blank of Braille alone.
 */
export const looksEmpty = (text: string): boolean => /^[\s\p{DI}\u2800]*$/u.test(text);

/**
 * Returns whether a string closes each embedding, override and isolate of text direction (UAX #9) that it opens, in order,
 * and no other: one that stays open, or closes another's, turns what stands around the string.
 */
export function closesDirections(text: string): boolean {
  const open: string[] = [];
  for (const [sign] of text.matchAll(/[\u202a-\u202e\u2066-\u2069]/g)) {
    const isEnd = sign === '\u202c' || sign === '\u2069';
    if (!isEnd) open.push(sign < '\u2066' ? '\u202c' : '\u2069');
    else if (open.pop() !== sign) return false;
  }
  return open.length === 0;
}

/** Returns the validation message of a string that shows nothing, or doesn't close its controls of direction; else null. */
export function shownFault(text: string): string | null {
  if (looksEmpty(text)) return NOT_VISIBLE;
  return closesDirections(text) ? null : NOT_CLOSED;
}

/** Returns a string with a space in place of line breaks and other control characters, trimmed. */
export const onOneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Returns the validation message of a string that can't be stored, or `null`. To be called before it is normalized. */
export const textFault = (text: string): string | null => {
  if (!isText(text)) return NOT_TEXT;
  return hasManyMarks(text) ? MANY_MARKS : null;
};

/** Returns the number of code points of a string. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Returns the first `most` code points of a string. Never cuts a surrogate pair. */
export const firstOf = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('');

let graphemes: Intl.Segmenter | null = null;

/**
 * Returns the longest beginning of a string that has at most `most` UTF-16 units and ends with a whole grapheme
 * (UAX #29), such as a letter with its marks or a family of emoji. Cuts one that is longer where it is joined.
 */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  // Its data is loaded with the first one.
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  // What follows the character at `most` decides nothing, and a segmenter copies its text.
  const end = graphemes.segment(text.slice(0, most + 2)).containing(most)?.index ?? most;
  return end > 0 ? text.slice(0, end) : text.slice(0, most).replace(/\u200d?[\ud800-\udbff]?$/, '');
}

/** Returns a string with its first letter as a capital. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A regular expression (no flags but `u`) with its validation message. */
type Pattern = readonly [RegExp, string];

const atMost = (most: number) => `must have at most ${most} ${most === 1 ? 'character' : 'characters'}`;
const atLeast = (least: number) => `must have at least ${least} ${least === 1 ? 'character' : 'characters'}`;

/** A step of a text's validation. Steps are plain functions, because each `refine` would make two more schemas. */
type Step = z.core.CheckFn<string>;

const rule =
  (holds: (text: string) => boolean, message: string, abort = false): Step =>
  (payload) => {
    const { value: input, issues } = payload;
    if (!holds(input)) issues.push({ code: 'custom', input, message, continue: !abort });
  };

const change =
  (of: (text: string) => string): Step =>
  (payload) => {
    payload.value = of(payload.value);
  };

const wellFormed = rule(isText, NOT_TEXT, true);
const fewMarks = rule((text) => !hasManyMarks(text), MANY_MARKS, true);
const toNfc = change((text) => text.normalize('NFC'));
const trim = change((text) => text.trim());
const oneLine = rule(isOneLine, 'must not contain control characters');
const notEmpty = rule((text) => text.length > 0, atLeast(1));
const NOT_VISIBLE = 'must have at least 1 visible character';
const NOT_CLOSED = 'must close its controls of text direction (U+202A to U+202E, U+2066 to U+2069)';
const visible = rule((text) => text === '' || !looksEmpty(text), NOT_VISIBLE);
const closed = rule(closesDirections, NOT_CLOSED);
/** The steps of texts that people read. They keep joiners and marks of direction, which languages and emoji need. */
const shown: readonly Step[] = [trim, notEmpty, visible, closed];

/** The steps of all texts: at most `most` code points, in NFC, so that texts that look equal compare equal. */
const normalized = (most: number): readonly Step[] => [
  wellFormed,
  fewMarks,
  toNfc,
  rule((text) => text.length <= most || lengthOf(text) <= most, atMost(most)),
];

const matching = (pattern: Pattern | undefined): readonly Step[] =>
  pattern ? [rule((text) => pattern[0].test(text), pattern[1])] : [];

/** What shows nothing ({@link looksEmpty}), in a pattern of JSON Schema. */
const INVISIBLE =
  '\\s\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufff8';

/**
 * Returns the schema of a string of 1 to `most` code points that shows something, normalized to NFC and trimmed.
 * The maximum applies before trimming.
 */
export const text = (most: number, pattern?: Pattern): z.ZodString =>
  z
    .string()
    .check(...normalized(most), ...shown, ...matching(pattern))
    .openapi({
      minLength: 1,
      maxLength: most,
      // JSON Schema can express "something visible" and "no NUL" only as a pattern.
      pattern: pattern?.[0].source ?? `^[^\\u0000]*[^${INVISIBLE}\\u0000][^\\u0000]*$`,
    });

/** What a text of one line must not have, in a pattern of JSON Schema. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029';

/** Returns the schema of a text on one line; its pattern wants a character besides `blank` ones. */
const lineOf = (most: number, steps: readonly Step[], blank: string): z.ZodString =>
  z
    .string()
    .check(...normalized(most), ...steps, oneLine)
    .openapi({
      minLength: 1,
      maxLength: most,
      pattern: `^[^${CONTROLS}]*[^${blank}${CONTROLS}][^${CONTROLS}]*$`,
    });

/**
 * Returns the schema of a {@link text} on one line, such as a name or a code: tenants put these into mail headers, labels
 * and lists. Line breaks around it are trimmed.
 */
export const line = (most: number): z.ZodString => lineOf(most, shown, INVISIBLE);

/**
 * Returns the schema of a {@link line} that something may have already, as {@link storedLine}: who writes it refuses
 * others by {@link shownFault}.
 */
export const keptLine = (most: number): z.ZodString => lineOf(most, [trim, notEmpty], INVISIBLE);

/** Returns the schema of an untrimmed string of `least` (0) to `most` code points, normalized to NFC. */
export const rawText = (
  most: number,
  { least = 0, pattern }: { least?: number; pattern?: Pattern } = {},
): z.ZodString =>
  z
    .string()
    .check(
      ...normalized(most),
      rule((text) => lengthOf(text) >= least, atLeast(least)),
      ...matching(pattern),
    )
    .openapi({
      ...(least > 0 ? { minLength: least } : {}),
      maxLength: most,
      pattern: pattern?.[0].source ?? '^[^\\u0000]*$',
    });

/**
 * Returns the schema of a {@link text} in a response, or by which something stored is looked for: earlier releases stored
 * texts that show nothing, or don't close their controls of text direction.
 */
export const storedText = (most: number): z.ZodString =>
  z
    .string()
    .check(...normalized(most), trim, notEmpty)
    .openapi({ minLength: 1, maxLength: most, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' });

/** Returns the schema of a {@link line} by which something stored is looked for, as {@link storedText} is of a text. */
export const storedLine = (most: number): z.ZodString => lineOf(most, [trim, notEmpty], '\\s');

/** Formats an integer in English: 12500 → "12,500". Unlike `Intl`, it costs nothing where a module starts. */
export const groupDigits = (integer: number): string => String(integer).replace(/\B(?=(\d{3})+$)/g, ',');
