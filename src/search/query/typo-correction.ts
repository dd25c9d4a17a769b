import { type Corrections, MIN_CORRECTABLE_LENGTH } from './ranking.ts';

/** Upper bound of corrections for one word in a search. */
const MAX_CORRECTIONS = 32;
/**
 * Upper bounds of the letters that are tried after each beginning of a word, and in a search: twenty words and a large
 * dictionary need fewer. Every beginning gets its first one, then its second.
 */
const MAX_LETTERS_AFTER = 64;
const MAX_LETTERS = 2_000;
/** SQL for U+10FFFF, which sorts after every letter in SQLite's binary collation. */
const AFTER_ALL_LETTERS = 'char(1114111)';

/** SQL for the letter after `head` in the tenant's first word beyond `from` that begins with `head`. */
const letterAfter = (from: string): string => `(
      SELECT substr(word, length(head) + 1, 1) FROM search_spellings
      WHERE tenant_id = ?2 AND word > ${from} AND word < head || ${AFTER_ALL_LETTERS} ORDER BY word LIMIT 1)`;

/**
 * Returns SQL that selects (word, guess, entire): dictionary words and prefixes at most one typo from a
 * query word. `entire` is 1 for a dictionary word and 0 for a prefix of one; a three-letter guess must be
 * entire. A typo is one insertion, deletion, substitution or transposition (Damerau, 1964). ?1 is the words
 * as a JSON array, ?2 the tenant; without `when` nothing is computed. Traverses the dictionary like a trie,
 * one seek for each letter that occurs next, so the cost grows with the word's length, hardly with the dictionary, and
 * up to {@link MAX_LETTERS}.
 */
export const correctionsWhen = (when: string): string => `
  WITH RECURSIVE
  typed(typo) AS (SELECT value FROM json_each(?1) WHERE ${when}),
  cut(typo, head, tail) AS (
    SELECT typo, '', typo FROM typed
    UNION ALL
    SELECT typo, head || substr(tail, 1, 1), substr(tail, 2) FROM cut WHERE length(tail) > 1
  ),
  letter(typo, head, tail, next, tries) AS (
    SELECT typo, head, tail, ${letterAfter('head')}, 1 FROM cut
    UNION ALL
    SELECT typo, head, tail, ${letterAfter(`head || next || ${AFTER_ALL_LETTERS}`)}, tries + 1
    FROM letter WHERE next IS NOT NULL AND tries < ${MAX_LETTERS_AFTER} LIMIT ${MAX_LETTERS}
  ),
  guesses(typo, guess) AS (
    SELECT typo, head || substr(tail, 2) FROM cut
    UNION SELECT typo, head || substr(tail, 2, 1) || substr(tail, 1, 1) || substr(tail, 3) FROM cut
    UNION SELECT typo, head || next || substr(tail, 2) FROM letter WHERE next IS NOT NULL
    UNION SELECT typo, head || next || tail FROM letter WHERE next IS NOT NULL
  )
  SELECT typo AS word, guess, entire FROM (
    SELECT typo, guess,
      EXISTS (SELECT 1 FROM search_spellings WHERE tenant_id = ?2 AND word = guess) AS entire
    FROM guesses
  )
  WHERE entire OR (length(guess) >= ${MIN_CORRECTABLE_LENGTH} AND EXISTS (
    SELECT 1 FROM search_spellings WHERE tenant_id = ?2 AND word > guess AND word < guess || ${AFTER_ALL_LETTERS}))`;

/** A row of {@link correctionsWhen}. */
export interface CorrectionRow {
  readonly word: string;
  readonly guess: string;
  readonly entire: 0 | 1;
}

/**
 * Groups the rows of {@link correctionsWhen} by word: the word itself first if present, then entire words,
 * then prefixes, longer first. Drops a guess that begins with another one, whose prefix match already
 * finds it.
 */
export function groupCorrections(rows: readonly CorrectionRow[]): Corrections {
  const byWord = Map.groupBy(rows, ({ word }) => word);
  const guesses = [...byWord].map(([word, all]) => [word, best(word, all)] as const);
  return new Map(guesses.filter(([word, candidates]) => candidates.some((guess) => guess !== word)));
}

/** Returns the guesses for a word, best first. */
function best(word: string, all: readonly CorrectionRow[]): string[] {
  const others = all.filter(({ guess }) => guess !== word);
  const prefixes = others.filter(({ guess }) => [...guess].length >= MIN_CORRECTABLE_LENGTH);
  const minimal = others
    .filter(({ guess }) => !prefixes.some((other) => other.guess !== guess && guess.startsWith(other.guess)))
    .sort((a, b) => b.entire - a.entire || b.guess.length - a.guess.length)
    .slice(0, MAX_CORRECTIONS)
    .map(({ guess }) => guess);
  return others.length < all.length ? [word, ...minimal] : minimal;
}
