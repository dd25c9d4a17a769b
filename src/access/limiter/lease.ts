import { isRecent } from '../../kernel/core/clock.ts';
import { type Grant, LEASE_DURATION_MS, LEASE_WAIT_MS, type Report, second } from './sliding-window.ts';

/** The most unsent reports that an isolate keeps for one holder of leases. */
const MAX_PENDING_REPORTS = 100;

/** Returns the reports that are kept for the next call: the latest. */
export const keptReports = (reports: readonly Report[]): readonly Report[] =>
  reports.slice(-MAX_PENDING_REPORTS);

/**
 * An isolate's side of a lease, without I/O: the permits left, and the seconds in which permits were used.
 * All times are ms of the isolate's clock. The lease's duration runs from the request for it, which precedes
 * the grant, so the isolate never uses it longer than the limiter assumes.
 */
export class Lease {
  /** Permits left. */
  left: number;
  private readonly used = new Map<number, number>();

  constructor(
    private readonly grant: Grant,
    private readonly requestedAt: number,
  ) {
    this.left = grant.permits;
  }

  /** Takes a permit for a request that arrives. */
  admitArriving = (at: number): boolean => this.take(at, LEASE_DURATION_MS);

  /** Takes a permit for a request that waited for this lease. */
  admitWaiting = (at: number): boolean => this.take(at, LEASE_WAIT_MS);

  /** Returns whether the lease is used up or expired. */
  ended = (at: number): boolean => this.left === 0 || !isRecent(this.requestedAt, LEASE_DURATION_MS, at);

  /** Returns whether to fetch the next lease in the background, so that no request has to wait for it. */
  runsOut = (at: number): boolean =>
    this.grant.permits >= 5 &&
    (at - this.requestedAt > LEASE_DURATION_MS * 0.85 || this.left * 8 < this.grant.permits);

  /** Returns the lease's usage for the limiter. */
  report(): Report {
    return { id: this.grant.id, usage: [...this.used] };
  }

  /** Returns the requests to expect within a second: a quarter more than the current rate, 0 at a low one. */
  expected(at: number): number {
    const perSecond = ((this.grant.permits - this.left) * 1000) / Math.max(at - this.requestedAt, 50);
    return Math.min(1_000, Math.round(perSecond * 1.25));
  }

  private take(at: number, within: number): boolean {
    if (this.left === 0 || !isRecent(this.requestedAt, within, at)) return false;
    this.left -= 1;
    // Measured from the request for the lease: a second too late is safe, one too early is not.
    const when = second(this.grant.grantedAt + at - this.requestedAt);
    this.used.set(when, (this.used.get(when) ?? 0) + 1);
    return true;
  }
}
