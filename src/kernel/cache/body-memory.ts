import type { CachedBody } from './cached-body.ts';

/** The most UTF-16 units that an isolate keeps in memory, and the overhead counted for each entry. */
const MAX_MEMORY_LENGTH = 16_000_000;
const ENTRY_OVERHEAD = 500;

const memory = new Map<string, CachedBody>();
let memoryLength = 0;

/** Returns the body that this isolate keeps under a name. */
export const keptBody = (name: string): CachedBody | undefined => memory.get(name);

/** Keeps a body in memory. Evicts the oldest entries while the total exceeds the limit. */
export function keepBody(name: string, rendered: CachedBody): CachedBody {
  drop(name);
  memory.set(name, rendered);
  memoryLength += cost(name, rendered);
  for (const oldest of memory.keys()) {
    if (memoryLength <= MAX_MEMORY_LENGTH) break;
    drop(oldest);
  }
  return rendered;
}

function drop(name: string): void {
  const rendered = memory.get(name);
  if (!rendered) return;
  memory.delete(name);
  memoryLength -= cost(name, rendered);
}

const cost = (name: string, { body }: CachedBody): number => body.length + name.length + ENTRY_OVERHEAD;
