/**
 * The arithmetic of an exact rate limit, without I/O: in no sliding 60 seconds are more requests
 * admitted than the limit. Requests are counted by second; what a lease has out and has not reported is
 * counted as if all of it was used, now and, once the lease has ended, in its last second.
 * All times are ms of the limiter's clock. The isolates' clocks may show other times, but must run at the
 * same speed.
 */

/** A lease lets an isolate admit requests by itself until this long (ms) after it asked for it. */
export const LEASE_DURATION_MS = 1_000;
/** Requests that waited for a lease may be admitted until this long (ms) after it was asked for. */
export const LEASE_WAIT_MS = 1_500;
/** A sliding window of 60 s touches 61 whole seconds. */
const WINDOW_SECONDS = 60;

/** What one lease has out. */
export interface Grant {
  readonly id: number;
  readonly permits: number;
  readonly grantedAt: number;
}

/** What was used: [second of the limiter's clock, how many]. */
export type Usage = readonly (readonly [second: number, count: number])[];

/** What was used under one lease. */
export interface Report {
  readonly id: number;
  readonly usage: Usage;
}

/** Where the ledger's entries are written down, so that it can be made again from there. */
export interface Journal {
  /** A lease was given out; answers its id, which no other lease has or had. */
  granted(permits: number, grantedAt: number): number;
  settled(id: number): void;
  used(usage: Usage): void;
  /** Seconds, and leases given out, before this second are of no use any more. */
  forgot(before: number): void;
}

/** The second since the epoch of a time in ms. */
export const second = (ms: number): number => Math.floor(ms / 1000);

/** The second in which an unreported lease counts: the last in which it may have been used. */
const lastSecond = (grant: Grant): number => second(grant.grantedAt + LEASE_WAIT_MS);

/** The counts of one application. */
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

  /** How many requests count at `at`: used in the window, or out under a lease. */
  counted(at: number): number {
    let sum = 0;
    const oldest = second(at) - WINDOW_SECONDS;
    for (const [s, count] of this.seconds) if (s >= oldest) sum += count;
    for (const grant of this.grants.values()) if (lastSecond(grant) >= oldest) sum += grant.permits;
    return sum;
  }

  /** How long (ms) until `places` of what counts at `at` have left the window; 0 when fewer count. */
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
   * Gives out a lease of at most what is free, first for the requests that wait, then for those expected
   * (see {@link share}). Null when nothing is free.
   */
  grant(waiting: number, ahead: number, limit: number, at: number): Grant | null {
    const permits = share(waiting, Math.min(ahead, Math.ceil(limit / 10)), limit - this.counted(at));
    if (permits === 0) return null;
    this.forget(at);
    const grant = { id: this.journal.granted(permits, at), permits, grantedAt: at };
    this.grants.set(grant.id, grant);
    return grant;
  }

  /**
   * Takes leases back and counts what was used of them. One that is not out, or no more, is passed over:
   * reporting twice is harmless. A report can give permits back, never take more.
   */
  settle(reports: readonly Report[]): void {
    for (const { id, usage } of reports) {
      const grant = this.grants.get(id);
      if (!grant) continue;
      this.grants.delete(id);
      this.journal.settled(id);
      this.count(usage, second(grant.grantedAt), lastSecond(grant), grant.permits);
    }
  }

  /** Counts what isolates admitted without a lease, while they could not reach the limiter. */
  settleUnleased(usage: Usage, at: number): void {
    this.count(usage, second(at) - WINDOW_SECONDS, second(at), Number.POSITIVE_INFINITY);
  }

  private count(usage: Usage, first: number, last: number, most: number): void {
    let left = most;
    const used = new Map<number, number>();
    for (const [claimed, claim] of usage) {
      const taken = Math.min(left, Math.max(0, Math.trunc(claim)));
      if (taken > 0) add(used, Math.min(Math.max(Math.trunc(claimed), first), last), taken);
      left -= taken;
    }
    for (const [s, count] of used) add(this.seconds, s, count);
    if (used.size > 0) this.journal.used([...used]);
  }

  /** Drops what left the window a while ago. */
  private forget(at: number): void {
    const before = second(at) - WINDOW_SECONDS - 3;
    // Ten seconds' worth at a time: what is old counts nowhere, it only takes room.
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
