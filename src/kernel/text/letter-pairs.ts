/** Runs of Chinese and Japanese letters. Between their words are no spaces. */
const RUNS = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu;
const IS_RUN = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+$/u;

/** Begins each pair. No word has private-use characters, so that no word or beginning of one is a pair. */
const MARK = '\u{e080}';

/**
 * Returns the pairs of neighbouring letters in the Chinese and Japanese parts of words, by which a word is found within
 * text that has no spaces. The last letter of each part stands alone: each letter begins a pair.
 */
export const letterPairs = (words: readonly string[]): string[] =>
  words
    .flatMap((word) => word.match(RUNS) ?? [])
    .flatMap((run) => {
      const letters = [...run];
      return letters.map((letter, n) => `${MARK}${letter}${letters[n + 1] ?? ''}`);
    });

/** The pairs that text must have for a word. */
export interface WordPairs {
  readonly pairs: readonly string[];
  /** Whether text may have a pair that begins like this one: for a word of a single letter. */
  readonly prefix: boolean;
}

/** The most pairs of a word that are looked for. */
const MAX_PAIRS = 32;

/** Returns the pairs that text with a Chinese or Japanese word has; null for any other word. */
export function pairsWithin(word: string): WordPairs | null {
  if (!IS_RUN.test(word)) return null;
  const pairs = [...new Set(letterPairs([word]))];
  // The last one is the end of the word, which needn't be an end in the text.
  return pairs.length === 1
    ? { pairs, prefix: true }
    : { pairs: pairs.slice(0, -1).slice(0, MAX_PAIRS), prefix: false };
}
