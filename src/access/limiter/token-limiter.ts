import type { Failure } from '../../kernel/core/errors.ts';
import type { Principal } from '../principal.ts';
import type { TokenIdentity } from '../token.ts';
import { FallbackAllowance } from './fallback-allowance.ts';
import { Lease } from './lease.ts';
import { LimitView, type PermitHolder, waitSeconds } from './limit-view.ts';
import type { LeaseAnswer, LeaseRequest } from './rate-limiter.ts';
import { LEASE_DURATION_MS, type Report } from './sliding-window.ts';

/** How long (ms) a refusal is believed before the limiter is asked again. */
const REFUSAL_CACHE_MS = 500;
/** How long (ms) a token that was verified may read while its limiter can't be reached. */
const VERIFIED_FOR_MS = 60_000;
/** How many unsent reports an isolate keeps of one token. */
const MAX_PENDING_REPORTS = 100;

/** A request may go on. `remaining` and `resetIn` (s) are what its response says about the limit. */
export interface Admitted {
  readonly ok: true;
  readonly facts: Principal;
  readonly remaining: number;
  readonly resetIn: number;
  /** Admitted by the isolate alone, because the limiter can't be reached. */
  readonly unleased?: true;
}

/** A request may not go on; `facts` where the token is known. */
export interface Refused {
  readonly ok: false;
  readonly failure: Failure;
  readonly facts: Principal | null;
}

/** Whether a request may go on. */
export type Admission = Admitted | Refused;

export const UNAUTHORIZED: Refused = { ok: false, failure: { code: 'unauthorized' }, facts: null };
export const UNAVAILABLE: Refused = { ok: false, failure: { code: 'unavailable' }, facts: null };

/**
 * What one isolate knows of one token: its lease, what has to be reported, what was last refused.
 * Without I/O; times are ms of the isolate's clock.
 */
export class TokenLimiter implements PermitHolder {
  /** How many requests wait for a lease. */
  waiting = 0;
  private lease: Lease | null = null;
  private facts: Principal | null = null;
  /** When the limiter last said that the token is good. */
  private verifiedAt = 0;
  /** Unused permits of leases that were given up: not yet reported, and reported in the call under way. */
  private unreported = 0;
  private reporting = 0;
  private refusal: { admission: Refused; until: number } | null = null;
  /** How many more requests than wait are expected within a second. */
  private ahead = 0;
  private reports: readonly Report[] = [];
  private readonly spare = new FallbackAllowance();

  /** `view` is shared by the tokens of one application. */
  constructor(
    readonly identity: TokenIdentity,
    private readonly view = new LimitView(),
  ) {
    view.join(this);
  }

  unspent = (): number => (this.lease?.left ?? 0) + this.unreported + this.reporting;

  /** What is known of the token, if it was verified a minute ago or less. */
  recentPrincipal(at: number): Principal | null {
    return at - this.verifiedAt < VERIFIED_FOR_MS ? this.facts : null;
  }

  /** What a lease says of the token that was asked for less than a lease's time ago, else null. */
  leasedFacts(at: number): Principal | null {
    return at - this.verifiedAt < LEASE_DURATION_MS ? this.facts : null;
  }

  /** Admits a request that arrives under the lease in hand; null, and nothing is counted, without one. */
  admitArriving(at: number): Admitted | null {
    return this.facts && this.lease?.admitArriving(at) ? this.admitted(this.facts, at) : null;
  }

  /** Admits a request that waited for the lease in hand; null when others have used it up. */
  admitWaiting(at: number): Admitted | null {
    return this.facts && this.lease?.admitWaiting(at) ? this.admitted(this.facts, at) : null;
  }

  /** Whether to fetch the next lease now, beside the requests. */
  runsOut = (at: number): boolean => this.lease?.runsOut(at) ?? false;

  /** The last refusal as long as it is believed, else null: then the limiter has to be asked. */
  cachedRefusal(at: number, reads: boolean): Admission | null {
    return this.refusal && at < this.refusal.until ? this.refused(this.refusal.admission, at, reads) : null;
  }

