import { isRecent, MINUTE } from '../../kernel/core/clock.ts';
import type { Failure } from '../../kernel/core/errors.ts';
import type { Principal } from '../principal.ts';
import type { TokenIdentity } from '../token.ts';
import { FallbackAllowance } from './fallback-allowance.ts';
import { keptReports, Lease } from './lease.ts';
import { LimitView, type PermitHolder, waitSeconds } from './limit-view.ts';
import type { LeaseAnswer, LeaseRequest } from './rate-limiter.ts';
import { LEASE_DURATION_MS, type Report } from './sliding-window.ts';

/** How long (ms) a refusal is cached. */
const REFUSAL_CACHE_MS = 500;
/** How long (ms) after its verification a token may read while its limiter can't be reached. */
const VERIFIED_FOR_MS = MINUTE;

/** An admitted request. Its response shows `remaining` and `resetIn` (seconds). */
export interface Admitted {
  readonly ok: true;
  readonly principal: Principal;
  readonly remaining: number;
  readonly resetIn: number;
  /** Admitted under the fallback allowance, because the limiter can't be reached. */
  readonly unleased?: true;
}

/** A refused request; `principal` is null if the token is unknown. */
export interface Refused {
  readonly ok: false;
  readonly failure: Failure;
  readonly principal: Principal | null;
}

/** A call of the limiter, and when it was made. */
interface LimiterCall {
  readonly request: LeaseRequest;
  readonly askedAt: number;
}

/** The limiter's decision about a request. */
export type Admission = Admitted | Refused;

/** The refusals of a token that is unknown or revoked, and of a limiter that can't be reached. */
export const UNAUTHORIZED: Refused = { ok: false, failure: { code: 'unauthorized' }, principal: null };
export const UNAVAILABLE: Refused = { ok: false, failure: { code: 'unavailable' }, principal: null };

/**
 * One isolate's state of one token: its lease, its unsent reports, its last refusal. Without I/O; times are
 * ms of the isolate's clock.
 */
export class TokenLimiter implements PermitHolder {
  /** Requests that wait for a lease. */
  waiting = 0;
  private lease: Lease | null = null;
  private principal: Principal | null = null;
  /** When the limiter last verified the token. */
  private verifiedAt = 0;
  /** Unused permits of ended leases: not yet reported, and reported in the pending call. */
  private unreported = 0;
  private reporting = 0;
  private refusal: { admission: Refused; since: number; duration: number } | null = null;
  /** Requests expected within a second beyond those that wait. */
  private ahead = 0;
  private reports: readonly Report[] = [];
  private readonly fallback = new FallbackAllowance();

  /** `view` is shared by the tokens of one application. */
  constructor(
    readonly identity: TokenIdentity,
    private readonly view = new LimitView(),
  ) {
    view.join(this);
  }

  unspent = (): number => (this.lease?.left ?? 0) + this.unreported + this.reporting;

  /** Returns the principal of a token verified in the last minute, else `null`. */
  recentPrincipal(at: number): Principal | null {
    return isRecent(this.verifiedAt, VERIFIED_FOR_MS, at) ? this.principal : null;
  }

  /** Whether the limiter's last response was a refusal: the next request is probably refused as well. */
  get wasRefused(): boolean {
    return this.refusal !== null;
  }

  /** Returns the principal if it was verified within the duration of a lease, else `null`. */
  leasedPrincipal(at: number): Principal | null {
    return isRecent(this.verifiedAt, LEASE_DURATION_MS, at) ? this.principal : null;
  }

  /**
   * Admits an arriving request under the current lease. Returns `null`, without counting it, if there is
   * none.
   */
  admitArriving(at: number): Admitted | null {
    return this.principal && this.lease?.admitArriving(at) ? this.admitted(this.principal, at) : null;
  }

  /** Admits a request that waited for the current lease. Returns `null` if others have used it up. */
  admitWaiting(at: number): Admitted | null {
    return this.principal && this.lease?.admitWaiting(at) ? this.admitted(this.principal, at) : null;
  }

  /** Returns whether to fetch the next lease in the background. */
  runsOut = (at: number): boolean => this.lease?.runsOut(at) ?? false;

