import { words } from '../../kernel/text/fold.ts';
import { type Field, nameWord, skuWord, term } from '../terms.ts';

/** Shortest word, in characters, that typo correction applies to; numbers are never corrected. */
export const MIN_CORRECTABLE_LENGTH = 4;

/** A parsed query, folded: only letters, digits and private-use characters reach a MATCH expression. */
export interface Query {
  readonly tenantId: number;
  /** All of them must match, each by prefix or within one typo. */
  readonly words: readonly string[];
  /** The query as a SKU. */
  readonly sku: string;
  /** The query as a whole name; "" when it has no words. */
  readonly name: string;
}

/** Maps a query word to its corrections; they include the word itself if the tenant's dictionary has it. */
export type Corrections = ReadonlyMap<string, readonly string[]>;

/** FTS5 expressions, best first. A product that matches several tiers ranks by the first of them. */
export interface Ranking {
  readonly tiers: readonly string[];
  /** Matches every hit; hits that match no tier rank last. */
  readonly all: string;
}

/** Returns the query's words that typo correction applies to. */
export const correctable = (query: Query): string[] =>
  query.words.filter((word) => [...word].length >= MIN_CORRECTABLE_LENGTH && /\p{L}/u.test(word));

/** Parses untrusted query text; returns `null` when it has nothing to search for. */
export function parse(tenantId: number, q: string): Query | null {
  const query = { tenantId, words: [...new Set(words(q))], sku: skuWord(q), name: nameWord(q) };
  return query.sku === '' ? null : query;
}

/**
 * Returns the ranking without typo correction. Tiers: the SKU; the whole name; all words whole in the name;
 * all as prefixes in the name; all anywhere and some in the name (for one word: whole anywhere); all
 * anywhere.
 */
export function exactRanking(query: Query): Ranking {
  const sku = quoted(term(query.tenantId, 's', query.sku));
  if (query.words.length === 0) return { tiers: [sku], all: sku };
  const name = quoted(term(query.tenantId, 'e', query.name));
  const allWhole = every(query, (word) => whole(query, 'n', word));
  const allPrefixed = every(query, (word) => prefix(query, 'n', word));
  const anywhere = every(query, (word) => prefix(query, 'a', word));
  const partial =
    query.words.length > 1
      ? `${anywhere} AND ${some(query, (word) => prefix(query, 'n', word))}`
      : every(query, (word) => whole(query, 'a', word));
  return { tiers: [sku, name, allWhole, allPrefixed, partial], all: `${sku} OR ${anywhere}` };
}

/**
 * Extends {@link exactRanking} with corrected words, the name before other fields. Words missing from the
 * tenant's dictionary are corrected first ("blue shrit" ranks a blue shirt above a glue shirt), then all
 * words.
 */
export function rankingWithTypos(query: Query, corrections: Corrections): Ranking {
  const { tiers, all } = exactRanking(query);
  const unknown = new Map([...corrections].filter(([word, candidates]) => !candidates.includes(word)));
  const first = unknown.size > 0 && unknown.size < corrections.size ? (['n', 'a'] as const) : [];
  const corrected = [
    ...first.map((field) => correctedIn(query, field, unknown)),
    correctedIn(query, 'n', corrections),
  ];
  return { tiers: [...tiers, all, ...corrected], all: `${all} OR ${correctedIn(query, 'a', corrections)}` };
}

/** Matches each word as typed or as one of its corrections; short corrections match whole words only. */
const correctedIn = (query: Query, field: Field, corrections: Corrections): string =>
  every(query, (word) => {
    const candidates = (corrections.get(word) ?? []).map((correction) =>
      [...correction].length < MIN_CORRECTABLE_LENGTH
        ? whole(query, field, correction)
        : prefix(query, field, correction),
    );
    return `(${[prefix(query, field, word), ...candidates].join(' OR ')})`;
  });

const every = (query: Query, expression: (word: string) => string): string =>
  `(${query.words.map(expression).join(' AND ')})`;

const some = (query: Query, expression: (word: string) => string): string =>
  `(${query.words.map(expression).join(' OR ')})`;

const whole = (query: Query, field: Field, word: string): string => quoted(term(query.tenantId, field, word));

const prefix = (query: Query, field: Field, word: string): string => `${whole(query, field, word)} *`;

/** Quotes a term so that FTS5 reads no syntax in it; terms never contain quotes. */
const quoted = (text: string): string => `"${text}"`;
