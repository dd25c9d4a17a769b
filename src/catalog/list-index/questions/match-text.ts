import type { TextExpression, TextField, TextQuery, WordMatch } from '../../filters/text-query.ts';
import type { WordField } from '../changes/index.ts';
import {
  addBit,
  addProductsWith,
  type Bits,
  type CategoryTree,
  emptyBits,
  intersect,
  type Segment,
  type TextData,
  unite,
  type WordList,
} from '../segments/index.ts';

/** The fields that a list of words has, by the field that is looked in. */
const LEAST_FIELD: Readonly<Record<TextField, WordField>> = {
  sku: 'other',
  entire_name: 'other',
  name: 'name',
  listed: 'listed',
  anything: 'other',
};

/** Returns the words of a segment in which a field is looked up. */
function listOf({ words, skus, names }: TextData, field: TextField): WordList {
  if (field === 'sku') return skus;
  return field === 'entire_name' ? names : words;
}

/** A text query on the products of an index. Segments keep what it finds: it must not be changed. */
export class TextMatcher {
  /** Names the query and the tree. */
  readonly key: string;
  /** The number of tiers; products that match none of them come after these. */
  readonly tiers: number;
  /** What products have to match, then the tiers, each with its key. */
  private readonly parts: readonly { readonly key: string; readonly expression: TextExpression }[];
  /** By category number, whether its name has the word; null if no name has. */
  private readonly named = new Map<WordMatch, Uint8Array | null>();

  constructor(
    query: TextQuery,
    private readonly tree: CategoryTree,
  ) {
    this.key = JSON.stringify([query, tree.revision]);
    this.tiers = query.tiers.length;
    this.parts = [query.matching, ...query.tiers].map((expression) => ({
      key: JSON.stringify([expression, tree.revision]),
      expression,
    }));
  }

  /** Returns the products of a segment that match, whether listed or not. */
  matches = (segment: Segment): Bits => this.find(segment, 0);

  /** Returns the products of a segment that match the expression of a tier, whether listed or not. */
  inTier = (segment: Segment, tier: number): Bits => this.find(segment, 1 + tier);

  private find(segment: Segment, place: number): Bits {
    const part = this.parts[place];
    if (!part) return emptyBits(segment.size);
    const found = segment.withText.get(part.key) ?? this.evaluate(part.expression, segment);
    segment.withText.set(part.key, found);
    return found;
  }

  /** Returns a new set of the products of a segment that match an expression. */
  private evaluate(expression: TextExpression, segment: Segment): Bits {
    if (!('any' in expression) && !('all' in expression)) return this.withWord(expression, segment);
    const [first, ...others] = 'any' in expression ? expression.any : expression.all;
    const found = first ? this.evaluate(first, segment) : emptyBits(segment.size);
    for (const other of others) {
      if ('any' in expression) unite(found, this.evaluate(other, segment));
      else intersect(found, this.evaluate(other, segment));
    }
    return found;
  }

  private withWord(match: WordMatch, segment: Segment): Bits {
    const found = emptyBits(segment.size);
    const { text } = segment.data;
    if (!text) return found;
    addProductsWith(listOf(text, match.field), { ...match, field: LEAST_FIELD[match.field] }, found);
    const categories = match.field === 'anything' ? this.categoriesNamed(match) : null;
    if (categories) addProductsIn(segment, categories, found);
    return found;
  }

  private categoriesNamed(match: WordMatch): Uint8Array | null {
    const { word, prefix } = match;
    const known = this.named.get(match);
    if (known !== undefined) return known;
    const named = this.tree.named((one) => (prefix ? one.startsWith(word) : one === word));
    this.named.set(match, named);
    return named;
  }
}

/** Adds the products that are in one of the flagged categories. */
function addProductsIn({ size, data, categories }: Segment, flagged: Uint8Array, found: Bits): void {
  for (let n = 0; n < size; n++) {
    for (let at = data.categoryStarts[n] ?? 0; at < (data.categoryStarts[n + 1] ?? 0); at++) {
      if (flagged[categories[at] ?? 0] === 1) addBit(found, n);
    }
  }
}
