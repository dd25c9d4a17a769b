import type { LeaseAnswer, LeaseRequest } from '../../../src/access/limiter/rate-limiter.ts';
import { LEASE_WAIT_MS, SlidingWindow } from '../../../src/access/limiter/sliding-window.ts';
import { refusalOf, TokenLimiter, UNAVAILABLE } from '../../../src/access/limiter/token-limiter.ts';
import { LeaseIds } from '../../../src/access/limiter/window-store.ts';
import type { Principal } from '../../../src/access/principal.ts';

/**
 * One application's limiter and the isolates that ask it, in simulated time: the real arithmetic of both
 * sides (sliding-window.ts, lease.ts, token-limiter.ts), with calls that take long, get lost on the way there or back,
 * and isolates and limiters that are evicted. Clocks show different times, but run at the same speed.
 */
export interface Conditions {
  readonly limit: number;
  readonly isolates: number;
  /** The longest that a call to the limiter takes, one way (ms). */
  readonly latency: number;
  /** How many of a thousand calls get lost on the way there, and how many on the way back. */
  readonly lost: number;
  /** How many of a thousand requests evict their isolate, and how many leases evict the limiter. */
  readonly evicted: number;
  /** Whether the limiter can't be reached for five seconds of every thirty. */
  readonly outages: boolean;
}

interface Event {
  readonly at: number;
  readonly run: () => void;
}

/** What became of a request. */
export type Outcome = 'admitted' | 'limited' | 'unavailable' | 'gone';

interface Isolate {
  holder: TokenLimiter;
  /** How far its clock is ahead (ms). */
  readonly skew: number;
  call: object | null;
  waiters: { done: (outcome: Outcome) => void; reads: boolean; since: number; calls: number }[];
}

/** A simulated application under some conditions. */
export class Model {
  /** The instants (ms) at which requests were admitted, in order. */
  readonly admitted: number[] = [];
  now = 1_700_000_000_000;
  /** How many calls reached the limiter. */
  calls = 0;
  private readonly queue: Event[] = [];
  private readonly isolates: Isolate[];
  /** What the limiter has stored: all that is left of it after an eviction. */
  private stored = '';
  private ledger = new SlidingWindow();
  private ids = new LeaseIds();
  private readonly limiterSkew: number;

  constructor(
    private readonly conditions: Conditions,
    private readonly chance: () => number,
  ) {
    const skew = () => Math.floor((chance() - 0.5) * 7_200_000);
    this.limiterSkew = skew();
    this.isolates = Array.from({ length: conditions.isolates }, () => ({
      holder: fresh(),
      skew: skew(),
      call: null,
      waiters: [],
    }));
  }

  /** Lets `run` happen in `delay` ms. */
  later(delay: number, run: () => void): void {
    const event = { at: this.now + Math.round(delay), run };
    const place = this.queue.findLastIndex(({ at }) => at <= event.at);
    this.queue.splice(place + 1, 0, event);
  }

