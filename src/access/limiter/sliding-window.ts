/**
 * The arithmetic of an exact rate limit, without I/O: no sliding window of 60 seconds admits more requests
 * than the limit. Requests are counted by second. Unreported permits of a lease count as used: while the
 * lease is active, and after its end in its last second. All times are ms of the limiter's clock. The
 * isolates' clocks may be offset, but must run at the same speed.
 */

/** How long (ms) after the request for a lease an isolate may admit arriving requests under it. */
export const LEASE_DURATION_MS = 1_000;
/** How long (ms) after the request for a lease requests that waited for it may be admitted. */
export const LEASE_WAIT_MS = 1_500;
/** The window in seconds. A sliding window of 60 s touches 61 whole seconds. */
const WINDOW_SECONDS = 60;

/** A lease as the limiter granted it. */
export interface Grant {
  readonly id: number;
  readonly permits: number;
  readonly grantedAt: number;
}

/** The permits that an isolate asks for. */
export interface Demand {
  /** Requests that wait for the lease, and how many more are expected within the second. */
  readonly waiting: number;
  readonly ahead: number;
}

/** The permits that a report may use: their number, and the seconds they may have been used in. */
interface Bounds {
  readonly permits: number;
  readonly first: number;
  readonly last: number;
}

/** Used permits by second of the limiter's clock. */
export type Usage = readonly (readonly [second: number, count: number])[];

/** The usage of one lease. */
export interface Report {
  readonly id: number;
  readonly usage: Usage;
}

/** Persists the window's changes, so that it can be loaded again. */
export interface Journal {
  /** Records a granted lease. Returns its id, which is never reused. */
  granted(permits: number, grantedAt: number): number;
  settled(id: number): void;
  used(usage: Usage): void;
  /** Deletes seconds and leases before this second. */
  forgot(before: number): void;
}

/** Returns the second since the epoch of a timestamp in ms. */
export const second = (ms: number): number => Math.floor(ms / 1000);

/** Returns the second in which an unreported lease counts: the last in which it can have been used. */
const lastSecond = (grant: Grant): number => second(grant.grantedAt + LEASE_WAIT_MS);

/** The request counts of one application. */
export class SlidingWindow {
  private readonly seconds = new Map<number, number>();
  private readonly grants = new Map<number, Grant>();
  private forgotten = 0;

  constructor(
    private readonly journal: Journal,
    seconds: Iterable<readonly [second: number, count: number]> = [],
    grants: Iterable<Grant> = [],
  ) {
    for (const [at, count] of seconds) this.seconds.set(at, count);
    for (const grant of grants) this.grants.set(grant.id, grant);
  }

  /** Returns the requests counted at `at`: used in the window, or unreported under a lease. */
  counted(at: number): number {
    let sum = 0;
    const oldest = second(at) - WINDOW_SECONDS;
    for (const [s, count] of this.seconds) if (s >= oldest) sum += count;
    for (const grant of this.grants.values()) if (lastSecond(grant) >= oldest) sum += grant.permits;
    return sum;
  }

  /**
   * Returns the ms until `places` of the requests counted at `at` leave the window; 0 if fewer are counted.
   */
  freesIn(at: number, places: number): number {
    const oldest = second(at) - WINDOW_SECONDS;
    const counts = new Map(this.seconds);
    for (const grant of this.grants.values()) add(counts, lastSecond(grant), grant.permits);
    let left = places;
    for (const [s, count] of [...counts].sort(([a], [b]) => a - b)) {
      if (s < oldest) continue;
      left -= count;
      if (left <= 0) return (s + WINDOW_SECONDS + 1) * 1000 - at;
    }
    return 0;
  }

  /**
   * Grants a lease of at most the free permits, first for waiting requests, then for expected ones (see
   * {@link share}). Returns `null` if nothing is free.
   */
  grant({ waiting, ahead }: Demand, limit: number, at: number): Grant | null {
    const permits = share(waiting, Math.min(ahead, Math.ceil(limit / 10)), limit - this.counted(at));
    if (permits === 0) return null;
    this.forget(at);
    const grant = { id: this.journal.granted(permits, at), permits, grantedAt: at };
    this.grants.set(grant.id, grant);
    return grant;
  }

  /**
   * Ends leases and counts their reported usage. Ignores leases that are unknown or already settled, so that
   * reports are idempotent. A report can return permits but never use more than granted.
   */
  settle(reports: readonly Report[]): void {
    for (const { id, usage } of reports) {
      const grant = this.grants.get(id);
      if (!grant) continue;
      this.grants.delete(id);
      this.journal.settled(id);
      const { permits, grantedAt } = grant;
      this.count(usage, { permits, first: second(grantedAt), last: lastSecond(grant) });
    }
  }

  /** Counts requests that isolates admitted without a lease while they could not reach the limiter. */
  settleUnleased(usage: Usage, at: number): void {
    const last = second(at);
    this.count(usage, { permits: Number.POSITIVE_INFINITY, first: last - WINDOW_SECONDS, last });
  }

  private count(usage: Usage, { permits, first, last }: Bounds): void {
    let left = permits;
    const used = new Map<number, number>();
    for (const [claimed, claim] of usage) {
      const taken = Math.min(left, Math.max(0, Math.trunc(claim)));
      if (taken > 0) add(used, Math.min(Math.max(Math.trunc(claimed), first), last), taken);
      left -= taken;
    }
    for (const [s, count] of used) add(this.seconds, s, count);
    if (used.size > 0) this.journal.used([...used]);
  }

  /** Deletes seconds and leases that have left the window. */
  private forget(at: number): void {
    const before = second(at) - WINDOW_SECONDS - 3;
    // At most every ten seconds: old entries are never counted, they only take space.
    if (before < this.forgotten + 10) return;
    this.forgotten = before;
    for (const s of this.seconds.keys()) if (s < before) this.seconds.delete(s);
    for (const grant of this.grants.values()) {
      if (second(grant.grantedAt) < before) this.grants.delete(grant.id);
    }
    this.journal.forgot(before);
  }
}

function add(counts: Map<number, number>, at: number, count: number): void {
  counts.set(at, (counts.get(at) ?? 0) + count);
}

/**
 * Returns how many of the `free` permits to grant: first one for each waiting request, then for expected ones
 * at most half of the rest, so that one isolate doesn't take the permits that another needs this second.
 */
export function share(waiting: number, ahead: number, free: number): number {
  if (free <= 0) return 0;
  const firm = Math.min(waiting, free);
  const rest = free - firm;
  return firm + (ahead * 2 <= rest ? ahead : Math.ceil(rest / 2));
}
