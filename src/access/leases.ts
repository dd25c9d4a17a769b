import { now } from '../kernel/clock.ts';
import type { Failure } from '../kernel/errors.ts';
import type { Facts } from './facts.ts';
import { Lease } from './lease.ts';
import type { LeaseAnswer, LeaseRequest } from './object.ts';
import { Spare } from './spare.ts';
import { readToken, type TokenIdentity } from './token.ts';
import { PATIENCE } from './window.ts';

/** How long (ms) a refusal is believed before the limiter is asked again. */
const BELIEVE_REFUSAL = 500;
/** How long (ms) a token that was verified may read while its limiter can't be reached. */
const TRUST = 60_000;
/** A request that waits for a permit gives up after this long (ms). */
const MOST_WAIT = 5_000;
/** How many tokens an isolate remembers, and how many unsent reports of one. */
const MOST_HOLDERS = 10_000;
const MOST_REPORTS = 100;

/** Whether a request may go on, and what its response says about the limit (`resetIn` in s). */
export type Admission =
  | { readonly ok: true; readonly facts: Facts; readonly remaining: number; readonly resetIn: number }
  | { readonly ok: false; readonly failure: Failure; readonly facts: Facts | null };

type Context = Pick<ExecutionContext, 'waitUntil'>;

/** One token in this isolate: its lease, and what has to be reported. */
class Holder {
  lease: Lease | null = null;
  facts: Facts | null = null;
  /** When the limiter last said that the token is good, and when it will next have room (ms). */
  verifiedAt = 0;
  freesAt = 0;
  /** What was free beside the leases when the limiter was last heard. */
  remaining = 0;
  refusal: { admission: Admission & { ok: false }; until: number } | null = null;
  pending: { answer: Promise<LeaseAnswer>; since: number } | null = null;
  waiting = 0;
  ahead = 0;
  reports: LeaseRequest['reports'][number][] = [];
  readonly spare = new Spare();
  constructor(readonly identity: TokenIdentity) {}
}

const UNAUTHORIZED = { ok: false, failure: { code: 'unauthorized' }, facts: null } as const;
const UNAVAILABLE = { ok: false, failure: { code: 'unavailable' }, facts: null } as const;

const holders = new Map<string, Holder>();

function holderOf(env: Env, token: string): Holder | null {
  const known = holders.get(token);
  if (known) return known;
  const identity = readToken(env, token);
  if (!identity) return null;
  // The oldest goes; what it did not report counts as used.
  const oldest = holders.size >= MOST_HOLDERS ? holders.keys().next().value : undefined;
  if (oldest !== undefined) holders.delete(oldest);
  const holder = new Holder(identity);
  holders.set(token, holder);
  return holder;
}

/**
 * Admits one request of a token: at once when the isolate holds a lease, else after asking the limiter.
 * A made-up token is refused without any I/O. `reads` may go on for a while without the limiter.
 */
export function admit(env: Env, ctx: Context, token: string, reads: boolean): Admission | Promise<Admission> {
  const holder = holderOf(env, token);
  if (!holder) return UNAUTHORIZED;
  const at = now();
  const admission = spend(env, ctx, holder, at);
  if (admission) return admission;
  const { refusal } = holder;
  if (!refusal) return ask(env, ctx, holder, reads);
  if (at < refusal.until) return refused(holder, refusal.admission, reads);
  // While the limiter is away, reads don't wait for each new attempt to reach it.
  const meanwhile = refusal.admission === UNAVAILABLE ? refused(holder, UNAVAILABLE, reads) : UNAVAILABLE;
  if (!meanwhile.ok) return ask(env, ctx, holder, reads);
  ctx.waitUntil(renew(env, holder));
  return meanwhile;
}

/** Admits one request under the lease in hand; null, without counting it, when there is none. */
export function admitAtOnce(env: Env, ctx: Context, token: string): (Admission & { ok: true }) | null {
  const holder = holders.get(token);
  return holder ? spend(env, ctx, holder, now()) : null;
}

/** What is known of a token that was verified a minute ago or less: enough to begin a read with. */
export function recentFacts(token: string): Facts | null {
  const holder = holders.get(token);
  return holder?.facts && now() - holder.verifiedAt < TRUST ? holder.facts : null;
}

/** Waits for a lease; who finds it used up by others asks again. */
async function ask(env: Env, ctx: Context, holder: Holder, reads: boolean): Promise<Admission> {
  const since = now();
  holder.waiting += 1;
  try {
    while (now() - since < MOST_WAIT) {
      const answered = renew(env, holder);
      // The call is shared, so it has to outlive the request that began it.
      ctx.waitUntil(answered);
      const answer = await answered;
      if (!answer.ok) return refused(holder, refusalOf(answer), reads);
      if (holder.lease?.admitWaiting(now())) return admitted(holder, answer.facts, now());
    }
    return UNAVAILABLE;
  } finally {
    holder.waiting -= 1;
  }
}

/** Takes a permit of the lease in hand, and sees to the next one before this one ends. */
function spend(env: Env, ctx: Context, holder: Holder, at: number): (Admission & { ok: true }) | null {
  const { lease, facts } = holder;
  if (!lease || !facts || !lease.admitArriving(at)) return null;
  if (!holder.pending && lease.runsOut(at)) ctx.waitUntil(renew(env, holder));
  return admitted(holder, facts, at);
}

