/**
 * The arithmetic of an exact rate limit, without I/O: in no sliding 60 seconds are more requests
 * admitted than the limit. Requests are counted by second; what a lease has out and has not reported is
 * counted as if all of it was used, now and, once the lease has ended, in its last second.
 * All times are ms of the limiter's clock.
 */

/** A lease lets an isolate admit `permits` requests by itself for this long (ms). */
export const LEASE_MS = 1_000;
/** A sliding window of 60 s touches 61 whole seconds. */
const WINDOW = 60;

/** What one lease has out. */
export interface Grant {
  readonly id: number;
  readonly permits: number;
  readonly grantedAt: number;
}

/** What was used under a lease: [second of the limiter's clock, how many]. */
export type Usage = readonly (readonly [second: number, count: number])[];

/** The counts of one application. */
export interface Counts {
  /** Second since the epoch → requests admitted in it. */
  readonly seconds: ReadonlyMap<number, number>;
  /** Leases that have not been reported. */
  readonly grants: ReadonlyMap<number, Grant>;
}

const second = (ms: number): number => Math.floor(ms / 1000);

/** The second in which an unreported lease counts: its last one. */
export const lastSecond = (grant: Grant): number => second(grant.grantedAt + LEASE_MS);

/** How many requests count at `at`: used in the window, or out under a lease. */
export function counted({ seconds, grants }: Counts, at: number): number {
  let sum = 0;
  const oldest = second(at) - WINDOW;
  for (const [s, n] of seconds) if (s >= oldest) sum += n;
  for (const grant of grants.values()) if (lastSecond(grant) >= oldest) sum += grant.permits;
  return sum;
}

/**
 * How many permits to give to one who asks for `want`: near the limit at most half of what is free, so
 * that one isolate doesn't take what another needs this second.
 */
export function share(want: number, free: number): number {
  if (free <= 0) return 0;
  return Math.min(want, want * 2 <= free ? want : Math.ceil(free / 2));
}

/** How long (ms) until something that counts now leaves the window; at most a full window. */
export function freesIn({ seconds, grants }: Counts, at: number): number {
  let oldest = Number.POSITIVE_INFINITY;
  const first = second(at) - WINDOW;
  for (const [s, n] of seconds) if (n > 0 && s >= first) oldest = Math.min(oldest, s);
  for (const grant of grants.values()) {
    if (lastSecond(grant) >= first) oldest = Math.min(oldest, lastSecond(grant));
  }
  if (oldest === Number.POSITIVE_INFINITY) return 0;
  return (oldest + WINDOW + 1) * 1000 - at;
}

/** What a report says was used, cut to what the lease had: a report can give back, never take more. */
export function settleUsage(grant: Grant, usage: Usage): [second: number, count: number][] {
  let left = grant.permits;
  const settled = new Map<number, number>();
  for (const [claimed, count] of usage) {
    const used = Math.min(left, Math.max(0, Math.trunc(count)));
    const at = Math.min(Math.max(Math.trunc(claimed), second(grant.grantedAt)), lastSecond(grant));
    if (used > 0) settled.set(at, (settled.get(at) ?? 0) + used);
    left -= used;
  }
  return [...settled];
}
