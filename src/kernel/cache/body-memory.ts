import type { CachedBody } from './cached-body.ts';

/** The most UTF-16 units that an isolate keeps in memory, and the overhead counted for each entry. */
const MAX_MEMORY_LENGTH = 16_000_000;
const ENTRY_OVERHEAD = 500;
/** What a tenant is left with that fills the memory: its entries make way before those of others. */
const MAX_LENGTH_OF_TENANT = MAX_MEMORY_LENGTH / 4;

/** What is kept of a tenant: names, oldest first, and how much memory they take. */
interface Share {
  readonly names: Set<string>;
  length: number;
}

const memory = new Map<string, CachedBody>();
const shares = new Map<string, Share>();
let memoryLength = 0;

/** Returns the body that this isolate keeps under a name. */
export const keptBody = (name: string): CachedBody | undefined => memory.get(name);

/**
 * Keeps a body in memory, under a name that begins with the tenant and a colon. While the total exceeds the limit, evicts
 * the oldest entries: those of the same tenant if it has much.
 */
export function keepBody(name: string, rendered: CachedBody): CachedBody {
  drop(name);
  const share = shares.get(tenantIn(name)) ?? { names: new Set(), length: 0 };
  shares.set(tenantIn(name), share);
  share.names.add(name);
  memory.set(name, rendered);
  grow(share, cost(name, rendered));
  if (memoryLength <= MAX_MEMORY_LENGTH) return rendered;
  for (const own of share.names) {
    if (share.length <= MAX_LENGTH_OF_TENANT) break;
    drop(own);
  }
  for (const oldest of memory.keys()) {
    if (memoryLength <= MAX_MEMORY_LENGTH) break;
    drop(oldest);
  }
  return rendered;
}

const tenantIn = (name: string): string => name.slice(0, name.indexOf(':'));

function grow(share: Share, length: number): void {
  share.length += length;
  memoryLength += length;
}

function drop(name: string): void {
  const [rendered, share] = [memory.get(name), shares.get(tenantIn(name))];
  if (!rendered || !share) return;
  memory.delete(name);
  share.names.delete(name);
  if (share.names.size === 0) shares.delete(tenantIn(name));
  grow(share, -cost(name, rendered));
}

const cost = (name: string, { body }: CachedBody): number => body.length + name.length + ENTRY_OVERHEAD;
