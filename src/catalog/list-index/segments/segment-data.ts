import type { DocumentFacet, DocumentItem, DocumentText, ProductDocument } from '../changes/index.ts';
import { decodeTexts, encodeTexts, sizeOfTexts, type TextData } from './words.ts';

/**
 * The values of one name in a segment, and which products have them: an inverted list. The entries of a value are
 * ordered by product, then by item.
 */
export interface ColumnData {
  readonly name: string;
  /** Folded, ascending. */
  readonly values: readonly string[];
  /** Where the entries of each value begin, and where those of the last one end. */
  readonly starts: Uint32Array;
  /** The product of each entry, by its place in the segment. */
  readonly owners: Uint16Array;
  /** 0: the product has the value as a whole; else one more than the place of the item that has it. */
  readonly items: Uint16Array;
  /** The spellings of the values, and that of each entry. */
  readonly spellings: readonly string[];
  readonly spelled: Uint16Array;
}

/** Prices in one currency, in minor units; NaN where there is none. */
export interface PriceData {
  readonly currency: string;
  readonly products: Float64Array;
  readonly items: Float64Array;
}

/**
 * Some products with neighbouring ids, as columns. Products and items are known by their places; a product's items
 * are neighbours. Plain data that an object's storage can clone.
 */
export interface SegmentData {
  /** Ascending. */
  readonly ids: Float64Array;
  readonly active: Uint8Array;
  readonly names: readonly string[];
  readonly sold: Float64Array;
  /** Available units of each product, or {@link MANY_UNITS}; see {@link ProductDocument.unitsLeft}. */
  readonly unitsLeft: Uint16Array;
  /** Where the items of each product begin, and where those of the last one end. */
  readonly itemStarts: Uint16Array;
  readonly itemIds: Float64Array;
  readonly inStock: Uint8Array;
  readonly prices: readonly PriceData[];
  /** Where the categories of each product begin, and where those of the last one end. */
  readonly categoryStarts: Uint32Array;
  readonly categoryIds: Float64Array;
  readonly columns: readonly ColumnData[];
  /** Null in an index without texts. */
  readonly text: TextData | null;
}

/** Stands for a product that needs no stock, or has more units than any threshold of low stock. */
const MANY_UNITS = 0xffff;

/** The most of a segment: its places are 16 bits wide, and a stored value has at most {@link MAX_SEGMENT_BYTES}. */
const MOST = { products: 1_024, items: 16_000, values: 40_000, characters: 400_000, words: 60_000 };
/** The most bytes that one value of an object's storage may have. A single product may exceed it. */
export const MAX_SEGMENT_BYTES = 2_000_000;

/** Returns what a product adds to a segment. */
const weightOf = ({ name, items, facets, categoryIds, text }: ProductDocument): typeof MOST => ({
  products: 1,
  items: items.length,
  values: facets.length + categoryIds.length,
  characters: facets.reduce((sum, [, value, , label]) => sum + value.length + label.length, name.length),
  words: text.words.length + text.skus.length,
});

const NAMES = ['products', 'items', 'values', 'characters', 'words'] as const;

/** Divides products, ordered by id, into the documents of segments. */
export function divide(documents: readonly ProductDocument[]): ProductDocument[][] {
  const parts: ProductDocument[][] = [];
  let total = MOST;
  for (const document of documents) {
    const own = weightOf(document);
    const sum = { ...total };
    for (const name of NAMES) sum[name] += own[name];
    const isFull = NAMES.some((name) => sum[name] > MOST[name]);
    if (isFull) parts.push([document]);
    else parts.at(-1)?.push(document);
    total = isFull ? own : sum;
  }
  return parts;
}

/** Bytes of a character, and about those of a column, a string or a list besides its content. */
const CHARACTER_BYTES = 2;
const OBJECT_BYTES = 200;
const STRING_BYTES = 24;

const sizeOfStrings = (strings: readonly string[]): number =>
  strings.reduce((sum, { length }) => sum + STRING_BYTES + CHARACTER_BYTES * length, 0);

/** Returns about how many bytes a segment takes in memory. */
export function sizeOf({ names, columns, prices, text, ...arrays }: SegmentData): number {
  const lists = Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0);
  const priced = prices.reduce((sum, one) => sum + one.products.byteLength + one.items.byteLength, 0);
  const valued = columns.map(({ values, starts, owners, spellings }) => {
    // Of each entry the product, the item and the spelling, and of each value its number in the dictionary too.
    const entries = 6 * owners.length + 2 * starts.byteLength;
    return OBJECT_BYTES + entries + sizeOfStrings(values) + sizeOfStrings(spellings);
  });
  const searched = text ? sizeOfTexts(text) : 0;
  return lists + priced + sizeOfStrings(names) + searched + valued.reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns where each list begins among all of them, and where the last one ends. */
const startsOf = (lists: readonly { readonly length: number }[]): number[] => {
  let end = 0;
  return [0, ...lists.map(({ length }) => (end += length))];
};

