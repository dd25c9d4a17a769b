import { keptReports, LEASE_WAIT_MS, Lease, type Report } from '../../access/index.ts';
import { inTime } from '../../kernel/async/in-time.ts';
import { SharedCall } from '../../kernel/async/shared-call.ts';
import { now } from '../../kernel/core/clock.ts';
import type { Limit, Permits } from '../platforms/permit-ledger.ts';
import type { PermitRequest } from '../platforms/platform-directory.ts';

/** The longest time (ms) that a request waits for a permit. */
const MAX_WAIT_MS = 5_000;
/** How long (ms) a refusal is used without asking again. */
const REFUSAL_CACHE_MS = 500;

/** What permits are asked for with: the limits that hold, the call, and what keeps it alive after the response. */
export interface PermitSource {
  readonly limits: readonly Limit[];
  /** Asks the tenant's directory. May reject. */
  readonly lease: (request: PermitRequest) => Promise<Permits>;
  readonly waitUntil: (call: Promise<unknown>) => void;
}

/**
 * One isolate's permits for the requests of one platform at one tenant: a lease of the tenant's directory, as isolates
 * have leases for tokens, valid for a second at most. Times in ms of the isolate's clock.
 */
export class PlatformPermits {
  private lease: Lease | null = null;
  private reports: readonly Report[] = [];
  /** Profiles that were proved since the last call. */
  private readonly verified = new Set<string>();
  private waiting = 0;
  /** Requests expected within a second beyond those that wait. */
  private ahead = 0;
  private refusal: { readonly until: number; readonly freeAt: number } | null = null;
  private readonly call = new SharedCall<Permits>(MAX_WAIT_MS);

  /** Records that the platform has proved a profile to be its own; the directory learns it with the next call. */
  markVerified(profile: string): void {
    this.verified.add(profile);
  }

  /** Takes a permit. Returns null, or the wait (ms) if a limit is reached; rejects if the directory is unreachable. */
  async take(source: PermitSource): Promise<number | null> {
    const since = now();
    if (this.lease?.admitArriving(since)) {
      if (this.lease.runsOut(since) && !this.call.isPending)
        source.waitUntil(this.renew(source).catch(() => null));
      return null;
    }
    if (this.refusal && since < this.refusal.until) return this.refusal.freeAt - since;
    this.waiting += 1;
    try {
      while (now() - since < MAX_WAIT_MS) {
        const called = this.renew(source);
        // The call is shared, so it must outlive the request that started it.
        source.waitUntil(called.catch(() => null));
        const permits = await called;
        if (!permits.ok) return permits.retryIn;
        if (this.lease?.admitWaiting(now())) return null;
      }
      throw new Error('No permit was free in time');
    } finally {
      this.waiting -= 1;
    }
  }

  /** Asks for the next lease, with all that is unreported. Concurrent requests share one call. */
  private renew({ limits, lease }: PermitSource): Promise<Permits> {
    return this.call.join(async () => {
      const askedAt = now();
      this.endLease(askedAt);
      const { reports, waiting } = this;
      const verified = [...this.verified];
      this.reports = [];
      this.verified.clear();
      const request = {
        limits,
        reports,
        verified,
        waiting,
        ahead: Math.max(waiting > 0 ? 0 : 1, this.ahead),
      };
      try {
        const permits = await inTime(LEASE_WAIT_MS, () => lease(request));
        this.apply(permits, askedAt);
        return permits;
      } catch (error) {
        // A report that arrives twice counts once; permits that are never reported count as used.
        this.reports = keptReports([...reports, ...this.reports]);
        for (const profile of verified) this.verified.add(profile);
        throw error;
      }
    });
  }

  private apply(permits: Permits, askedAt: number): void {
    if (!permits.ok) {
      const at = now();
      const { retryIn } = permits;
      this.refusal = { until: at + Math.min(retryIn, REFUSAL_CACHE_MS), freeAt: at + retryIn };
      return;
    }
    this.refusal = null;
    if (this.lease) this.reports = keptReports([...this.reports, this.lease.report()]);
    this.lease = new Lease(permits.grant, askedAt);
  }

  /** Ends a lease that is used up; its unused permits go back with the report. */
  private endLease(at: number): void {
    if (!this.lease) return;
    this.ahead = this.lease.expected(at);
    if (!this.lease.ended(at)) return;
    this.reports = keptReports([...this.reports, this.lease.report()]);
    this.lease = null;
  }
}
