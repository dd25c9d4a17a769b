import {
  type Changes,
  type DocumentRow,
  documentOf,
  type IndexedCategory,
  type IndexPosition,
  type ProductDocument,
} from '../changes/index.ts';
import { CategoryTree } from './category-tree.ts';
import { Dictionary } from './dictionary.ts';
import { Segment } from './segment.ts';
import {
  decodeSegment,
  divide,
  encodeSegment,
  MAX_SEGMENT_BYTES,
  type SegmentData,
  sizeOf,
} from './segment-data.ts';

/** Segments by their number in the object's storage. */
type NumberedSegments = ReadonlyMap<number, SegmentData>;

/** The parts of storage that a merge replaces: null deletes a segment. */
export type SegmentChanges = ReadonlyMap<number, SegmentData | null>;

/** What an index begins with. */
export interface StoredContent {
  readonly segments: NumberedSegments;
  readonly categories: readonly IndexedCategory[];
  readonly position: IndexPosition;
  /** Whether products are found by their words. */
  readonly texts: boolean;
}

/** The dictionary is rebuilt once it has grown by this factor, and by at least this many values. */
const MAX_DICTIONARY_GROWTH = 2;
const MIN_DICTIONARY_GROWTH = 20_000;

/**
 * The products of a tenant in memory: the stored segments, and further ones with the products that have changed since,
 * which are removed from the stored ones.
 */
export class IndexContent {
  readonly tree: CategoryTree;
  position: IndexPosition;
  /** The catalogue version that the content is at; null while there are changes that it lacks. */
  version: number | null = null;
  /** The tenant's threshold of low stock at `version`. */
  lowStock = 0;
  private dictionary = new Dictionary();
  private dictionarySize: number;
  private readonly stored = new Map<number, Segment>();
  /** Changed products since the segments were stored, by id; null: deleted. */
  private readonly changed = new Map<number, ProductDocument | null>();
  /** The segments of the changed products; null: they have to be made. */
  private newest: readonly Segment[] | null = null;
  readonly texts: boolean;

  constructor({ segments, categories, position, texts }: StoredContent) {
    this.texts = texts;
    this.tree = new CategoryTree(categories);
    this.position = position;
    for (const [number, data] of segments) this.stored.set(number, this.segment(data));
    this.dictionarySize = this.dictionary.size();
  }

  /** Returns all segments, those of the changed products included. */
  segments(): readonly Segment[] {
    if (this.newest === null) {
      const documents = [...this.changed.values()].filter((document) => document !== null);
      this.newest = this.encoded(documents.sort((a, b) => a.id - b.id)).map(this.segment);
    }
    return [...this.stored.values(), ...this.newest];
  }

  /** Returns the values of a name. */
  terms = (name: string) => this.dictionary.find(name);

  /** The approximate size of the stored segments in memory, in bytes. */
  get bytes(): number {
    return [...this.stored.values()].reduce((sum, { data }) => sum + sizeOf(data), 0);
  }

  /** Returns whether the content takes more memory than `most`, or one of the segments to store too much storage. */
  isTooLarge(changes: SegmentChanges, most: number): boolean {
    const isOver = (data: SegmentData | null) => data !== null && sizeOf(data) > MAX_SEGMENT_BYTES;
    return this.bytes > most || [...changes.values()].some(isOver);
  }

  /** How many changed products are not in the stored segments yet. */
  get pending(): number {
    return this.changed.size;
  }

  /** Takes changes that were read after `position`. */
  take({ version, lowStock, position, products, categoryIds, categories, complete }: Changes): void {
    this.position = position;
    this.lowStock = lowStock;
    this.version = complete ? version : null;
    this.tree.change(categoryIds, categories);
    this.add(products);
  }

  /** Takes products in their current state, which replaces what the index has of them. */
  add(products: readonly DocumentRow[]): void {
    for (const row of products) {
      this.changed.set(row.id, row.deleted ? null : documentOf(row));
      for (const segment of this.stored.values()) segment.remove(row.id);
    }
    if (products.length > 0) this.newest = null;
  }

  /**
   * Moves changed products into the stored segments, in at most `most` of these. Returns the segments to store. Once
   * nothing is pending, what is stored has all changes up to `position`.
   */
  merge(most: number): SegmentChanges {
    const changes = new Map<number, SegmentData | null>();
    const ranges = this.ranges();
    const numberFor = (id: number) => (ranges.findLast(({ first }) => first <= id) ?? ranges[0])?.number ?? 0;
    const bySegment = Map.groupBy(this.changed.keys(), numberFor);
    for (const [number, ids] of [...bySegment].slice(0, most)) {
      const [first, ...others] = this.divided(number, new Set(ids));
      changes.set(number, first ?? null);
      for (const other of others) changes.set(this.nextNumber(changes), other);
      for (const id of ids) this.changed.delete(id);
    }
    for (const [number, data] of changes) {
      if (data) this.stored.set(number, this.segment(data));
      else this.stored.delete(number);
    }
    this.newest = null;
    if (this.pending === 0) this.shrinkDictionary();
    return changes;
  }

  /** Returns products, ordered by id, as data of segments: few of those that hardly share a word or value. */
  private encoded(documents: readonly ProductDocument[]): SegmentData[] {
    return divide(documents).flatMap((part) => this.fitting(part));
  }

  /** Returns the data of one segment, or of its halves where it would be too large to be stored. */
  private fitting(part: readonly ProductDocument[]): SegmentData[] {
    const data = encodeSegment(part, this);
    if (part.length === 1 || sizeOf(data) <= MAX_SEGMENT_BYTES) return [data];
    const middle = Math.ceil(part.length / 2);
    return [part.slice(0, middle), part.slice(middle)].flatMap((half) => this.fitting(half));
  }

  private segment = (data: SegmentData): Segment =>
    new Segment(data, { dictionary: this.dictionary, tree: this.tree });

  /** Returns the lowest id of each stored segment, ascending. A segment has all products up to the next one's. */
  private ranges(): { readonly number: number; readonly first: number }[] {
    const ranges = [...this.stored].map(([number, { data }]) => ({ number, first: data.ids[0] ?? 0 }));
    return ranges.sort((a, b) => a.first - b.first);
  }

  /** Returns the data of a stored segment with changed products, divided if they are too many for one. */
  private divided(number: number, ids: ReadonlySet<number>): SegmentData[] {
    const stored = this.stored.get(number);
    const kept = stored ? decodeSegment(stored.data).filter(({ id }) => !ids.has(id)) : [];
    const changed = [...ids].flatMap((id) => this.changed.get(id) ?? []);
    return this.encoded([...kept, ...changed].sort((a, b) => a.id - b.id));
  }

  private nextNumber = (reserved: SegmentChanges): number =>
    1 + Math.max(-1, ...this.stored.keys(), ...reserved.keys());

  /** Rebuilds the dictionary once most of its values may be unused. */
  private shrinkDictionary(): void {
    const size = this.dictionary.size();
    if (size < MAX_DICTIONARY_GROWTH * this.dictionarySize + MIN_DICTIONARY_GROWTH) return;
    this.dictionary = new Dictionary();
    for (const [number, { data }] of this.stored) this.stored.set(number, this.segment(data));
    this.dictionarySize = this.dictionary.size();
  }
}