function admitted(holder: Holder, facts: Facts, at: number): Admission & { ok: true } {
  const resetIn = Math.min(60, Math.max(1, Math.ceil((holder.freesAt - at) / 1000)));
  return { ok: true, facts, remaining: holder.remaining + (holder.lease?.left ?? 0), resetIn };
}

/** Asks the limiter; who asks while a call is under way shares it. Never rejects. */
function renew(env: Env, holder: Holder): Promise<LeaseAnswer> {
  const since = now();
  // A call whose request was killed never ends: it is left behind after a while.
  if (holder.pending && since - holder.pending.since < MOST_WAIT) return holder.pending.answer;
  if (holder.lease) expect(holder, holder.lease, since);
  if (holder.lease?.ended(since)) giveUp(holder, holder.lease);
  const { tenantId, applicationId, hash } = holder.identity;
  const { waiting, reports } = holder;
  const ahead = waiting > 0 ? holder.ahead : Math.max(1, holder.ahead);
  const unleased = holder.spare.report();
  holder.reports = [];
  const request = { tenantId, applicationId, hash, waiting, ahead, reports, unleased };
  const answer = callLimiter(env, request)
    .catch((): LeaseAnswer => ({ ok: false, reason: 'unavailable' }))
    .then((found) => {
      if (holder.pending?.answer === answer) holder.pending = null;
      if (!found.ok && found.reason === 'unavailable') putBack(holder, request);
      take(holder, found, since);
      return found;
    });
  holder.pending = { answer, since };
  return answer;
}

async function callLimiter(env: Env, request: LeaseRequest): Promise<LeaseAnswer> {
  const stub = env.RATE_LIMITER.getByName(`${request.tenantId}:${request.applicationId}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The limiter did not answer')), PATIENCE);
  });
  try {
    return await Promise.race([stub.lease(request), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Learns from a lease what to ask for ahead: a quarter more than was used; nothing where that is little. */
function expect(holder: Holder, lease: Lease, at: number): void {
  holder.ahead = Math.min(1_000, Math.round(lease.demand(at) * 1.25));
}

/** Gives up a lease, so that the next call reports it. */
function giveUp(holder: Holder, lease: Lease): void {
  holder.reports = [...holder.reports, lease.report()].slice(-MOST_REPORTS);
  holder.lease = null;
}

/** Keeps what a call that failed was to report. Reporting a lease twice is harmless: it is settled once. */
function putBack(holder: Holder, { reports, unleased }: LeaseRequest): void {
  holder.reports = [...reports, ...holder.reports].slice(-MOST_REPORTS);
  holder.spare.putBack(unleased);
}

/** Takes note of what the limiter said to a call that began at `askedAt`. */
function take(holder: Holder, answer: LeaseAnswer, askedAt: number): void {
  const at = now();
  if (answer.ok) {
    const left = holder.lease?.left ?? 0;
    if (holder.lease) giveUp(holder, holder.lease);
    holder.lease = new Lease(answer.grant, askedAt);
    // What is left of the lease before goes back with the next call.
    holder.remaining = answer.remaining + left;
    holder.freesAt = askedAt + answer.freesIn;
    holder.refusal = null;
  } else {
    const wait =
      answer.reason === 'rate_limited' ? Math.min(answer.retryIn, BELIEVE_REFUSAL) : BELIEVE_REFUSAL;
    holder.refusal = { admission: refusalOf(answer), until: at + wait };
  }
  if (answer.ok || answer.reason === 'rate_limited') {
    holder.facts = answer.facts;
    holder.verifiedAt = askedAt;
    const ahead = answer.ok ? answer.grant.grantedAt - askedAt : null;
    holder.spare.refill(answer.ok ? answer.remaining : 0, answer.facts.limit, ahead);
  } else if (answer.reason === 'unauthorized') holder.facts = null;
}

function refusalOf(answer: Exclude<LeaseAnswer, { ok: true }>): Admission & { ok: false } {
  if (answer.reason === 'unavailable') return UNAVAILABLE;
  if (answer.reason === 'unauthorized') return UNAUTHORIZED;
  const retryAfter = Math.ceil(answer.retryIn / 1000);
  return { ok: false, failure: { code: 'rate_limited', retryAfter }, facts: answer.facts };
}

/**
 * A refusal as it is; but while the limiter can't be reached, reads of a token that was verified in the
 * last minute go on under the isolate's own small allowance.
 */
function refused(holder: Holder, admission: Admission & { ok: false }, reads: boolean): Admission {
  const { facts, spare, identity } = holder;
  const at = now();
  if (admission !== UNAVAILABLE || !reads || !facts || at - holder.verifiedAt > TRUST) return admission;
  if (!spare.admit(at)) return admission;
  const { tenantId: tenant, applicationId: application } = identity;
  console.warn(JSON.stringify({ event: 'limiter_unreachable', tenant, application }));
  return { ok: true, facts, remaining: spare.left, resetIn: 60 };
}
