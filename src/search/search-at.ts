import { toItsEnd } from '../kernel/async/to-its-end.ts';
import { now } from '../kernel/core/clock.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { Allowance } from '../kernel/data/allowance.ts';
import { meterD1 } from '../kernel/data/metered-databases.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { type TenantIndex, tenantIndex } from './database.ts';
import { catchUp } from './indexing/catch-up.ts';

/** Bounds on how long a search waits for the index to reach the requested version. */
const MAX_WAIT_MS = 2_000;
const MAX_WAIT_SLICES = 5;

/** The time (ms) that a tenant's searches take of its search database: in the end a quarter of what there is. */
const allowance = new Allowance({
  atOnce: 10_000,
  aSecond: 250,
  message: 'The searches of this shop have taken too much time; search less often, or for fewer words.',
});

/**
 * Runs a search at `version` or newer (0: at the version that the index has reached). Brings a lagging index up to
 * date first; `unavailable` when that takes too long. A version newer than the catalogue's own is treated as the
 * catalogue's own. Fails with `rate_limited` while the tenant's searches have taken too much time.
 */
export async function searchAt<Found extends { readonly version: number }>(
  ctx: TenantContext,
  search: (index: TenantIndex) => Promise<Found>,
  version: number,
): Promise<Result<Found>> {
  const refusal = allowance.refusal(ctx.tenantId);
  if (refusal) return refusal;
  const found = await timed(ctx, tenantIndex(ctx, 'nearest'), search);
  if (found.version >= version) return ok(found);
  const indexing = reachVersion(ctx, version);
  // Indexing that takes longer continues after the response.
  ctx.ctx.waitUntil(indexing.catch(() => undefined));
  return (await withinWait(indexing)) ? ok(await timed(ctx, tenantIndex(ctx), search)) : NOT_REACHED;
}

const NOT_REACHED = fail('unavailable', { message: 'The index has not reached this version yet.' });

/** Runs a search and counts its time, also for a client that disconnects. */
function timed<Found>(
  { ctx, tenantId }: TenantContext,
  index: TenantIndex,
  search: (index: TenantIndex) => Promise<Found>,
): Promise<Found> {
  const { d1, take } = meterD1(index.db);
  const found = search({ ...index, db: d1 }).finally(() => allowance.count(tenantId, take().ms));
  return toItsEnd(ctx, found);
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
