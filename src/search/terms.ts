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
