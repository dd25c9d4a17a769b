import type { ShardName } from '../../../kernel/shards/shard-names.ts';
import type { IndexedCategory, IndexPosition } from '../changes/index.ts';
import type { SegmentChanges, StoredContent } from './content.ts';
import type { SegmentData } from './segment-data.ts';

/** How far an index is: being built from the products after an id, ready, or given up for a while. */
type IndexPhase =
  | { readonly name: 'building'; readonly after: number }
  | { readonly name: 'ready' }
  | { readonly name: 'too_large' };

/** The format of what is stored. Another number discards what earlier versions of this code have stored. */
const FORMAT = 7;

/** The state of an index besides its content. */
export interface IndexState {
  readonly tenantId: number;
  /** The shard whose changes {@link position} counts. */
  readonly shard: ShardName;
  /** Whether the segments have the products' words; without them an index takes about half the memory. */
  readonly texts: boolean;
  readonly phase: IndexPhase;
  /** About the memory that the stored content takes (bytes); absent where an earlier version of this code stored it. */
  readonly bytes?: number;
  /** The changes up to here are in the stored segments and the stored tree. */
  readonly position: IndexPosition;
  /** When the changes were read last (ms). */
  readonly readAt: number;
}

/** The parts to store; absent ones stay as they are stored. */
export interface StoredChanges {
  readonly segments?: SegmentChanges;
  readonly categories?: readonly IndexedCategory[];
}

/** Categories of one stored part of the tree: with the longest names they stay below the 2 MB of a value. */
const MAX_CATEGORIES_PER_PART = 1_000;
const SEGMENT = 'segment:';
const TREE = 'tree:';

/** Reads and writes what an index keeps in its object's storage. */
export class IndexStorage {
  private readonly kv: SyncKvStorage;

  constructor(private readonly storage: DurableObjectStorage) {
    this.kv = storage.kv;
  }

  /** Returns the stored state, or null if there is none. Deletes everything that is of another format. */
  state(): IndexState | null {
    const stored = this.kv.get<IndexState & { readonly format?: number }>('state');
    if (stored?.format === FORMAT) return stored;
    for (const [key] of [...this.kv.list()]) this.kv.delete(key);
    return null;
  }

  /** Returns when the index was asked last (ms), at most a day before the last time. */
  askedAt = (): number => this.kv.get<number>('asked') ?? 0;

  noteAsked(at: number): void {
    this.kv.put('asked', at);
  }

  content({ position, texts }: IndexState): StoredContent {
    const parts = [...this.kv.list<SegmentData>({ prefix: SEGMENT })];
    const tree = [...this.kv.list<IndexedCategory[]>({ prefix: TREE })];
    return {
      position,
      texts,
      segments: new Map(parts.map(([key, data]) => [Number(key.slice(SEGMENT.length)), data])),
      categories: tree.flatMap(([, categories]) => categories),
    };
  }

  /** Stores the state with changed segments and the changed tree, all or nothing. */
  save(state: IndexState, { segments = new Map(), categories }: StoredChanges): void {
    this.storage.transactionSync(() => {
      for (const [number, data] of segments) {
        if (data) this.kv.put(SEGMENT + number, data);
        else this.kv.delete(SEGMENT + number);
      }
      if (categories) this.saveTree(categories);
      this.kv.put('state', { ...state, format: FORMAT });
    });
  }

  private saveTree(tree: readonly IndexedCategory[]): void {
    for (const [key] of [...this.kv.list({ prefix: TREE })]) this.kv.delete(key);
    for (let from = 0; from < tree.length; from += MAX_CATEGORIES_PER_PART) {
      this.kv.put(TREE + from, tree.slice(from, from + MAX_CATEGORIES_PER_PART));
    }
  }
}
