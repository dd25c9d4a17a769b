import { createHash } from 'node:crypto';
import { nameLength, type SearchSource, searchPlace, searchWords } from '../../catalog/index.ts';
import { stripHtml } from '../../kernel/text/html-text.ts';
import { type Field, term } from '../terms.ts';

/** A product as search reads it; `item` is the JSON that a hit returns. */
export type SearchDocument = SearchSource;

/** A document's entry in the index. */
interface Posting {
  /** The rowid in the index; FTS5 returns matches in this order. */
  readonly place: number;
  /** The terms, separated by spaces. */
  readonly terms: string;
  /** Digest of place and terms. */
  readonly digest: string;
  /** Words for the typo dictionary: no SKUs, no numbers. */
  readonly spellings: readonly string[];
}

/**
 * Returns the index entry of a live document. Its place encodes the order of hits within a tier, so that a search
 * doesn't score hits beyond its page.
 */
export function posting(document: SearchDocument): Posting {
  const { tenantId, productId, name, slug, sku, variantSkus } = document;
  const found = searchWords({ name, slug, skus: [sku, ...variantSkus], others: otherTexts(document) });
  const place = searchPlace(nameLength(found.name), productId);
  const terms = [
    ...termsOf(tenantId, 's', found.skus),
    ...termsOf(tenantId, 'e', [found.entireName]),
    ...termsOf(tenantId, 'n', [...found.name, ...found.furtherOfName]),
    ...termsOf(tenantId, 'a', [...found.described, ...found.ofSkus, ...found.further]),
  ].join(' ');
  const digest = createHash('sha256').update(`${place} ${terms}`).digest('base64url').slice(0, 22);
  return { place, terms, digest, spellings: found.described.filter(isSpelling) };
}

/** Returns the searched texts other than name, SKUs and slug. */
const otherTexts = ({ categories, attributes, tags, vendor, description }: SearchDocument): string[] => [
  ...categories,
  ...attributes,
  ...tags,
  vendor ?? '',
  stripHtml(description ?? ''),
];

function termsOf(tenantId: number, field: Field, all: readonly string[]): string[] {
  return [...new Set(all)].filter((word) => word !== '').map((word) => term(tenantId, field, word));
}

const isSpelling = (word: string): boolean => /\p{L}/u.test(word) && [...word].length >= 3;
