import { fold, words } from '../kernel/text/fold.ts';

/**
 * A field of the index: `s` a whole SKU, `e` an entire name, `n` a word of the name,
 * `a` a word of anything, the name included.
 */
export type Field = 's' | 'e' | 'n' | 'a';

/** Base 36 holds 2,176,782,335 tenants in six characters; a fixed width lets FTS5's prefix indexes work. */
const TENANT_WIDTH = 6;

/**
 * Returns a word as the index stores it: tenant, field, word. With the tenant in the term, a search reads its
 * own tenant's entries only; a tenant filter beside the MATCH would scan every tenant's.
 */
export const term = (tenantId: number, field: Field, word: string): string =>
  tenantId.toString(36).padStart(TENANT_WIDTH, '0') + field + word;

/**
 * Returns a SKU as one word, without case and accents. FTS5's ascii tokenizer splits at ASCII punctuation and
 * spaces, so each becomes a private-use character: "A-1" and "A1" stay distinct SKUs.
 */
export const skuWord = (sku: string): string =>
  fold(sku.trim().toWellFormed()).replace(/[^\p{L}\p{N}\u0080-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(0xe000 + character.charCodeAt(0)),
  );

/** Returns an entire name as one word; "" when it has no words. */
export const nameWord = (name: string): string => words(name).join('\u{e020}');
