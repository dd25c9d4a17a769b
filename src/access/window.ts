/**
 * The arithmetic of an exact rate limit, without I/O: in no sliding 60 seconds are more requests
 * admitted than the limit. Requests are counted by second; what a lease has out and has not reported is
 * counted as if all of it was used, now and, once the lease has ended, in its last second.
 * All times are ms of the limiter's clock, which must not run at another speed than the isolates' clocks;
 * that they show different times does no harm.
 */

/** A lease lets an isolate admit requests by itself until this long (ms) after it asked for it. */
export const LEASE_MS = 1_000;
/** Requests that waited for a lease may be admitted until this long (ms) after it was asked for. */
export const PATIENCE = 1_500;
/** A sliding window of 60 s touches 61 whole seconds. */
const WINDOW = 60;

/** What one lease has out. */
export interface Grant {
  readonly id: number;
  readonly permits: number;
  readonly grantedAt: number;
}

/** What was used: [second of the limiter's clock, how many]. */
export type Usage = readonly (readonly [second: number, count: number])[];

export const second = (ms: number): number => Math.floor(ms / 1000);

/** The second in which an unreported lease counts: the last in which it may have been used. */
const lastSecond = (grant: Grant): number => second(grant.grantedAt + PATIENCE);

/** The counts of one application. */
export class Ledger {
  /** Second since the epoch → requests admitted in it. */
  readonly seconds = new Map<number, number>();
  /** Leases that have not been reported, by id. */
  readonly grants = new Map<number, Grant>();

  /** How many requests count at `at`: used in the window, or out under a lease. */
  counted(at: number): number {
    let sum = 0;
    const oldest = second(at) - WINDOW;
    for (const [s, count] of this.seconds) if (s >= oldest) sum += count;
    for (const grant of this.grants.values()) if (lastSecond(grant) >= oldest) sum += grant.permits;
    return sum;
  }

  /** How long (ms) until `places` of what counts at `at` have left the window; 0 when fewer count. */
  freesIn(at: number, places: number): number {
    const oldest = second(at) - WINDOW;
    const counts = new Map(this.seconds);
    for (const grant of this.grants.values()) {
      counts.set(lastSecond(grant), (counts.get(lastSecond(grant)) ?? 0) + grant.permits);
    }
    let left = places;
    for (const [s, count] of [...counts].sort(([a], [b]) => a - b)) {
      if (s < oldest) continue;
      left -= count;
      if (left <= 0) return (s + WINDOW + 1) * 1000 - at;
    }
    return 0;
  }

  /**
   * Takes a lease back and counts what was used of it; answers the seconds that this changed, or null for
   * a lease that is not out. A report can give permits back, never take more.
   */
  settle(id: number, usage: Usage): Usage | null {
    const grant = this.grants.get(id);
    if (!grant) return null;
    this.grants.delete(id);
    return this.count(usage, second(grant.grantedAt), lastSecond(grant), grant.permits);
  }

  /** Counts what isolates admitted without a lease, while they could not reach the limiter. */
  settleUnleased(usage: Usage, at: number): Usage {
    return this.count(usage, second(at) - WINDOW, second(at), Number.POSITIVE_INFINITY);
  }

  /** Drops what left the window a while ago; answers the oldest second that is kept. */
  forget(at: number): number {
    const oldest = second(at) - WINDOW - 3;
    for (const s of this.seconds.keys()) if (s < oldest) this.seconds.delete(s);
    for (const grant of this.grants.values()) {
      if (second(grant.grantedAt) < oldest) this.grants.delete(grant.id);
    }
    return oldest;
  }

  private count(usage: Usage, first: number, last: number, most: number): Usage {
    let left = most;
    const changed = new Map<number, number>();
    for (const [claimed, count] of usage) {
      const used = Math.min(left, Math.max(0, Math.trunc(count)));
      const at = Math.min(Math.max(Math.trunc(claimed), first), last);
      if (used > 0) changed.set(at, (changed.get(at) ?? 0) + used);
      left -= used;
    }
    for (const [at, used] of changed) this.seconds.set(at, (this.seconds.get(at) ?? 0) + used);
    return [...changed];
  }
}

/**
 * How many permits to give out of `free`: first to the requests that wait, and then, of what is wanted
 * ahead, near the limit at most half of what is left, so that one isolate doesn't take what another
 * needs this second.
 */
export function share(waiting: number, ahead: number, free: number): number {
  if (free <= 0) return 0;
  const firm = Math.min(waiting, free);
  const rest = free - firm;
  return firm + (ahead * 2 <= rest ? ahead : Math.ceil(rest / 2));
}
