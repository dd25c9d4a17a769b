import { now } from '../kernel/clock.ts';
import type { Failure } from '../kernel/errors.ts';
import type { Facts } from './facts.ts';
import type { LeaseAnswer, LeaseRequest } from './object.ts';
import { readToken, type TokenIdentity } from './token.ts';
import { LEASE_MS } from './window.ts';

/** How long (ms) a refusal is believed before the limiter is asked again. */
const BELIEVE_REFUSAL = 500;
/** How long (ms) a token that was verified may read while its limiter can't be reached. */
const TRUST = 60_000;
/** How long (ms) the limiter may take to answer. */
const PATIENCE = 2_000;
/** How many tokens an isolate remembers. */
const MOST_HOLDERS = 10_000;

/** Whether a request may go on, and what its response says about the limit. */
export type Admission =
  | { readonly ok: true; readonly facts: Facts; readonly remaining: number; readonly resetIn: number }
  | { readonly ok: false; readonly failure: Failure; readonly facts: Facts | null };

interface Lease {
  readonly id: number;
  readonly permits: number;
  /** When the limiter made it (its clock), and when this isolate asked (its own). */
  readonly grantedAt: number;
  readonly askedAt: number;
  readonly remaining: number;
  readonly freesAt: number;
  readonly used: Map<number, number>;
  left: number;
}

/** One token in this isolate: its lease, and what has to be reported. */
class Holder {
  lease: Lease | null = null;
  facts: Facts | null = null;
  verifiedAt = 0;
  refusal: { admission: Admission; until: number } | null = null;
  pending: Promise<Admission> | null = null;
  reports: LeaseRequest['reports'][number][] = [];
  want = 5;
  allowance = { since: 0, used: 0 };
  constructor(readonly identity: TokenIdentity) {}
}

const UNAUTHORIZED: Admission = { ok: false, failure: { code: 'unauthorized' }, facts: null };
const UNAVAILABLE: Admission = { ok: false, failure: { code: 'unavailable' }, facts: null };

const holders = new Map<string, Holder>();

