import {
  entireName,
  skuWord,
  type TextExpression,
  type TextField,
  type TextQuery,
  type WordMatch,
} from '../../catalog/index.ts';
import { words } from '../../kernel/text/fold.ts';
import { gramsWithin } from '../../kernel/text/letter-grams.ts';
import { plainSpelling } from '../../kernel/text/plain-spelling.ts';
import { type Field, term } from '../terms.ts';

/** Shortest word, in characters, that typo correction applies to; numbers are never corrected. */
export const MIN_CORRECTABLE_LENGTH = 4;

/** A parsed query, folded: only letters, digits and private-use characters reach a MATCH expression. */
export interface Query {
  readonly tenantId: number;
  /** All of them must match, each by prefix, within one typo, or in its other spelling. */
  readonly words: readonly string[];
  /** By word: the words that a number and its unit make when written together. */
  readonly joined: ReadonlyMap<string, readonly string[]>;
  /** The query as a SKU. */
  readonly sku: string;
  /** The query as a whole name; "" when it has no words. */
  readonly name: string;
}

/** Maps a query word to its corrections; they include the word itself if the tenant's dictionary has it. */
export type Corrections = ReadonlyMap<string, readonly string[]>;

/** Returns the query's words that typo correction applies to. */
export const correctable = (query: Query): string[] =>
  query.words.filter((word) => [...word].length >= MIN_CORRECTABLE_LENGTH && /\p{L}/u.test(word));

/** Parses untrusted query text; returns `null` when it has nothing to search for. */
export function parse(tenantId: number, q: string): Query | null {
  const all = words(q);
  const names = { sku: skuWord(q), name: entireName(all) };
  return names.sku === '' ? null : { tenantId, words: [...new Set(all)], joined: joinedUnits(all), ...names };
}

/** The most numbers with a unit in a query that are also looked for written together. */
const MAX_UNITS = 8;

/** Returns each number and the word behind it with what they make when written together: "250 g" is "250g". */
function joinedUnits(all: readonly string[]): Map<string, string[]> {
  const units = all
    .slice(1)
    .map((unit, n) => [all[n] ?? '', unit] as const)
    .filter(([number, unit]) => /^\p{N}+$/u.test(number) && /^[^\p{N}]+$/u.test(unit))
    .slice(0, MAX_UNITS);
  const joined = new Map<string, string[]>();
  for (const parts of units)
    for (const part of parts) joined.set(part, [...(joined.get(part) ?? []), parts.join('')]);
  return joined;
}

/** Returns a number and its unit that are written together, or null for another word. */
const unitOf = (word: string): readonly string[] | null =>
  /^(\p{N}+)([^\p{N}]+)$/u.exec(word)?.slice(1) ?? null;

/**
 * Returns the ranking without typo correction. Tiers: the SKU; the whole name; all words whole in the name;
 * all as prefixes in the name; all anywhere and some in the name (for one word: whole anywhere); all
 * anywhere.
 */
export function exactRanking(query: Query): TextQuery {
  const sku = whole('sku', query.sku);
  if (query.words.length === 0) return { tiers: [sku], matching: sku };
  const allWhole = every(query, 'name', (word) => whole('name', word));
  const allPrefixed = every(query, 'name', (word) => prefix('name', word));
  const anywhere = every(query, 'anything', (word) => prefix('anything', word));
  const partial =
    query.words.length > 1
      ? { all: [anywhere, { any: query.words.map((word) => prefix('name', word)) }] }
      : every(query, 'anything', (word) => whole('anything', word));
  return {
    tiers: [sku, whole('entire_name', query.name), allWhole, allPrefixed, partial],
    matching: { any: [sku, anywhere] },
  };
}

/**
 * Extends {@link exactRanking} with corrected words, the name before other fields. Words missing from the
 * tenant's dictionary are corrected first ("blue shrit" ranks a blue shirt above a glue shirt), then all
 * words.
 */
export function rankingWithTypos(query: Query, corrections: Corrections): TextQuery {
  const { tiers, matching } = exactRanking(query);
  const unknown = new Map([...corrections].filter(([word, candidates]) => !candidates.includes(word)));
  const first = unknown.size > 0 && unknown.size < corrections.size ? (['name', 'anything'] as const) : [];
  const corrected = [
    ...first.map((field) => correctedIn(query, field, unknown)),
    correctedIn(query, 'name', corrections),
  ];
  return {
    tiers: [...tiers, matching, ...corrected],
    matching: { any: [matching, correctedIn(query, 'anything', corrections)] },
  };
}

/** Matches each word as typed or as one of its corrections; short corrections match whole words only. */
const correctedIn = (query: Query, field: TextField, corrections: Corrections): TextExpression =>
  every(query, field, (word) => {
    const candidates = (corrections.get(word) ?? []).map((correction) =>
      [...correction].length < MIN_CORRECTABLE_LENGTH ? whole(field, correction) : prefix(field, correction),
    );
    return { any: [prefix(field, word), ...candidates] };
  });

/**
 * Matches each word by an expression, also in its plain spelling, a number and its unit also written the other way, and
 * Chinese or Thai within text.
 */
const every = (
  { words: all, joined }: Query,
  field: TextField,
  expression: (word: string) => TextExpression,
): TextExpression => ({
  all: all.map((word) => {
    const parts = unitOf(word)?.map((part) => whole(field, part));
    const within = gramsWithin(word);
    const plain = plainSpelling(word);
    const others = [
      ...(joined.get(word) ?? []).map(expression),
      ...(parts ? [{ all: parts }] : []),
      ...(plain.length > 0 ? [{ all: plain.map(expression) }] : []),
      ...(within
        ? [{ all: within.grams.map((gram) => ({ field, word: gram, prefix: within.prefix })) }]
        : []),
    ];
    return others.length === 0 ? expression(word) : { any: [expression(word), ...others] };
  }),
});

const whole = (field: TextField, word: string): WordMatch => ({ field, word, prefix: false });

const prefix = (field: TextField, word: string): WordMatch => ({ field, word, prefix: true });

/** The index's fields. It has none of its own for `listed`, which no search looks in. */
const FIELDS: Readonly<Record<TextField, Field>> = {
  sku: 's',
  entire_name: 'e',
  name: 'n',
  listed: 'a',
  anything: 'a',
};

/** A {@link TextQuery} as FTS5 expressions. */
export interface Ranking {
  readonly tiers: readonly string[];
  /** Matches every hit; hits that match no tier rank last. */
  readonly all: string;
}

/** Returns a text query in the syntax of FTS5. */
export const ftsRanking = (tenantId: number, { tiers, matching }: TextQuery): Ranking => ({
  tiers: tiers.map((tier) => ftsExpression(tenantId, tier)),
  all: ftsExpression(tenantId, matching),
});

function ftsExpression(tenantId: number, expression: TextExpression): string {
  const joined = (list: readonly TextExpression[], operator: string) =>
    `(${list.map((one) => ftsExpression(tenantId, one)).join(operator)})`;
  if ('any' in expression) return joined(expression.any, ' OR ');
  if ('all' in expression) return joined(expression.all, ' AND ');
  const { field, word, prefix: begins } = expression;
  // Quoted, so that FTS5 reads no syntax in it; terms never contain quotes.
  return `"${term(tenantId, FIELDS[field], word)}"${begins ? ' *' : ''}`;
}
