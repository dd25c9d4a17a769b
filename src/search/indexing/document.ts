import { createHash } from 'node:crypto';
import type { SearchSource } from '../../catalog/index.ts';
import { words } from '../../kernel/text/fold.ts';
import { type Field, nameWord, skuWord, term } from '../terms.ts';
import { stripHtml } from './strip-html.ts';

/** A product as search reads it; `item` is the JSON that a hit returns. */
export type SearchDocument = SearchSource;

/** A document's entry in the index. */
export interface Posting {
  /** The rowid in the index; FTS5 returns matches in this order. */
  readonly place: number;
  /** The terms, separated by spaces. */
  readonly terms: string;
  /** Digest of place and terms. */
  readonly digest: string;
  /** Words for the typo dictionary: no SKUs, no numbers. */
  readonly spellings: readonly string[];
}

/** A place is (word count of the name) × this + product id; the result stays exact in a double. */
export const PLACE_STRIDE = 2 ** 44;
const MAX_NAME_WORDS = 255;

/**
 * Returns the index entry of a live document. Within a tier, products with fewer words in the name rank
 * first, then older ones. The place encodes this order, so a search doesn't score hits beyond its page.
 */
export function posting(document: SearchDocument): Posting {
  const name = words(document.name);
  const described = new Set([...name, ...words(secondaryText(document))]);
  const skus = [document.sku, ...document.variantSkus];
  const place = Math.min(name.length, MAX_NAME_WORDS) * PLACE_STRIDE + document.productId;
  const terms = [
    ...termsOf(document.tenantId, 's', skus.map(skuWord)),
    ...termsOf(document.tenantId, 'e', [nameWord(document.name)]),
    ...termsOf(document.tenantId, 'n', name),
    ...termsOf(document.tenantId, 'a', [...described, ...words(skus.join(' '))]),
  ].join(' ');
  const digest = createHash('sha256').update(`${place} ${terms}`).digest('base64url').slice(0, 22);
  return { place, terms, digest, spellings: [...described].filter(isSpelling) };
}

/** Returns the searchable text other than name and SKUs. */
function secondaryText(document: SearchDocument): string {
  const { slug, categories, attributes, tags, vendor, description } = document;
  return [slug, ...categories, ...attributes, ...tags, vendor ?? '', stripHtml(description ?? '')].join(' ');
}

function termsOf(tenantId: number, field: Field, all: readonly string[]): string[] {
  return [...new Set(all)].filter((word) => word !== '').map((word) => term(tenantId, field, word));
}

const isSpelling = (word: string): boolean => /\p{L}/u.test(word) && [...word].length >= 3;