  /** Returns the decision from the cached refusal, or `null` if the limiter must be called. */
  cachedRefusal(at: number, reads: boolean): Admission | null {
    const { refusal } = this;
    const holds = refusal !== null && isRecent(refusal.since, refusal.duration, at);
    return holds ? this.refused(refusal.admission, at, reads) : null;
  }

  /** Admits a read during an outage, so that it need not wait for the next call to the limiter. */
  admitDuringOutage(at: number, reads: boolean): Admitted | null {
    if (this.refusal?.admission !== UNAVAILABLE) return null;
    const admission = this.refused(UNAVAILABLE, at, reads);
    return admission.ok ? admission : null;
  }

  /**
   * Returns the refusal. While the limiter can't be reached, admits reads of a token verified in the last
   * minute under the isolate's fallback allowance instead.
   */
  refused(admission: Refused, at: number, reads: boolean): Admission {
    const principal = this.recentPrincipal(at);
    if (admission !== UNAVAILABLE || !reads || !principal || !this.fallback.admit(at)) return admission;
    return { ...this.admitted(principal, at), unleased: true };
  }

  /** Returns the next request to the limiter, with all unsent reports. Ends a lease that is used up. */
  request(at: number): LeaseRequest {
    if (this.lease) this.ahead = this.lease.expected(at);
    if (this.lease?.ended(at)) this.endLease(this.lease);
    const { waiting, reports } = this;
    const ahead = waiting > 0 ? this.ahead : Math.max(1, this.ahead);
    this.reports = [];
    this.reporting += this.unreported;
    this.unreported = 0;
    return { ...this.identity, waiting, ahead, reports, unleased: this.fallback.report() };
  }

  /** Applies, at `at`, the limiter's response to a call. */
  applyAnswer({ request, askedAt }: LimiterCall, answer: LeaseAnswer, at: number): void {
    if (answer.ok) this.startLease(answer, askedAt);
    else this.recordRefusal(answer, at);
    if (answer.ok || answer.reason === 'rate_limited') {
      this.principal = answer.principal;
      this.verifiedAt = askedAt;
      this.fallback.refill(answer.ok ? answer.remaining : 0, answer.principal.limit);
    } else if (answer.reason === 'unauthorized') this.principal = null;
    else {
      this.reports = keptReports([...request.reports, ...this.reports]);
      this.fallback.putBack(request.unleased);
      this.unreported += this.reporting;
    }
    this.reporting = 0;
  }

  private startLease(answer: LeaseAnswer & { ok: true }, askedAt: number): void {
    // The next request returns the unused permits of the previous lease.
    if (this.lease) this.endLease(this.lease);
    this.lease = new Lease(answer.grant, askedAt);
    this.view.heard(answer.remaining, askedAt + answer.freesIn);
    this.refusal = null;
    this.fallback.setClock(answer.grant.grantedAt - askedAt);
  }

  private recordRefusal(answer: LeaseAnswer & { ok: false }, at: number): void {
    const duration =
      answer.reason === 'rate_limited' ? Math.min(answer.retryIn, REFUSAL_CACHE_MS) : REFUSAL_CACHE_MS;
    this.refusal = { admission: refusalOf(answer), since: at, duration };
    if (answer.reason === 'rate_limited') this.view.refused(answer.principal.limit, at + answer.retryIn, at);
  }

  private endLease(lease: Lease): void {
    this.reports = keptReports([...this.reports, lease.report()]);
    this.unreported += lease.left;
    this.lease = null;
  }

  private admitted(principal: Principal, at: number): Admitted {
    return { ok: true, principal, ...this.view.admitted(principal.limit, at) };
  }
}

/** Converts the limiter's refusal to an admission. */
export function refusalOf(answer: LeaseAnswer & { ok: false }): Refused {
  if (answer.reason === 'unavailable') return UNAVAILABLE;
  if (answer.reason === 'unauthorized') return UNAUTHORIZED;
  const retryAfter = waitSeconds(answer.retryIn);
  return { ok: false, failure: { code: 'rate_limited', retryAfter }, principal: answer.principal };
}
