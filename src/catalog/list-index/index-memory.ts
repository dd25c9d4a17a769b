import type { IndexContent } from './segments/index.ts';

/**
 * The most memory (bytes) of all indexes in one isolate, which has 128 MB and may run the objects of several tenants.
 * Lowered by tests.
 */
export const ISOLATE = { maxBytes: 64_000_000 };

/** The memories of the objects in this isolate. The runtime evicts objects without notice: these references are weak. */
const memories = new Set<WeakRef<IndexMemory>>();
/** The number of uses so far, of all memories. */
let uses = 0;

/** Returns those that hold a content, the least recently used first. Forgets those of evicted objects. */
function loadedMemories(): IndexMemory[] {
  const loaded: IndexMemory[] = [];
  for (const ref of memories) {
    const memory = ref.deref();
    if (!memory) memories.delete(ref);
    else if (memory.content) loaded.push(memory);
  }
  return loaded.sort((a, b) => a.lastUse - b.lastUse);
}

const bytesOf = (some: readonly IndexMemory[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns the size of all indexes in this isolate (bytes). */
export const bytesInMemory = (): number => bytesOf(loadedMemories());

/**
 * The content of one object's index in memory. Other objects may evict it: it is derived from the object's storage.
 */
export class IndexMemory {
  content: IndexContent | null = null;
  /** About the size of the content. */
  bytes = 0;
  lastUse = 0;
  private pinned = false;

  constructor() {
    memories.add(new WeakRef(this));
  }

  /** Returns the content, if it is in memory. */
  use(): IndexContent | null {
    this.lastUse = ++uses;
    return this.content;
  }

  /** Runs `work`, during which nothing evicts the content: it is used across reads of the database. One at a time. */
  async whilePinned<T>(work: () => Promise<T>): Promise<T> {
    this.pinned = true;
    try {
      return await work();
    } finally {
      this.pinned = false;
    }
  }

  /**
   * Returns the content of so many bytes, loaded unless it is in memory. Evicts the least recently used contents of
   * other objects if the limit requires it; returns null if the pinned ones alone exceed it.
   */
  take(bytes: number, load: () => IndexContent): IndexContent | null {
    if (!this.evictOthers(bytes)) this.content = null;
    else this.content ??= load();
    this.bytes = bytes;
    return this.use();
  }

  /** Evicts as many others as this content requires. Returns false if no eviction would suffice, and evicts none then. */
  private evictOthers(bytes: number): boolean {
    const others = loadedMemories().filter((memory) => memory !== this);
    const pinned = others.filter((memory) => memory.pinned);
    if (pinned.length > 0 && bytesOf(pinned) + bytes > ISOLATE.maxBytes) return false;
    let used = bytesOf(others);
    for (const memory of others) {
      if (used + bytes <= ISOLATE.maxBytes) break;
      if (memory.pinned) continue;
      memory.content = null;
      used -= memory.bytes;
    }
    return true;
  }
}
