import { type DocumentText, WORD_FIELDS, type WordField } from '../changes/index.ts';
import { addBit, type Bits } from './bits.ts';
import { firstPlace } from './first-place.ts';

/** Words and the products of a segment that have them: an inverted list, as plain data. */
export interface WordList {
  /** The words, ascending and one after the other, and where each ends. */
  readonly text: string;
  readonly ends: Uint32Array;
  /** Where the entries of each word begin, and where those of the last one end. */
  readonly starts: Uint32Array;
  /** Each a product's place × 4 + the field of the word in {@link WORD_FIELDS}. */
  readonly entries: Uint16Array;
}

/** The words of a segment's products. */
export interface TextData {
  readonly words: WordList;
  /** Whole SKUs and entire names, each as one word. */
  readonly skus: WordList;
  readonly names: WordList;
  /** The number of words in each product's name. */
  readonly nameLengths: Uint8Array;
}

/** A word of a product, by its place, and the word's field. */
type Occurrence = readonly [word: string, place: number, field: number];

/** Returns the words of products, in the order of their places. */
export function encodeTexts(texts: readonly DocumentText[]): TextData {
  const fieldOf = (field: WordField) => WORD_FIELDS.indexOf(field);
  const each = (wordsOf: (text: DocumentText) => readonly (readonly [string, WordField])[]) =>
    encodeList(
      texts.flatMap((text, place) => wordsOf(text).map(([word, field]) => [word, place, fieldOf(field)])),
    );
  return {
    words: each(({ words }) => words),
    skus: each(({ skus }) => skus.map((sku) => [sku, 'other'])),
    names: each(({ entireName }) => [[entireName, 'other']]),
    nameLengths: Uint8Array.from(texts, ({ nameLength }) => nameLength),
  };
}

function encodeList(occurrences: readonly Occurrence[]): WordList {
  const byWord = Map.groupBy(occurrences, ([word]) => word);
  const words = [...byWord.keys()].sort();
  let [end, entry] = [0, 0];
  return {
    text: words.join(''),
    ends: Uint32Array.from(words, ({ length }) => (end += length)),
    starts: Uint32Array.from([0, ...words.map((word) => (entry += byWord.get(word)?.length ?? 0))]),
    entries: Uint16Array.from(
      words.flatMap((word) => (byWord.get(word) ?? []).map(([, place, field]) => place * 4 + field)),
    ),
  };
}

/** Returns the texts of a segment's products, in the order of their places. */
export function decodeTexts({ words, skus, names, nameLengths }: TextData): DocumentText[] {
  const texts = Array.from(nameLengths, (nameLength) => ({
    words: [] as (readonly [string, WordField])[],
    skus: [] as string[],
    entireName: '',
    nameLength,
  }));
  eachOccurrence(words, (word, place, field) =>
    texts[place]?.words.push([word, WORD_FIELDS[field] ?? 'other']),
  );
  eachOccurrence(skus, (word, place) => texts[place]?.skus.push(word));
  eachOccurrence(names, (word, place) => Object.assign(texts[place] ?? {}, { entireName: word }));
  return texts;
}

function eachOccurrence(list: WordList, visit: (...occurrence: Occurrence) => void): void {
  for (let at = 0; at < list.ends.length; at++) {
    const word = wordAt(list, at);
    for (let n = list.starts[at] ?? 0; n < (list.starts[at + 1] ?? 0); n++) {
      const entry = list.entries[n] ?? 0;
      visit(word, entry >>> 2, entry & 3);
    }
  }
}

const wordAt = ({ text, ends }: WordList, at: number): string => text.slice(ends[at - 1] ?? 0, ends[at]);

/** A word, or with `prefix` all that begin with it, in fields that rank at least as high as `field`. */
interface WordPattern {
  readonly word: string;
  readonly prefix: boolean;
  readonly field: WordField;
}

/** Adds the products with a word that matches. */
export function addProductsWith(list: WordList, { word, prefix, field }: WordPattern, found: Bits): void {
  const least = WORD_FIELDS.indexOf(field);
  const first = firstPlace(list.ends.length, (at) => wordAt(list, at) < word);
  for (let at = first; at < list.ends.length; at++) {
    const known = wordAt(list, at);
    if (prefix ? !known.startsWith(word) : known !== word) return;
    for (let n = list.starts[at] ?? 0; n < (list.starts[at + 1] ?? 0); n++) {
      const entry = list.entries[n] ?? 0;
      if ((entry & 3) >= least) addBit(found, entry >>> 2);
    }
  }
}

/** Returns about how many bytes texts take in memory. */
export const sizeOfTexts = ({ words, skus, names, nameLengths }: TextData): number =>
  [words, skus, names].reduce(
    (sum, { text, ends, starts, entries }) =>
      sum + 2 * text.length + ends.byteLength + starts.byteLength + entries.byteLength,
    nameLengths.byteLength,
  );
