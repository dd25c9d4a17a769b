/**
 * Scripts that put no spaces between words, or not always (Korean), how many neighbouring letters are looked for together,
 * and the least letters that are looked for within text. Thai, Lao, Khmer and Burmese have far fewer letters. A Korean
 * syllable alone is seldom a word.
 */
const UNSPACED = [
  { run: /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu, length: 2, least: 1 },
  { run: /\p{sc=Hang}+/gu, length: 2, least: 2 },
  { run: /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/gu, length: 3, least: 1 },
] as const;

/** Begins each gram. No word has private-use characters, so that no word or beginning of one is a gram. */
const MARK = '\u{e080}';

/**
 * Returns the neighbouring letters from each letter of a run on: fewer at its end, so that each letter begins a gram.
 */
function gramsOf(run: string, length: number): string[] {
  const letters = [...run];
  return letters.map((_, n) => MARK + letters.slice(n, n + length).join(''));
}

/** Returns the grams in the parts of words whose scripts have no spaces, by which a word is found within such text. */
export const letterGrams = (words: readonly string[]): string[] =>
  words.flatMap((word) =>
    UNSPACED.flatMap(({ run, length }) => (word.match(run) ?? []).flatMap((part) => gramsOf(part, length))),
  );

/** The grams that text must have for a word. */
interface WordGrams {
  readonly grams: readonly string[];
  /** Whether text may have a gram that begins like this one: for a word that is shorter than a gram. */
  readonly prefix: boolean;
}

/** The most grams of a word that are looked for. */
const MAX_GRAMS = 32;

/** Returns the grams that text with a word has, if the word is of a script without spaces; else null. */
export function gramsWithin(word: string): WordGrams | null {
  const script = UNSPACED.find(({ run }) => word.match(run)?.[0] === word);
  const letters = [...word].length;
  if (!script || letters < script.least) return null;
  const grams = [...new Set(gramsOf(word, script.length))];
  if (letters < script.length) return { grams: grams.slice(0, 1), prefix: true };
  // The shorter ones at the end of the word needn't be at an end in the text.
  const whole = grams.filter((gram) => [...gram].length === script.length + 1);
  return { grams: whole.slice(0, MAX_GRAMS), prefix: false };
}
