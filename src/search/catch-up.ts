import { changesForSearch } from '../catalog/index.ts';
import { now } from '../kernel/core/clock.ts';
import { database } from '../kernel/data/database.ts';
import { noteProgress, readProgress } from './progress.ts';
import { find, type Hits, upsert } from './store.ts';

/** How far a slice has brought a tenant's index. */
export interface Reached {
  readonly version: number;
  /** Whether nothing was left to be indexed. */
  readonly complete: boolean;
}

/**
 * Indexes the next of what has changed of a tenant's catalogue since the index last caught up: at most 300
 * products, about a dozen statements. Any number of them at once do no harm.
 */
export async function catchUp(env: Env, tenantId: number): Promise<Reached> {
  const db = env.SEARCH_DB;
  const before = await readProgress(db, tenantId);
  const slice = await changesForSearch(database(env), tenantId, before.sequence);
  const version = slice.complete ? Math.max(slice.version, before.version) : before.version;
  if (slice.documents.length > 0 || version > before.version) {
    const progress = noteProgress(db, tenantId, { sequence: slice.sequence, version });
    await upsert(db, slice.documents, [progress]);
  }
  await slice.settle();
  return { version, complete: slice.complete };
}

/** What is searched for: see {@link find}. */
export interface Search {
  readonly q: string;
  readonly page: number;
  readonly limit: number;
}

/** A search that asks for a version waits for the index this long at most (ms), and through so many slices. */
const MAX_WAIT_MS = 2_000;
const MAX_SLICES = 5;

/**
 * Searches at a catalogue version or a newer one (0: at whatever the index has reached). Where the index lags it
 * is brought up to date first; null when that takes too long. A version that the catalogue has not reached
 * itself is answered with the newest.
 */
export async function searchAt(
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  tenantId: number,
  { q, page, limit }: Search,
  version: number,
): Promise<Hits | null> {
  const near = env.SEARCH_DB.withSession('first-unconstrained');
  const found = await find(near, tenantId, q, page, limit);
  if (found.version >= version) return found;
  const following = follow(env, tenantId, version);
  // What takes longer goes on behind the answer.
  ctx.waitUntil(following.catch(() => undefined));
  return (await inTime(following)) ? find(env.SEARCH_DB, tenantId, q, page, limit) : null;
}

/** What work comes to, or false when it takes too long. */
async function inTime(work: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Brings an index to a version; leaves what is more than some slices to the queue, and returns false then. */
async function follow(env: Env, tenantId: number, version: number): Promise<boolean> {
  const until = now() + MAX_WAIT_MS;
  for (let slices = 0; slices < MAX_SLICES && now() < until; slices++) {
    const reached = await catchUp(env, tenantId);
    if (reached.complete || reached.version >= version) return true;
  }
  await env.SEARCH_QUEUE.send({ tenantId, catchUp: true });
  return false;
}
