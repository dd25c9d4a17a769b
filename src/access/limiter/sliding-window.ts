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

/** The most leases whose usage is awaited; the oldest of more counts as used up, and its report is ignored. */
const MAX_OPEN_LEASES = 500;

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

/** What must be stored of a window, so that it can be loaded again. */
export interface WindowState {
  readonly used: Usage;
  /** The leases whose usage is not reported yet, oldest first. */
  readonly open: readonly Grant[];
}

/** The limit under which a lease is granted, when (ms), and its id, which must never be used again. */
export interface Terms {
  readonly limit: number;
  readonly at: number;
  readonly id: number;
}

/** Returns the second since the epoch of a timestamp in ms. */
export const second = (ms: number): number => Math.floor(ms / 1000);

/** Returns the second in which an unreported lease counts: the last in which it can have been used. */
const lastSecond = (grant: Grant): number => second(grant.grantedAt + LEASE_WAIT_MS);

/** The request counts of one application. */
export class SlidingWindow {
  private readonly seconds: Map<number, number>;
  private readonly open: Map<number, Grant>;
  private forgotten = 0;
  private changed = false;

  constructor({ used, open }: WindowState = { used: [], open: [] }) {
    this.seconds = new Map(used);
    this.open = new Map(open.map((grant) => [grant.id, grant]));
  }

  /** Returns what to store if anything has changed since the last call, else null. */
  unsaved(): WindowState | null {
    if (!this.changed) return null;
    this.changed = false;
    return { used: [...this.seconds], open: [...this.open.values()] };
  }

  /** Returns the requests counted at `at`: used in the window, or unreported under a lease. */
  counted(at: number): number {
    let sum = 0;
    const oldest = second(at) - WINDOW_SECONDS;
    for (const [s, count] of this.seconds) if (s >= oldest) sum += count;
    for (const grant of this.open.values()) if (lastSecond(grant) >= oldest) sum += grant.permits;
    return sum;
  }

  /**
   * Returns the ms until `places` of the requests counted at `at` leave the window; 0 if fewer are counted.
   */
  freesIn(at: number, places: number): number {
    const oldest = second(at) - WINDOW_SECONDS;
    const counts = new Map(this.seconds);
    for (const grant of this.open.values()) add(counts, lastSecond(grant), grant.permits);
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
  grant({ waiting, ahead }: Demand, { limit, at, id }: Terms): Grant | null {
    const permits = share(waiting, Math.min(ahead, Math.ceil(limit / 10)), limit - this.counted(at));
    if (permits === 0) return null;
    this.forget(at);
    const [oldest] = this.open.values();
    if (oldest && this.open.size >= MAX_OPEN_LEASES)
      this.close(oldest, [[lastSecond(oldest), oldest.permits]]);
    const grant = { id, permits, grantedAt: at };
    this.open.set(id, grant);
    this.changed = true;
    return grant;
  }

  /**
   * Ends leases and counts their reported usage. Ignores leases that are unknown or already settled, so that
   * reports are idempotent. A report can return permits but never use more than granted.
   */
  settle(reports: readonly Report[]): void {
    for (const { id, usage } of reports) {
      const grant = this.open.get(id);
      if (grant) this.close(grant, usage);
    }
  }

  /** Counts requests that isolates admitted without a lease while they could not reach the limiter. */
  settleUnleased(usage: Usage, at: number): void {
    const last = second(at);
    this.count(usage, { permits: Number.POSITIVE_INFINITY, first: last - WINDOW_SECONDS, last });
  }

  private close(grant: Grant, usage: Usage): void {
    this.open.delete(grant.id);
    this.changed = true;
    const { permits, grantedAt } = grant;
    this.count(usage, { permits, first: second(grantedAt), last: lastSecond(grant) });
  }

  private count(usage: Usage, { permits, first, last }: Bounds): void {
    let left = permits;
    for (const [claimed, claim] of usage) {
      const taken = Math.min(left, Math.max(0, Math.trunc(claim)));
      if (taken <= 0) continue;
      add(this.seconds, Math.min(Math.max(Math.trunc(claimed), first), last), taken);
      this.changed = true;
      left -= taken;
    }
  }

  /** Deletes seconds and leases that have left the window. */
  private forget(at: number): void {
    const before = second(at) - WINDOW_SECONDS - 3;
    // At most every ten seconds: old entries are never counted, they only take space.
    if (before < this.forgotten + 10) return;
    this.forgotten = before;
    this.changed = true;
    for (const s of this.seconds.keys()) if (s < before) this.seconds.delete(s);
    for (const grant of this.open.values()) {
      if (second(grant.grantedAt) < before) this.open.delete(grant.id);
    }
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