  /** Runs everything that happens until then. */
  runUntil(end: number): void {
    for (let next = this.queue[0]; next && next.at <= end; next = this.queue[0]) {
      this.queue.shift();
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }

  /** A request arrives at one of the isolates; `done` hears what became of it. */
  request(reads: boolean, done: (outcome: Outcome) => void): void {
    const isolate = this.isolates[Math.floor(this.chance() * this.isolates.length)];
    if (!isolate) return;
    if (this.happens(this.conditions.evicted)) this.evict(isolate);
    const { holder } = isolate;
    const at = this.now + isolate.skew;
    const answered = (outcome: Outcome) => {
      if (outcome === 'admitted') this.admitted.push(this.now);
      done(outcome);
    };
    if (holder.admitArriving(at)) {
      if (holder.runsOut(at) && !isolate.call) this.call(isolate);
      answered('admitted');
      return;
    }
    const believed =
      (isolate.call ? null : holder.cachedRefusal(at, reads)) ?? holder.admitDuringOutage(at, reads);
    if (believed) {
      answered(outcomeOf(believed));
      return;
    }
    holder.waiting += 1;
    isolate.waiters.push({ done: answered, reads, since: this.now, calls: 0 });
    if (!isolate.call) this.call(isolate);
  }

  private happens = (perThousand: number): boolean => this.chance() * 1000 < perThousand;

  private evict(isolate: Isolate): void {
    for (const { done } of isolate.waiters) done('gone');
    Object.assign(isolate, { holder: fresh(), call: null, waiters: [] });
  }

  private call(isolate: Isolate): void {
    const { holder, skew } = isolate;
    const askedAt = this.now;
    const request = holder.request(askedAt + skew);
    const call = {};
    isolate.call = call;
    let open = true;
    const answer = (found: LeaseAnswer) => {
      if (!open || isolate.call !== call) return;
      open = false;
      isolate.call = null;
      holder.applyAnswer({ request, askedAt: askedAt + skew }, found, this.now + skew);
      this.wake(isolate, found);
    };
    this.later(LEASE_WAIT_MS, () => answer({ ok: false, reason: 'unavailable' }));
    const away = this.conditions.outages && Math.floor(this.now / 1000) % 30 < 5;
    if (away || this.happens(this.conditions.lost)) return;
    this.later(this.chance() * this.conditions.latency, () => {
      const found = this.lease(request);
      if (this.happens(this.conditions.lost)) return;
      this.later(this.chance() * this.conditions.latency, () => answer(found));
    });
  }

  /** What RateLimiter.lease does once it knows who asks. */
  private lease(request: LeaseRequest): LeaseAnswer {
    this.calls += 1;
    if (this.happens(this.conditions.evicted)) {
      this.ledger = new SlidingWindow(this.stored ? JSON.parse(this.stored) : undefined);
      this.ids = new LeaseIds();
    }
    const at = this.now + this.limiterSkew;
    const { limit } = this.conditions;
    this.ledger.settle(request.reports);
    this.ledger.settleUnleased(request.unleased, at);
    const facts = factsWith(limit);
    const grant = this.ledger.grant(request, { limit, at, id: this.ids.next(at) });
    const changed = this.ledger.unsaved();
    if (changed) this.stored = JSON.stringify(changed);
    const free = limit - this.ledger.counted(at);
    if (grant)
      return { ok: true, principal: facts, grant, remaining: free, freesIn: this.ledger.freesIn(at, 1) };
    return {
      ok: false,
      reason: 'rate_limited',
      principal: facts,
      retryIn: Math.max(1, this.ledger.freesIn(at, 1 - free)),
    };
  }

  /** Those who waited for the answer go on, are refused, or wait for the next one. */
  private wake(isolate: Isolate, answer: LeaseAnswer): void {
    const { holder, skew } = isolate;
    const waiters = isolate.waiters;
    isolate.waiters = [];
    for (const waiter of waiters) {
      const at = this.now + skew;
      const admission = answer.ok
        ? holder.admitWaiting(at)
        : holder.refused(refusalOf(answer), at, waiter.reads);
      waiter.calls += 1;
      const again = !admission || (admission === UNAVAILABLE && waiter.calls === 1);
      if (again && this.now - waiter.since < 5_000) {
        isolate.waiters.push(waiter);
        continue;
      }
      holder.waiting -= 1;
      waiter.done(admission ? outcomeOf(admission) : 'unavailable');
    }
    if (isolate.waiters.length > 0 && !isolate.call) this.call(isolate);
  }
}

const fresh = () => new TokenLimiter({ tenantId: 1, applicationId: 1, hash: '' });

function outcomeOf(admission: ReturnType<TokenLimiter['refused']>): Outcome {
  if (admission.ok) return 'admitted';
  return admission.failure.code === 'rate_limited' ? 'limited' : 'unavailable';
}

/** The principal of an application with this limit. */
export const factsWith = (limit: number): Principal => ({
  tenantId: 1,
  applicationId: 1,
  suspended: false,
  serverSide: false,
  agentProfile: null,
  registrationsPerMinute: 60,
  scopes: [],
  origins: [],
  features: [],
  limit,
  currency: 'EUR',
  currencies: ['EUR'],
  catalogVersion: 1,
  bookmark: null,
  shard: 'SHARD_01',
});
