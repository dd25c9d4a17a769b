import { spacedWithin, withinMatcher } from './letter-grams.ts';

/** Letters that Unicode decomposition leaves alone, and their usual ASCII (or base) spelling. */
const FOLDS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
};

/**
 * Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic, which people often omit when they type.
 * In other scripts a mark is a vowel or changes the letter (Devanagari, Thai, が), so it is kept.
 */
const ACCENTS = /[[\p{M}&&[\p{sc=Zinh}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]]--[\u3099\u309a]]+/gv;

/** Default-ignorable characters, such as soft hyphens and joiners. NFKC_Casefold removes them too. */
const INVISIBLE = /\p{DI}+/gu;

/**
 * What exceeds 30 combining marks in a row. Text that is stored has no more, but without invisible characters between
 * them, and with character references resolved, more may follow one another: to put them in order takes the square of
 * their number.
 */
const FURTHER_MARKS = /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

const strip = (text: string): string => text.normalize('NFKD').replace(ACCENTS, '');

/**
 * Lower-cases a text and removes its accents: "Çay" → "cay", "Straße" → "strasse", "İYİ" → "iyi".
 * Idempotent, and linear in the text.
 */
export function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  const visible = text.replace(INVISIBLE, '').replace(FURTHER_MARKS, '');
  return strip(strip(visible).toLowerCase())
    .replace(/[ßæœøđðþłıħŋŧς]/g, (letter) => FOLDS[letter] ?? letter)
    .normalize('NFC');
}

/** Returns runs of letters, marks and digits. */
const runsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];

/** Returns the first 64 code points of a word: a longer one is found by these. */
export const cutWord = (word: string): string => (word.length > 64 ? [...word].slice(0, 64).join('') : word);

/** Returns the folded words of a text in order, however long: in scripts without spaces a whole sentence is one. */
export const wholeWords = (text: string): string[] => runsOf(fold(text));

/** Returns the folded words of a text in order: runs of letters, marks and digits, cut to 64 code points. */
export const words = (text: string): string[] => wholeWords(text).map(cutWord);

/**
 * Returns the test whether each word of `q` begins a word of a text, without case and accents, or in scripts without spaces
 * is within one. Without words in `q`, no text passes.
 */
export function wordMatcher(q: string): (text: string) => boolean {
  const wanted = words(q).map((word) => ({ word, within: withinMatcher(word) }));
  return (text) => {
    const whole = wholeWords(text);
    const has = [...whole, ...spacedWithin(whole)];
    return (
      wanted.length > 0 &&
      wanted.every(({ word, within }) => has.some((one) => one.startsWith(word) || within?.(one)))
    );
  };
}

/** Letters whose accents a slug leaves out: in other scripts й is no и, and أ no ا, that someone adorned. */
const ACCENTED = /[\p{sc=Latn}\p{sc=Grek}]\p{M}*/gu;

/** Thai and Lao AM, in two parts: its decomposition (NFKD) is undone by no composition. */
const AM = /\u0e4d\u0e32|\u0ecd\u0eb2/g;

/**
 * Spells a text for a URL: in lower case, Latin and Greek without accents, other scripts with the letters that they are
 * written with, but without vowel points and stress.
 */
function spelled(text: string): string {
  const visible = text.replace(INVISIBLE, '').replace(FURTHER_MARKS, '');
  return visible
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(ACCENTED, fold)
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(AM, (parts) => (parts.startsWith('\u0e4d') ? '\u0e33' : '\u0eb3'));
}

/** Joins words by hyphens to at most 255 UTF-16 units. */
const hyphenated = (all: readonly string[]): string =>
  all
    .join('-')
    .slice(0, 255)
    .replace(/[\ud800-\udbff]$/, '') // the first half of a surrogate pair that was cut
    .replace(/-+$/, '');

/** Returns a URL slug: lower-case words joined by hyphens, at most 255 UTF-16 units. It may be empty. */
export const slugify = (text: string): string => hyphenated(runsOf(spelled(text)));

/** Returns the slug that an earlier release made: it has the first 64 code points of each word. */
export const cutSlug = (text: string): string => hyphenated(runsOf(spelled(text)).map(cutWord));

/**
 * Returns a slug of {@link words}, which earlier releases made: it has и for й. Imports know products and SKUs by it.
 */
export const foldedSlug = (text: string): string => hyphenated(words(text));
