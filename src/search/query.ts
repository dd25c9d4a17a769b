import { words } from '../kernel/core/fold.ts';
import { type Field, nameWord, skuWord, term } from './terms.ts';

/** Shorter words are taken as they are typed, and so are numbers. */
export const SHORTEST_CORRECTED = 4;

/** What was asked, folded: only letters, digits and private-use characters of it ever reach a MATCH. */
export interface Query {
  readonly tenantId: number;
  /** All of them must match, each by beginning or within one typo. */
  readonly words: readonly string[];
  /** The query as a SKU. */
  readonly sku: string;
  /** The query as an entire name; "" when it has no words. */
  readonly name: string;
}

/** A word of the query → what else may have been meant, and the word itself where the tenant has it. */
export type Guesses = ReadonlyMap<string, readonly string[]>;

/** FTS5 expressions, best first. A product may stand in several tiers: the first of them counts. */
export interface Ranking {
  readonly tiers: readonly string[];
  /** Everything that is found; what stands in no tier comes last. */
  readonly all: string;
}

/** The words of a query in which a typo is looked for. */
export const correctable = (query: Query): string[] =>
  query.words.filter((word) => [...word].length >= SHORTEST_CORRECTED && /\p{L}/u.test(word));

/** Reads a shopper's text, whatever it holds; `null` when nothing in it can be searched for. */
export function parse(tenantId: number, q: string): Query | null {
  const query = { tenantId, words: [...new Set(words(q))], sku: skuWord(q), name: nameWord(q) };
  return query.sku === '' ? null : query;
}

/**
 * The ranking without typos: the SKU; the entire name; every word in the name, spelled out, then as
 * beginnings; a part of them in the name (of one word: the word elsewhere, spelled out); all anywhere.
 */
export function exactly(query: Query): Ranking {
  const sku = quoted(term(query.tenantId, 's', query.sku));
  if (query.words.length === 0) return { tiers: [sku], all: sku };
  const name = quoted(term(query.tenantId, 'e', query.name));
  const spelled = every(query, (word) => entire(query, 'n', word));
  const begun = every(query, (word) => beginning(query, 'n', word));
  const anywhere = every(query, (word) => beginning(query, 'a', word));
  const partly =
    query.words.length > 1
      ? `${anywhere} AND ${some(query, (word) => beginning(query, 'n', word))}`
      : every(query, (word) => entire(query, 'a', word));
  return { tiers: [sku, name, spelled, begun, partly], all: `${sku} OR ${anywhere}` };
}

/**
 * The ranking of {@link exactly}, then what needs a correction, in the name before anywhere: at first only of
 * words that the tenant doesn't have ("blue shrit" is a blue shirt before it is a glue shirt), then of any.
 */
export function withTypos(query: Query, guesses: Guesses): Ranking {
  const { tiers, all } = exactly(query);
  const unknown = new Map([...guesses].filter(([word, meant]) => !meant.includes(word)));
  const first = unknown.size > 0 && unknown.size < guesses.size ? (['n', 'a'] as const) : [];
  const corrected = [...first.map((field) => typed(query, field, unknown)), typed(query, 'n', guesses)];
  return { tiers: [...tiers, all, ...corrected], all: `${all} OR ${typed(query, 'a', guesses)}` };
}

/** Every word as it is typed, or as one of its guesses: beginnings, but those too short for that entire. */
const typed = (query: Query, field: Field, guesses: Guesses): string =>
  every(query, (word) => {
    const meant = (guesses.get(word) ?? []).map((guess) =>
      [...guess].length < SHORTEST_CORRECTED ? entire(query, field, guess) : beginning(query, field, guess),
    );
    return `(${[beginning(query, field, word), ...meant].join(' OR ')})`;
  });

const every = (query: Query, expression: (word: string) => string): string =>
  `(${query.words.map(expression).join(' AND ')})`;

const some = (query: Query, expression: (word: string) => string): string =>
  `(${query.words.map(expression).join(' OR ')})`;

const entire = (query: Query, field: Field, word: string): string =>
  quoted(term(query.tenantId, field, word));

const beginning = (query: Query, field: Field, word: string): string => `${entire(query, field, word)} *`;

/** No term holds a quote, so quoting takes from it every meaning that FTS5's syntax might see. */
const quoted = (text: string): string => `"${text}"`;