/** Returns the segment of products, ordered by id; see {@link divide} for how many it may have. */
export function encodeSegment(
  documents: readonly ProductDocument[],
  { texts }: { readonly texts: boolean },
): SegmentData {
  const items = documents.flatMap((document) => document.items);
  const currencies = [...new Set(documents.flatMap(({ prices }) => Object.keys(prices)))];
  return {
    ids: Float64Array.from(documents, ({ id }) => id),
    active: Uint8Array.from(documents, ({ active }) => Number(active)),
    names: documents.map(({ name }) => name),
    sold: Float64Array.from(documents, ({ sold }) => sold),
    unitsLeft: Uint16Array.from(documents, ({ unitsLeft }) => unitsLeft ?? MANY_UNITS),
    itemStarts: Uint16Array.from(startsOf(documents.map((document) => document.items))),
    itemIds: Float64Array.from(items, ({ id }) => id),
    inStock: Uint8Array.from(items, ({ inStock }) => Number(inStock)),
    prices: currencies.map((currency) => ({
      currency,
      products: Float64Array.from(documents, ({ prices }) => prices[currency] ?? Number.NaN),
      items: Float64Array.from(items, ({ prices }) => prices[currency] ?? Number.NaN),
    })),
    categoryStarts: Uint32Array.from(startsOf(documents.map(({ categoryIds }) => categoryIds))),
    categoryIds: Float64Array.from(documents.flatMap(({ categoryIds }) => categoryIds)),
    columns: encodeColumns(documents),
    text: texts ? encodeTexts(documents.map(({ text }) => text)) : null,
  };
}

/** An entry of a column: a product's place, one more than its item's (0: none), and the label. */
type Entry = readonly [owner: number, item: number, label: string];

function encodeColumns(documents: readonly ProductDocument[]): ColumnData[] {
  const columns = new Map<string, Map<string, Entry[]>>();
  let firstItem = 0;
  for (const [owner, { items, facets }] of documents.entries()) {
    const places = new Map(items.map(({ id }, place) => [id, firstItem + place + 1]));
    for (const [name, value, itemId, label] of facets) {
      const item = itemId === 0 ? 0 : places.get(itemId);
      if (item === undefined) continue;
      const column = columns.get(name) ?? new Map<string, Entry[]>();
      columns.set(name, column);
      const entries = column.get(value);
      if (entries) entries.push([owner, item, label]);
      else column.set(value, [[owner, item, label]]);
    }
    firstItem += items.length;
  }
  return [...columns].map(([name, values]) => encodeColumn(name, values));
}

function encodeColumn(name: string, byValue: ReadonlyMap<string, Entry[]>): ColumnData {
  const values = [...byValue.keys()].sort();
  const runs = values.map((value) => (byValue.get(value) ?? []).sort((a, b) => a[0] - b[0] || a[1] - b[1]));
  const entries = runs.flat();
  const spellings = new Map<string, number>();
  for (const [, , label] of entries) if (!spellings.has(label)) spellings.set(label, spellings.size);
  return {
    name,
    values,
    starts: Uint32Array.from(startsOf(runs)),
    owners: Uint16Array.from(entries, ([owner]) => owner),
    items: Uint16Array.from(entries, ([, item]) => item),
    spellings: [...spellings.keys()],
    spelled: Uint16Array.from(entries, ([, , label]) => spellings.get(label) ?? 0),
  };
}

const NO_TEXT: DocumentText = { words: [], skus: [], entireName: '', nameLength: 0 };

/** Returns the documents of a segment, ordered by id. */
export function decodeSegment(data: SegmentData): ProductDocument[] {
  const facets = decodeColumns(data);
  const texts = data.text ? decodeTexts(data.text) : [];
  return Array.from(data.ids, (id, n) => ({
    id,
    active: data.active[n] === 1,
    name: data.names[n] ?? '',
    sold: data.sold[n] ?? 0,
    unitsLeft: data.unitsLeft[n] === MANY_UNITS ? null : (data.unitsLeft[n] ?? null),
    prices: pricesAt(data.prices, 'products', n),
    categoryIds: [...data.categoryIds.subarray(data.categoryStarts[n], data.categoryStarts[n + 1])],
    items: itemsOf(data, n),
    facets: facets[n] ?? [],
    text: texts[n] ?? NO_TEXT,
  }));
}

const pricesAt = (prices: readonly PriceData[], of: 'products' | 'items', place: number) =>
  Object.fromEntries(
    prices.flatMap((one) => {
      const price = one[of][place] ?? Number.NaN;
      return Number.isNaN(price) ? [] : [[one.currency, price]];
    }),
  );

const itemsOf = ({ itemStarts, itemIds, inStock, prices }: SegmentData, n: number): DocumentItem[] => {
  const start = itemStarts[n] ?? 0;
  return Array.from(itemIds.subarray(start, itemStarts[n + 1]), (id, at) => ({
    id,
    inStock: inStock[start + at] === 1,
    prices: pricesAt(prices, 'items', start + at),
  }));
};

function decodeColumns({ ids, itemIds, columns }: SegmentData): DocumentFacet[][] {
  const facets: DocumentFacet[][] = Array.from(ids, () => []);
  for (const { name, values, starts, owners, items, spellings, spelled } of columns) {
    const add = (value: string, entry: number) => {
      const item = items[entry] ?? 0;
      const itemId = item === 0 ? 0 : (itemIds[item - 1] ?? 0);
      facets[owners[entry] ?? 0]?.push([name, value, itemId, spellings[spelled[entry] ?? 0] ?? '']);
    };
    for (const [at, value] of values.entries()) {
      for (let entry = starts[at] ?? 0; entry < (starts[at + 1] ?? 0); entry++) add(value, entry);
    }
  }
  return facets;
}