function holderOf(env: Env, token: string): Holder | null {
  const known = holders.get(token);
  if (known) return known;
  const identity = readToken(env, token);
  if (!identity) return null;
  // The oldest goes: what it used was counted when its leases were made.
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
export function admit(
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  token: string,
  reads: boolean,
): Admission | Promise<Admission> {
  const holder = holderOf(env, token);
  if (!holder) return UNAUTHORIZED;
  const at = now();
  const admission = spend(env, ctx, holder, at);
  if (admission) return admission;
  if (holder.refusal && at < holder.refusal.until) return refused(holder, holder.refusal.admission, reads);
  return ask(env, ctx, holder, reads);
}

/** Admits one request under the lease in hand; null, without counting it, when there is none. */
export function admitAtOnce(
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  token: string,
): (Admission & { ok: true }) | null {
  const holder = holders.get(token);
  return holder ? spend(env, ctx, holder, now()) : null;
}

/** What is known of a token that was verified a minute ago or less: enough to begin a read with. */
export function recentFacts(token: string): Facts | null {
  const holder = holders.get(token);
  return holder?.facts && now() - holder.verifiedAt < TRUST ? holder.facts : null;
}

/** Waits for a lease; who finds it used up by others asks again, and gives up after a few rounds. */
async function ask(
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
  holder: Holder,
  reads: boolean,
): Promise<Admission> {
  for (let round = 0; round < 20; round++) {
    const pending = holder.pending ?? renew(env, holder);
    // The call is shared, so it has to outlive the request that began it.
    ctx.waitUntil(pending);
    const answer = await pending;
    const admission = answer.ok ? use(holder, now()) : refused(holder, answer, reads);
    if (admission) return admission;
  }
  return UNAVAILABLE;
}

/** Takes a permit, and sees to the next lease before this one ends. */
function spend(env: Env, ctx: Pick<ExecutionContext, 'waitUntil'>, holder: Holder, at: number) {
  const admission = use(holder, at);
  if (admission && !holder.pending && runsOut(holder.lease, at)) ctx.waitUntil(renew(env, holder));
  return admission;
}

/** Takes one permit of the lease, or null when there is none to take. */
function use(holder: Holder, at: number): (Admission & { ok: true }) | null {
  const { lease, facts } = holder;
  if (!lease || !facts || lease.left === 0 || at >= lease.askedAt + LEASE_MS) return null;
  lease.left -= 1;
  // Counted from when the lease was asked for: a second too late is safe, one too early is not.
  const second = Math.floor((lease.grantedAt + at - lease.askedAt) / 1000);
  lease.used.set(second, (lease.used.get(second) ?? 0) + 1);
  const resetIn = Math.max(1, Math.ceil((lease.freesAt - at) / 1000));
  return { ok: true, facts, remaining: lease.remaining + lease.left, resetIn };
}

/** Whether it is time to fetch the next lease beside the requests, so that none has to wait for it. */
const runsOut = (lease: Lease | null, at: number): boolean =>
  lease !== null && (at - lease.askedAt > LEASE_MS * 0.6 || lease.left * 4 < lease.permits);

function renew(env: Env, holder: Holder): Promise<Admission> {
  const askedAt = now();
  retireDead(holder, askedAt);
  const reports = holder.reports;
  holder.reports = [];
  const { tenantId, applicationId, hash } = holder.identity;
  const request: LeaseRequest = { tenantId, applicationId, hash, want: holder.want, reports };
  holder.pending = callLimiter(env, request)
    .catch((): LeaseAnswer => ({ ok: false, reason: 'unavailable' }))
    .then((answer) => {
      // Reporting twice is harmless: the limiter settles each lease once.
      if (!answer.ok && answer.reason === 'unavailable') holder.reports.push(...reports);
      return take(holder, answer, askedAt);
    })
    .finally(() => {
      holder.pending = null;
    });
  return holder.pending;
}

async function callLimiter(env: Env, request: LeaseRequest): Promise<LeaseAnswer> {
  const stub = env.RATE_LIMITER.getByName(`${request.tenantId}:${request.applicationId}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<LeaseAnswer>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The limiter did not answer')), PATIENCE);
  });
  try {
    return await Promise.race([stub.lease(request), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Gives up a lease that can't be used any more, so that the next call reports it. */
function retireDead(holder: Holder, at: number): void {
  const { lease } = holder;
  if (lease && (lease.left === 0 || at >= lease.askedAt + LEASE_MS)) retire(holder, lease, at);
}

function retire(holder: Holder, lease: Lease, at: number): void {
  const used = lease.permits - lease.left;
  const age = Math.max(at - lease.askedAt, 50) / 1000;
  holder.want = Math.min(1_000, Math.max(5, Math.ceil((used / Math.min(age, 1)) * 1.25)));
  holder.reports.push({ id: lease.id, usage: [...lease.used] });
  holder.lease = null;
}

function take(holder: Holder, answer: LeaseAnswer, askedAt: number): Admission {
  if (answer.ok) {
    if (holder.lease) retire(holder, holder.lease, now());
    const { id, permits, grantedAt } = answer.grant;
    const { remaining, facts } = answer;
    const freesAt = askedAt + answer.freesIn;
    holder.lease = { id, permits, grantedAt, askedAt, remaining, freesAt, used: new Map(), left: permits };
    holder.facts = facts;
    holder.verifiedAt = askedAt;
    holder.refusal = null;
    return { ok: true, facts, remaining: remaining + permits, resetIn: 1 };
  }
  const admission = refusal(answer);
  if (answer.reason !== 'unavailable') holder.facts = answer.reason === 'rate_limited' ? answer.facts : null;
  if (answer.reason === 'rate_limited') holder.verifiedAt = askedAt;
  const wait = answer.reason === 'rate_limited' ? Math.min(answer.retryIn, BELIEVE_REFUSAL) : BELIEVE_REFUSAL;
  holder.refusal = { admission, until: now() + wait };
  return admission;
}

function refusal(answer: Exclude<LeaseAnswer, { ok: true }>): Admission {
  if (answer.reason === 'unavailable') return UNAVAILABLE;
  if (answer.reason === 'unauthorized') return UNAUTHORIZED;
  const retryAfter = Math.ceil(answer.retryIn / 1000);
  return { ok: false, failure: { code: 'rate_limited', retryAfter }, facts: answer.facts };
}

/**
 * A refusal as it is; but while the limiter can't be reached, reads of a token that was verified in the
 * last minute go on under a tenth of its limit.
 */
function refused(holder: Holder, admission: Admission, reads: boolean): Admission {
  const { facts, allowance } = holder;
  if (admission !== UNAVAILABLE || !reads || !facts) return admission;
  const at = now();
  if (at - holder.verifiedAt > TRUST) return admission;
  if (at - allowance.since > 60_000) Object.assign(allowance, { since: at, used: 0 });
  const most = Math.max(1, Math.floor(facts.limit / 10));
  if (allowance.used >= most) return admission;
  allowance.used += 1;
  const { tenantId, applicationId } = holder.identity;
  console.warn(
    JSON.stringify({ event: 'limiter_unreachable', tenant: tenantId, application: applicationId }),
  );
  return { ok: true, facts, remaining: most - allowance.used, resetIn: 60 };
}
