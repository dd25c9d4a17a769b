/** The window of the limit (ms): no response tells to wait for longer. */
export const WINDOW_MS = 60_000;

/** Whoever holds permits of an application in this isolate. */
export interface PermitHolder {
  /** Permits in hand or given up that the limiter still counts as used. */
  unspent(): number;
}

/** What a response says of the limit: requests left, and the seconds for which that will not rise. */
export interface LimitState {
  readonly remaining: number;
  readonly resetIn: number;
}

/** Returns whole seconds from 1 to 60: what a client is told to wait. */
export const waitSeconds = (ms: number): number =>
  Math.min(WINDOW_MS / 1000, Math.max(1, Math.ceil(ms / 1000)));

/**
 * What the responses of one isolate say of one application's limit, over all its tokens. Inside a window that was
 * told to a client `remaining` falls by one or more with each request, whatever other isolates give back meanwhile.
 * Without I/O; times are ms of the isolate's clock.
 */
export class LimitView {
  private readonly holders = new Set<PermitHolder>();
  /** What was free beside all leases when the limiter was last heard, and when the next place will be. */
  private free = 0;
  private freesAt = 0;
  private told: { limit: number; remaining: number; until: number } | null = null;

  join(holder: PermitHolder): void {
    this.holders.add(holder);
  }

  /** Drops a holder; returns whether it was the last one. */
  leave(holder: PermitHolder): boolean {
    this.holders.delete(holder);
    return this.holders.size === 0;
  }

  /** The limiter was heard: so many places are free beside the leases, and one more at `freesAt`. */
  heard(free: number, freesAt: number): void {
    this.free = free;
    this.freesAt = freesAt;
  }

  /** The limiter has refused: nothing is left until `freesAt`. */
  refused(limit: number, freesAt: number, at: number): void {
    this.heard(0, freesAt);
    this.told = { limit, remaining: 0, until: at + waitSeconds(freesAt - at) * 1000 };
  }

  /** What the response to a request says that was admitted at `at`, its permit taken already. */
  admitted(limit: number, at: number): LimitState {
    let known = this.free;
    for (const holder of this.holders) known += holder.unspent();
    const { told } = this;
    const same = told !== null && told.limit === limit && at < told.until;
    const remaining = Math.max(0, same ? Math.min(told.remaining - 1, known) : known);
    const until = same ? told.until : at + waitSeconds(this.freesAt - at) * 1000;
    this.told = { limit, remaining, until };
    return { remaining, resetIn: waitSeconds(until - at) };
  }
}
