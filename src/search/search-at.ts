import { now } from '../kernel/core/clock.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { type TenantIndex, tenantIndex } from './database.ts';
import { catchUp } from './indexing/catch-up.ts';

/** Bounds on how long a search waits for the index to reach the requested version. */
const MAX_WAIT_MS = 2_000;
const MAX_WAIT_SLICES = 5;

/**
 * Runs a search at `version` or newer (0: at the version that the index has reached). Brings a lagging index up to
 * date first, and returns null when that takes too long. A version newer than the catalogue's own is treated as
 * the catalogue's own.
 */
export async function searchAt<Found extends { readonly version: number }>(
  ctx: TenantContext,
  search: (index: TenantIndex) => Promise<Found>,
  version: number,
): Promise<Found | null> {
  const found = await search(tenantIndex(ctx, 'nearest'));
  if (found.version >= version) return found;
  const indexing = reachVersion(ctx, version);
  // Indexing that takes longer continues after the response.
  ctx.ctx.waitUntil(indexing.catch(() => undefined));
  return (await withinWait(indexing)) ? search(tenantIndex(ctx)) : null;
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
async function reachVersion(ctx: TenantContext, version: number): Promise<boolean> {
  const until = now() + MAX_WAIT_MS;
  for (let slices = 0; slices < MAX_WAIT_SLICES && now() < until; slices++) {
    const reached = await catchUp(ctx);
    if (reached.complete || reached.version >= version) return true;
  }
  await ctx.env.SEARCH_QUEUE.send({ tenantId: ctx.tenantId, catchUp: true });
  return false;
}
