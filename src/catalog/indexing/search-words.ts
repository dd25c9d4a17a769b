import { cutWord, fold, wholeWords, words } from '../../kernel/text/fold.ts';
import { letterGrams, spacedWithin } from '../../kernel/text/letter-grams.ts';
import { plainSpelling } from '../../kernel/text/plain-spelling.ts';

/** The texts by which a product is searched. */
interface SearchTexts {
  readonly name: string;
  /** Its own, and its variants'. */
  readonly skus: readonly string[];
  readonly slug: string;
  /** Everything else: vendor, tags, attributes, the text of the description. */
  readonly others: readonly string[];
}

/** The words of a product, folded. */
interface SearchWords {
  /** Each SKU as one word, and the entire name ("" without words). */
  readonly skus: readonly string[];
  readonly entireName: string;
  /** The words of the name in order, repeated ones included. */
  readonly name: readonly string[];
  /** The words of its SKUs, each once. */
  readonly ofSkus: readonly string[];
  readonly ofSlug: readonly string[];
  /** The words of everything but SKUs, each once: the first {@link MAX_WORDS} of them. */
  readonly described: readonly string[];
  /** The {@link furtherTerms} of the name, and of everything but SKUs the first {@link MAX_FURTHER}, each once. */
  readonly furtherOfName: readonly string[];
  readonly further: readonly string[];
}

/**
 * Returns a SKU as one word, without case and accents. FTS5's ascii tokenizer splits at ASCII punctuation and
 * spaces, so each becomes a private-use character: "A-1" and "A1" stay distinct SKUs.
 */
export const skuWord = (sku: string): string =>
  fold(sku.trim().toWellFormed()).replace(/[^\p{L}\p{N}\u0080-\u{10ffff}]/gu, (character) =>
    String.fromCharCode(0xe000 + character.charCodeAt(0)),
  );

/** Returns words as one word that stands for an entire name. */
export const entireName = (name: readonly string[]): string => name.join('\u{e020}');

/** The most words of a product besides those of its SKUs: one D1 parameter takes 2 MB of them, each with its tenant. */
const MAX_WORDS = 20_000;

/** The most further terms of a product: a Chinese text has about as many grams as letters. */
const MAX_FURTHER = 2_000;

/**
 * Returns what finds {@link wholeWords} besides themselves: their plain spelling, and other scripts' words and the grams
 * within text without spaces. Those come last: a long text has the most of them.
 */
export const furtherTerms = (all: readonly string[]): string[] => [
  ...all.flatMap(plainSpelling),
  ...spacedWithin(all).map(cutWord),
  ...letterGrams(all),
];

/** Returns the words by which a product is searched. */
export function searchWords({ name, skus, slug, others }: SearchTexts): SearchWords {
  const ofName = wholeWords(name);
  const inName = ofName.map(cutWord);
  const elsewhere = wholeWords([slug, ...others].join(' '));
  const furtherOfName = unique(furtherTerms(ofName));
  return {
    skus: unique(skus.map(skuWord)).filter((word) => word !== ''),
    entireName: entireName(inName),
    name: inName,
    ofSkus: unique(words(skus.join(' '))),
    ofSlug: unique(words(slug)),
    described: unique([...inName, ...elsewhere.map(cutWord)]).slice(0, MAX_WORDS),
    furtherOfName,
    further: unique([...furtherOfName, ...furtherTerms(elsewhere)]).slice(0, MAX_FURTHER),
  };
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];

/** A place is (word count of the name) × this + product id; the result stays exact in a double. */
export const PLACE_STRIDE = 2 ** 44;
const MAX_NAME_WORDS = 255;

/** Returns the word count of a name as {@link searchPlace} takes it. */
export const nameLength = (name: readonly string[]): number => Math.min(name.length, MAX_NAME_WORDS);

/**
 * Returns where a product ranks among those that match a search equally well: first those with fewer words in the
 * name, then older ones.
 */
export const searchPlace = (length: number, productId: number): number => length * PLACE_STRIDE + productId;

/** Returns the product of a place. */
export const productAt = (place: number): number => place % PLACE_STRIDE;
