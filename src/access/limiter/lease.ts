import { type Grant, LEASE_DURATION_MS, LEASE_WAIT_MS, type Report, second } from './sliding-window.ts';

/**
 * An isolate's side of a lease, without I/O: what of it is left, and in which seconds it was used.
 * All times are ms of the isolate's clock. A lease ends by when it was asked for, which was before the
 * limiter gave it out; so the isolate never uses it longer than the limiter thinks.
 */
export class Lease {
  /** Requests that may still be admitted. */
  left: number;
  private readonly used = new Map<number, number>();

  constructor(
    private readonly grant: Grant,
    private readonly askedAt: number,
  ) {
    this.left = grant.permits;
  }

  /** Takes a permit for a request that arrives. */
  admitArriving = (at: number): boolean => this.take(at, LEASE_DURATION_MS);

  /** Takes a permit for a request that has waited for this lease. */
  admitWaiting = (at: number): boolean => this.take(at, LEASE_WAIT_MS);

  /** Whether nobody can use it any more. */
  ended = (at: number): boolean => this.left === 0 || at >= this.askedAt + LEASE_DURATION_MS;

  /** Whether it is time to fetch the next one beside the requests, so that none has to wait for it. */
  runsOut = (at: number): boolean =>
    this.grant.permits >= 5 &&
    (at - this.askedAt > LEASE_DURATION_MS * 0.85 || this.left * 8 < this.grant.permits);

  /** What was used of it, for the limiter. */
  report(): Report {
    return { id: this.grant.id, usage: [...this.used] };
  }

  /** What this isolate uses in a second, as far as this lease tells; a lease used up early tells of a rush. */
  demand(at: number): number {
    return ((this.grant.permits - this.left) * 1000) / Math.max(at - this.askedAt, 50);
  }

  private take(at: number, within: number): boolean {
    if (this.left === 0 || at >= this.askedAt + within) return false;
    this.left -= 1;
    // Counted from when the lease was asked for: a second too late is safe, one too early is not.
    const when = second(this.grant.grantedAt + at - this.askedAt);
    this.used.set(when, (this.used.get(when) ?? 0) + 1);
    return true;
  }
}
