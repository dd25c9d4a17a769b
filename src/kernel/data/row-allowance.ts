/** What a tenant's lists may read of its database, which other tenants of the shard wait for meanwhile. */
import { BoundedMap } from '../core/bounded-map.ts';
import { now } from '../core/clock.ts';
import { type Failed, fail } from '../core/result.ts';
import { meterDatabase } from './metered-databases.ts';
import type { TenantDatabase } from './tenant-context.ts';

/** The rows that a tenant's lists read at once, and in each second from then on: hardly a tenth of what a database can. */
const BURST_ROWS = 20_000_000;
const ROWS_A_SECOND = 1_000_000;

/** The longest wait (ms): a list that reads more than that is forgiven the rest. */
const MAX_WAIT_MS = 60_000;

/** How many tenants an isolate remembers. */
const MAX_TENANTS = 10_000;

const BURST_MS = (BURST_ROWS / ROWS_A_SECOND) * 1_000;

/** When each tenant is allowed the rows that its lists have read in this isolate (ms since the epoch). */
const allowedAt = new BoundedMap<number, number>(MAX_TENANTS);

/** Returns `rate_limited` while a tenant's lists have read too many rows, else null. */
export function rowsRefusal(tenantId: number): Failed | null {
  const retryAfter = Math.ceil(((allowedAt.get(tenantId) ?? 0) - now() - BURST_MS) / 1_000);
  return retryAfter > 0 ? fail('rate_limited', { message: TOO_MANY_ROWS, retryAfter }) : null;
}

const TOO_MANY_ROWS = 'The lists of this shop have read too many rows; narrow the filters or ask less often.';

/** Counts rows that a list has read. */
export function countRows(tenantId: number, read: number): void {
  const at = now();
  const until = Math.max(allowedAt.get(tenantId) ?? 0, at) + (read / ROWS_A_SECOND) * 1_000;
  allowedAt.set(tenantId, Math.min(until, at + BURST_MS + MAX_WAIT_MS));
}

/** Runs a list's read of a tenant's database and counts its rows; returns {@link rowsRefusal} instead if there is one. */
export async function withinRows<T>(
  ctx: TenantDatabase,
  read: (metered: TenantDatabase) => Promise<T>,
): Promise<T | Failed> {
  const refusal = rowsRefusal(ctx.tenantId);
  if (refusal) return refusal;
  const meter = meterDatabase(ctx);
  try {
    return await read(meter.ctx);
  } finally {
    countRows(ctx.tenantId, meter.take().rows);
  }
}
