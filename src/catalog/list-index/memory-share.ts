import type { IndexContent } from './segments/index.ts';

/**
 * The most memory (bytes) of all indexes in one isolate, which has 128 MB and may run the objects of several tenants.
 * Lowered by tests.
 */
export const ISOLATE = { maxBytes: 64_000_000 };

/** The shares of the objects in this isolate. The runtime evicts objects without notice, so nothing here keeps them. */
const shares = new Set<WeakRef<MemoryShare>>();
/** Counts the uses of all shares: the lower a share's last one, the longer ago it was. */
let uses = 0;

/** Returns what the indexes in this isolate take together (bytes). */
export const bytesInMemory = (): number => loadedShares().reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns the shares that have a content, the one that was used longest ago first. Forgets those of evicted objects. */
function loadedShares(): MemoryShare[] {
  const loaded: MemoryShare[] = [];
  for (const ref of shares) {
    const share = ref.deref();
    if (!share) shares.delete(ref);
    else if (share.content) loaded.push(share);
  }
  return loaded.sort((a, b) => a.lastUse - b.lastUse);
}

/**
 * What one object keeps in the isolate's memory. It is derived from the object's storage: another object that needs
 * the room drops it.
 */
export class MemoryShare {
  content: IndexContent | null = null;
  /** About the size of the content. */
  bytes = 0;
  lastUse = 0;
  private isWorking = false;

  constructor() {
    shares.add(new WeakRef(this));
  }

  /** Returns the content, if it is in memory. */
  use(): IndexContent | null {
    this.lastUse = ++uses;
    return this.content;
  }

  /** Runs `work`, which uses the content across reads of the database: it isn't dropped meanwhile. One at a time. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.isWorking = true;
    try {
      return await work();
    } finally {
      this.isWorking = false;
    }
  }

  /**
   * Returns the content of so many bytes, from `load` unless it is in memory, for which the contents that were used
   * longest ago are dropped. Returns null if those in use leave no room.
   */
  take(bytes: number, load: () => IndexContent): IndexContent | null {
    if (!this.makeRoom(bytes)) this.content = null;
    else this.content ??= load();
    this.bytes = bytes;
    return this.use();
  }

  /** Returns whether this content has room, after others that are not in use were dropped for it. */
  private makeRoom(bytes: number): boolean {
    const others = loadedShares().filter((share) => share !== this);
    let left = ISOLATE.maxBytes - others.reduce((sum, share) => sum + share.bytes, 0);
    for (const share of others) {
      if (left >= bytes) return true;
      if (share.isWorking) continue;
      share.content = null;
      left += share.bytes;
    }
    return left >= bytes || others.every(({ content }) => content === null);
  }
}