  /** Admits a read while the limiter is away, so that it need not wait for the next attempt to reach it. */
  admitDuringOutage(at: number, reads: boolean): Admitted | null {
    if (this.refusal?.admission !== UNAVAILABLE) return null;
    const admission = this.refused(UNAVAILABLE, at, reads);
    return admission.ok ? admission : null;
  }

  /**
   * A refusal as it is; but while the limiter can't be reached, reads of a token that was verified in the
   * last minute go on under the isolate's own small allowance.
   */
  refused(admission: Refused, at: number, reads: boolean): Admission {
    const facts = this.recentPrincipal(at);
    if (admission !== UNAVAILABLE || !reads || !facts || !this.spare.admit(at)) return admission;
    return { ...this.admitted(facts, at), unleased: true };
  }

  /** What to ask the limiter for now. A lease that can't be used any more is given up for it. */
  request(at: number): LeaseRequest {
    // A quarter more than was used in a second lately; nothing where that is little.
    if (this.lease) this.ahead = Math.min(1_000, Math.round(this.lease.demand(at) * 1.25));
    if (this.lease?.ended(at)) this.giveUp(this.lease);
    const { waiting, reports } = this;
    const ahead = waiting > 0 ? this.ahead : Math.max(1, this.ahead);
    this.reports = [];
    this.reporting += this.unreported;
    this.unreported = 0;
    return { ...this.identity, waiting, ahead, reports, unleased: this.spare.report() };
  }

  /** Takes note at `at` of the answer to a request that was made at `askedAt`. */
  applyAnswer(request: LeaseRequest, answer: LeaseAnswer, askedAt: number, at: number): void {
    if (answer.ok) this.lend(answer, askedAt);
    else this.refuse(answer, at);
    if (answer.ok || answer.reason === 'rate_limited') {
      this.facts = answer.facts;
      this.verifiedAt = askedAt;
      this.spare.refill(answer.ok ? answer.remaining : 0, answer.facts.limit);
    } else if (answer.reason === 'unauthorized') this.facts = null;
    else {
      this.keepReports([...request.reports, ...this.reports]);
      this.spare.putBack(request.unleased);
      this.unreported += this.reporting;
    }
    this.reporting = 0;
  }

  private lend(answer: LeaseAnswer & { ok: true }, askedAt: number): void {
    // What is left of the lease before goes back with the next request.
    if (this.lease) this.giveUp(this.lease);
    this.lease = new Lease(answer.grant, askedAt);
    this.view.heard(answer.remaining, askedAt + answer.freesIn);
    this.refusal = null;
    this.spare.setClock(answer.grant.grantedAt - askedAt);
  }

  private refuse(answer: LeaseAnswer & { ok: false }, at: number): void {
    const wait =
      answer.reason === 'rate_limited' ? Math.min(answer.retryIn, REFUSAL_CACHE_MS) : REFUSAL_CACHE_MS;
    this.refusal = { admission: refusalOf(answer), until: at + wait };
    if (answer.reason === 'rate_limited') this.view.refused(answer.facts.limit, at + answer.retryIn, at);
  }

  private giveUp(lease: Lease): void {
    this.keepReports([...this.reports, lease.report()]);
    this.unreported += lease.left;
    this.lease = null;
  }

  private keepReports(reports: readonly Report[]): void {
    this.reports = reports.slice(-MAX_PENDING_REPORTS);
  }

  private admitted(facts: Principal, at: number): Admitted {
    return { ok: true, facts, ...this.view.admitted(facts.limit, at) };
  }
}

/** The limiter's no, as what a request is answered with. */
export function refusalOf(answer: LeaseAnswer & { ok: false }): Refused {
  if (answer.reason === 'unavailable') return UNAVAILABLE;
  if (answer.reason === 'unauthorized') return UNAUTHORIZED;
  const retryAfter = waitSeconds(answer.retryIn);
  return { ok: false, failure: { code: 'rate_limited', retryAfter }, facts: answer.facts };
}
