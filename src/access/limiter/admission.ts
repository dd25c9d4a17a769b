import { now } from '../../kernel/core/clock.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import { shareable } from '../../kernel/core/shareable-promise.ts';
import type { Principal } from '../principal.ts';
import { readToken, type TokenIdentity } from '../token.ts';
import { LimitView } from './limit-view.ts';
import { limiterOf } from './limiter-client.ts';
import type { LeaseAnswer, LeaseRequest } from './rate-limiter.ts';
import { LEASE_WAIT_MS } from './sliding-window.ts';
import {
  type Admission,
  type Admitted,
  refusalOf,
  TokenLimiter,
  UNAUTHORIZED,
  UNAVAILABLE,
} from './token-limiter.ts';

/** A request that waits for a permit gives up after this long (ms). */
const MAX_WAIT_MS = 5_000;
/** How many tokens an isolate remembers. */
const MAX_TOKENS = 10_000;

type Context = Pick<ExecutionContext, 'waitUntil'>;

/** The tokens that this isolate knows, and the calls to limiters that are under way. */
const limiters = new Map<string, TokenLimiter>();
/** What is told of the limits of their applications, by tenant and application. */
const views = new Map<string, LimitView>();
const calls = new WeakMap<TokenLimiter, { answer: Promise<LeaseAnswer>; since: number }>();

function limiterFor(env: Env, token: string): TokenLimiter | null {
  const known = limiters.get(token);
  if (known) return known;
  const identity = readToken(env, token);
  if (!identity) return null;
  // The oldest goes; what it did not report counts as used.
  const oldest = limiters.size >= MAX_TOKENS ? limiters.entries().next().value : undefined;
  if (oldest) forget(...oldest);
  const holder = new TokenLimiter(identity, viewOf(identity));
  limiters.set(token, holder);
  return holder;
}

const applicationOf = ({ tenantId, applicationId }: TokenIdentity): string => `${tenantId}:${applicationId}`;

/** What all tokens of an application share. */
function viewOf(identity: TokenIdentity): LimitView {
  const view = views.get(applicationOf(identity)) ?? new LimitView();
  views.set(applicationOf(identity), view);
  return view;
}

function forget(token: string, holder: TokenLimiter): void {
  limiters.delete(token);
  const application = applicationOf(holder.identity);
  if (views.get(application)?.leave(holder)) views.delete(application);
}

/**
 * Admits one request of a token: at once when the isolate holds a lease, else after asking the limiter.
 * A made-up token is refused without any I/O. `reads` may go on for a while without the limiter.
 */
export function admit(env: Env, ctx: Context, token: string, reads: boolean): Admission | Promise<Admission> {
  const holder = limiterFor(env, token);
  if (!holder) return UNAUTHORIZED;
  const at = now();
  const known = spend(env, ctx, holder, at) ?? holder.cachedRefusal(at, reads);
  if (known) return logFallback(holder, known);
  const meanwhile = holder.admitDuringOutage(at, reads);
  if (!meanwhile) return ask(env, ctx, holder, reads);
  ctx.waitUntil(callLimiter(env, holder));
  return logFallback(holder, meanwhile);
}

/** Admits one request under the lease in hand; null, without counting it, when there is none. */
export function admitAtOnce(env: Env, ctx: Context, token: string): Admitted | null {
  const holder = limiters.get(token);
  return holder ? spend(env, ctx, holder, now()) : null;
}

/** What is known of a token that was verified a minute ago or less: enough to begin a read with. */
export const recentPrincipal = (token: string): Principal | null =>
  limiters.get(token)?.recentPrincipal(now()) ?? null;

/**
 * Returns what a token may do as of now, for a request that was admitted a while ago: nothing is counted. Asks
 * the limiter unless a lease in hand is young enough. `unauthorized`; `unavailable` when it can't be reached.
 */
export async function currentFacts(env: Env, token: string): Promise<Result<Principal>> {
  const holder = limiterFor(env, token);
  if (!holder) return fail('unauthorized');
  const leased = holder.leasedFacts(now());
  if (leased) return ok(leased);
  const { identity } = holder;
  const stub = limiterOf(env, identity.tenantId, identity.applicationId);
  const answer = await inTime(async () => await stub.verify(identity)).catch(() => null);
  if (!answer) return fail('unavailable');
  return answer.ok ? ok(answer.facts) : fail(answer.reason);
}

/** Takes a permit of the lease in hand, and sees to the next one before this one ends. */
function spend(env: Env, ctx: Context, holder: TokenLimiter, at: number): Admitted | null {
  const admitted = holder.admitArriving(at);
  if (admitted && holder.runsOut(at) && !calls.has(holder)) ctx.waitUntil(callLimiter(env, holder));
  return admitted;
}

/** Waits for a lease; who finds it used up by others asks again. */
async function ask(env: Env, ctx: Context, holder: TokenLimiter, reads: boolean): Promise<Admission> {
  const since = now();
  holder.waiting += 1;
  try {
    while (now() - since < MAX_WAIT_MS) {
      const called = callLimiter(env, holder);
      // The call is shared, so it has to outlive the request that began it.
      ctx.waitUntil(called);
      const answer = await called;
      const admission = answer.ok
        ? holder.admitWaiting(now())
        : holder.refused(refusalOf(answer), now(), reads);
      if (admission) return logFallback(holder, admission);
    }
    return UNAVAILABLE;
  } finally {
    holder.waiting -= 1;
  }
}

/** Asks the limiter; who asks while a call is under way shares it. Never rejects. */
function callLimiter(env: Env, holder: TokenLimiter): Promise<LeaseAnswer> {
  const since = now();
  const known = calls.get(holder);
  // A call whose request was killed never ends: it is left behind after a while.
  if (known && since - known.since < MAX_WAIT_MS) return known.answer;
  const request = holder.request(since);
  const answer = shareable(
    lease(env, request).then((found) => {
      if (calls.get(holder)?.answer === answer) calls.delete(holder);
      holder.applyAnswer(request, found, since, now());
      return found;
    }),
  );
  calls.set(holder, { answer, since });
  return answer;
}

async function lease(env: Env, request: LeaseRequest): Promise<LeaseAnswer> {
  const stub = limiterOf(env, request.tenantId, request.applicationId);
  const unavailable: LeaseAnswer = { ok: false, reason: 'unavailable' };
  return inTime(async () => await stub.lease(request)).catch(() => unavailable);
}

/** What the limiter answers; rejects when that takes too long. */
async function inTime<T>(call: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The limiter did not answer')), LEASE_WAIT_MS);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Writes into the log what was let through without the limiter. */
function logFallback(holder: TokenLimiter, admission: Admission): Admission {
  if (!admission.ok || !admission.unleased) return admission;
  const { tenantId: tenant, applicationId: application } = holder.identity;
  console.warn(JSON.stringify({ event: 'limiter_unreachable', tenant, application }));
  return admission;
}
