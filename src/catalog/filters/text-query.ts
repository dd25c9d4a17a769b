import { type SQL, sql } from 'drizzle-orm';
import { beginsWith } from '../../kernel/data/database.ts';
import { words } from '../../kernel/text/fold.ts';
import { gramsWithin } from '../../kernel/text/letter-grams.ts';
import { plainSpelling } from '../../kernel/text/plain-spelling.ts';

/**
 * Where a word is looked for: a whole SKU; an entire name as one word; the name; name, SKUs and slug (`listed`); or
 * all texts of a product, the names of its categories and those above them included.
 */
export type TextField = 'sku' | 'entire_name' | 'name' | 'listed' | 'anything';

/** A folded word that a product has in a field, or that one of its words there begins with (`prefix`). */
export interface WordMatch {
  readonly field: TextField;
  readonly word: string;
  readonly prefix: boolean;
}

/** What the words of a product have to match: one of several expressions, or all of them. */
export type TextExpression =
  | WordMatch
  | { readonly any: readonly TextExpression[] }
  | { readonly all: readonly TextExpression[] };

/** A text that products are searched by. */
export interface TextQuery {
  /** What a product has to match. */
  readonly matching: TextExpression;
  /** Ranks, best first: a product has the rank of the first that it matches, or else the last. */
  readonly tiers: readonly TextExpression[];
}

/** Largest number of distinct words of `q` that are matched; further words are ignored. */
const MAX_QUERY_WORDS = 20;

/**
 * Returns, for each word of a list's `q`, the ways to find it: the terms that a product must all have as prefixes for
 * the word as it is typed, in its plain spelling, and within text of a script without spaces.
 */
const listedWords = (q: string): (readonly string[])[][] =>
  [...new Set(words(q))]
    .slice(0, MAX_QUERY_WORDS)
    .map((word) =>
      [[word], plainSpelling(word), gramsWithin(word)?.grams ?? []].filter((terms) => terms.length > 0),
    );

/** Returns the text of a list's `q`. Without words it matches nothing. */
export function listText(q: string): TextQuery {
  const all = listedWords(q).map((ways) => ({
    any: ways.map((terms) => ({
      all: terms.map((word) => ({ field: 'listed', word, prefix: true }) as const),
    })),
  }));
  return { matching: all.length > 0 ? { all } : { any: [] }, tiers: [] };
}

/** Returns the condition that the product of a listing `l` matches {@link listText}. */
export function matchesListText(tenantId: number, q: string): SQL {
  const all = listedWords(q);
  if (all.length === 0) return sql`FALSE`;
  const ways = all.flatMap((some, word) => some.map((terms) => ({ word, terms })));
  // The words are one bound parameter: D1 allows a hundred, and a list of all statuses needs them twice.
  return sql`l.product_id IN (SELECT product_id FROM (
      SELECT way.value ->> 'word' AS word, t.product_id
      FROM json_each(${JSON.stringify(ways)}) way CROSS JOIN json_each(way.value, '$.terms') term
      CROSS JOIN product_terms t ON t.tenant_id = ${tenantId} AND ${beginsWith(sql`t.term`, sql`term.value`)}
      GROUP BY way.key, t.product_id HAVING count(DISTINCT term.key) = json_array_length(way.value, '$.terms')
    ) GROUP BY product_id HAVING count(DISTINCT word) = ${all.length})`;
}
