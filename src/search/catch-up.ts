import { changesForSearch } from '../catalog/index.ts';
import { now } from '../kernel/core/clock.ts';
import { database } from '../kernel/data/database.ts';
import { noteProgress, readProgress } from './progress.ts';
import { find, type Hits, upsert } from './store.ts';

/** The index's state after a slice. */
export interface Reached {
  readonly version: number;
  /** Whether no change is left to index. */
  readonly complete: boolean;
}

/**
 * Indexes the next slice of a tenant's catalogue changes: at most 300 products, about a dozen statements.
 * Concurrent calls are safe.
 */
export async function catchUp(env: Env, tenantId: number): Promise<Reached> {
  const db = env.SEARCH_DB;
  const before = await readProgress(db, tenantId);
  const slice = await changesForSearch({ db: database(env), tenantId }, before.sequence);
  const version = slice.complete ? Math.max(slice.version, before.version) : before.version;
  if (slice.documents.length > 0 || version > before.version) {
    const progress = noteProgress(db, tenantId, { sequence: slice.sequence, version });
    await upsert(db, slice.documents, [progress]);
  }
  await slice.settle();
  return { version, complete: slice.complete };
}

/** The parameters of a search: see {@link find}. */
export interface Search {
  readonly q: string;
  readonly page: number;
  readonly limit: number;
}

/** Bounds on how long a search waits for the index to reach the requested version. */
const MAX_WAIT_MS = 2_000;
const MAX_SLICES = 5;

/**
 * Searches at `version` or newer (0: at the version that the index has reached). Brings a lagging index up to
 * date first, and returns null when that takes too long. A version that the catalogue itself has not reached
 * counts as the newest.
 */
export async function searchAt(
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  tenantId: number,
  { q, page, limit }: Search,
  version: number,
): Promise<Hits | null> {
  const replica = env.SEARCH_DB.withSession('first-unconstrained');
  const found = await find(replica, tenantId, q, page, limit);
  if (found.version >= version) return found;
  const indexing = reachVersion(env, tenantId, version);
  // Indexing that takes longer continues after the response.
  ctx.waitUntil(indexing.catch(() => undefined));
  return (await withinWait(indexing)) ? find(env.SEARCH_DB, tenantId, q, page, limit) : null;
}

/** Returns the result of `work`, or false after {@link MAX_WAIT_MS}. */
async function withinWait(work: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MAX_WAIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Brings the index to a version. When that exceeds the bounds, enqueues the rest and returns false. */
async function reachVersion(env: Env, tenantId: number, version: number): Promise<boolean> {
  const until = now() + MAX_WAIT_MS;
  for (let slices = 0; slices < MAX_SLICES && now() < until; slices++) {
    const reached = await catchUp(env, tenantId);
    if (reached.complete || reached.version >= version) return true;
  }
  await env.SEARCH_QUEUE.send({ tenantId, catchUp: true });
  return false;
}
