import { words } from '../../kernel/text/fold.ts';

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

/** Returns the words of a list's `q`, each of which a product must have as a prefix. */
export const listedWords = (q: string): string[] => [...new Set(words(q))].slice(0, MAX_QUERY_WORDS);

/** Returns the text of a list's `q`. Without words it matches nothing. */
export function listText(q: string): TextQuery {
  const all = listedWords(q).map((word) => ({ field: 'listed', word, prefix: true }) as const);
  return { matching: all.length > 0 ? { all } : { any: [] }, tiers: [] };
}
