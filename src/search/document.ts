import { createHash } from 'node:crypto';
import type { SearchSource } from '../catalog/index.ts';
import { words } from '../kernel/core/fold.ts';
import { stripHtml } from './strip-html.ts';
import { type Field, nameWord, skuWord, term } from './terms.ts';

/** A product as search sees it; `item` is what a hit answers with. */
export type SearchDocument = SearchSource;

/** What the index keeps of a document. */
export interface Posting {
  /** Its rowid in the index; the index walks matches in this order. */
  readonly place: number;
  /** Its terms, separated by spaces. */
  readonly terms: string;
  /** Digest of place and terms. */
  readonly digest: string;
  /** Words that a typo in a query may be corrected to: no SKUs, no numbers. */
  readonly spellings: readonly string[];
}

/** A place is words of the name × this + product id; both stay exact in a double. */
export const PLACES = 2 ** 44;
const LONGEST_NAME = 255;

/**
 * What the index keeps of a live document. Products with shorter names come first among equals, then
 * older ones: the order is in the place itself, so a search need not score what it won't show.
 */
export function posting(document: SearchDocument): Posting {
  const name = words(document.name);
  const described = new Set([...name, ...words(restOf(document))]);
  const skus = [document.sku, ...document.variantSkus];
  const place = Math.min(name.length, LONGEST_NAME) * PLACES + document.productId;
  const terms = [
    ...ofField(document.tenantId, 's', skus.map(skuWord)),
    ...ofField(document.tenantId, 'e', [nameWord(document.name)]),
    ...ofField(document.tenantId, 'n', name),
    ...ofField(document.tenantId, 'a', [...described, ...words(skus.join(' '))]),
  ].join(' ');
  const digest = createHash('sha256').update(`${place} ${terms}`).digest('base64url').slice(0, 22);
  return { place, terms, digest, spellings: [...described].filter(isSpelling) };
}

/** What is searched beside name and SKUs. */
function restOf(document: SearchDocument): string {
  const { slug, categories, attributes, tags, vendor, description } = document;
  return [slug, ...categories, ...attributes, ...tags, vendor ?? '', stripHtml(description ?? '')].join(' ');
}

function ofField(tenantId: number, field: Field, all: readonly string[]): string[] {
  return [...new Set(all)].filter((word) => word !== '').map((word) => term(tenantId, field, word));
}

const isSpelling = (word: string): boolean => /\p{L}/u.test(word) && [...word].length >= 3;
