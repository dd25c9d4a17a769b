import { type Guesses, SHORTEST_CORRECTED } from './query.ts';

/** At most so many guesses for one word go into a search. */
const MOST_GUESSES = 32;
/** U+10FFFF: sorts after every letter, in SQLite's order too. */
const LAST = 'char(1114111)';

/** The letter after `head` in the first of the tenant's words past `from` that begins with `head`. */
const letterAfter = (from: string): string => `(
      SELECT substr(word, length(head) + 1, 1) FROM search_spellings
      WHERE tenant_id = ?2 AND word > ${from} AND word < head || ${LAST} ORDER BY word LIMIT 1)`;

/**
 * SQL for everything one typo away from a word that the tenant's words hold, the word itself included: rows of
 * word, guess, and entire (1 when the guess is a word of the tenant's, 0 when it only begins one). ?1 the words
 * as a JSON array, ?2 the tenant; `when` is a condition that can save the whole work. A typo is one insertion,
 * deletion, substitution or swap of neighbours (Damerau, 1964). Walks the tenant's words like a trie, one seek
 * for each letter that really follows somewhere, so the cost depends on the word's length and hardly on how
 * many words there are. A guess of three letters must be an entire word.
 */
export const guessesWhen = (when: string): string => `
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
    SELECT typo, head, tail, ${letterAfter(`head || next || ${LAST}`)}, tries + 1
    FROM letter WHERE next IS NOT NULL AND tries < 64
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
  WHERE entire OR (length(guess) >= ${SHORTEST_CORRECTED} AND EXISTS (
    SELECT 1 FROM search_spellings WHERE tenant_id = ?2 AND word > guess AND word < guess || ${LAST}))`;

/**
 * Rows of {@link guessesWhen} as guesses for each word that has any: the word itself first, if it is among them,
 * then entire words, then longer beginnings before shorter ones. What begins with another guess is found by it.
 */
export function groupCorrections(rows: readonly Readonly<Record<string, unknown>>[]): Guesses {
  const byWord = Map.groupBy(rows, ({ word }) => String(word));
  const guesses = [...byWord].map(([word, all]) => [word, best(word, all)] as const);
  return new Map(guesses.filter(([word, meant]) => meant.some((guess) => guess !== word)));
}

function best(word: string, rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const all = rows.map(({ guess, entire }) => ({ guess: String(guess), entire: Number(entire) }));
  const others = all.filter(({ guess }) => guess !== word);
  const begins = others.filter(({ guess }) => [...guess].length >= SHORTEST_CORRECTED);
  const needed = others
    .filter(({ guess }) => !begins.some((other) => other.guess !== guess && guess.startsWith(other.guess)))
    .sort((a, b) => b.entire - a.entire || b.guess.length - a.guess.length)
    .slice(0, MOST_GUESSES)
    .map(({ guess }) => guess);
  return others.length < all.length ? [word, ...needed] : needed;
}
