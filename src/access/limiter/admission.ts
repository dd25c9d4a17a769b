import { inTime } from '../../kernel/async/in-time.ts';
import { SharedCall } from '../../kernel/async/shared-call.ts';
import { learnVersion } from '../../kernel/cache/new-versions.ts';
import { now } from '../../kernel/core/clock.ts';
import { log } from '../../kernel/core/log.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { Runtime } from '../../kernel/data/tenant-context.ts';
import type { Principal } from '../principal.ts';
import { applicationKey, readToken, type TokenIdentity } from '../token.ts';
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

/** The longest time (ms) that a request waits for a permit. */
const MAX_WAIT_MS = 5_000;
/** The most tokens that an isolate remembers; the oldest are evicted. */
const MAX_TOKENS = 10_000;

/** The state of each token in this isolate. */
const limiters = new Map<string, TokenLimiter>();
/** The rate limit state shown in responses, by tenant and application. */
const views = new Map<string, LimitView>();
/** The calls of each token's RateLimiter object. */
const calls = new WeakMap<TokenLimiter, SharedCall<LeaseAnswer>>();

function callOf(limiter: TokenLimiter): SharedCall<LeaseAnswer> {
  const call = calls.get(limiter) ?? new SharedCall<LeaseAnswer>(MAX_WAIT_MS);
  calls.set(limiter, call);
  return call;
}

function limiterFor(env: Env, token: string): TokenLimiter | null {
  const known = limiters.get(token);
  if (known) return known;
  const identity = readToken(env, token);
  if (!identity) return null;
  // The permits that an evicted token has not reported count as used.
  const oldest = limiters.size >= MAX_TOKENS ? limiters.entries().next().value : undefined;
  if (oldest) forget(...oldest);
  const limiter = new TokenLimiter(identity, viewOf(identity));
  limiters.set(token, limiter);
  return limiter;
}

/** Returns the view that all tokens of an application share. */
function viewOf(identity: TokenIdentity): LimitView {
  const key = applicationKey(identity);
  const view = views.get(key) ?? new LimitView();
  views.set(key, view);
  return view;
}

function forget(token: string, limiter: TokenLimiter): void {
  limiters.delete(token);
  const key = applicationKey(limiter.identity);
  if (views.get(key)?.leave(limiter)) views.delete(key);
}

/**
 * Admits or refuses one request of a token: at once if the isolate holds a lease, else after an RPC to the
 * limiter. A forged token is refused without I/O. `reads` (GET requests) may use the fallback allowance
 * while the limiter can't be reached.
 */
export function admit(runtime: Runtime, token: string, reads: boolean): Admission | Promise<Admission> {
  const limiter = limiterFor(runtime.env, token);
  if (!limiter) return UNAUTHORIZED;
  const at = now();
  // While a call is pending, its answer decides, not the last one's.
  const known =
    spend(runtime, limiter, at) ?? (callOf(limiter).isPending ? null : limiter.cachedRefusal(at, reads));
  if (known) return logFallback(limiter, known);
  const meanwhile = limiter.admitDuringOutage(at, reads);
  if (!meanwhile) return ask(runtime, limiter, reads);
  runtime.ctx.waitUntil(callLimiter(runtime.env, limiter));
  return logFallback(limiter, meanwhile);
}

/** Admits one request under the current lease. Returns `null`, without counting it, if there is none. */
export function admitAtOnce(runtime: Runtime, token: string): Admitted | null {
  const limiter = limiters.get(token);
  return limiter ? spend(runtime, limiter, now()) : null;
}

/** Returns the principal of a token verified in the last minute, else `null`. */
export const recentPrincipal = (token: string): Principal | null =>
  limiters.get(token)?.recentPrincipal(now()) ?? null;

/**
 * Returns the principal to start a read for while the limiter decides: of a token verified in the last minute, unless
 * its last request was refused. A client over its limit would read on otherwise. Else `null`.
 */
export const likelyPrincipal = (token: string): Principal | null =>
  limiters.get(token)?.wasRefused === false ? recentPrincipal(token) : null;

/**
 * Returns a token's principal as of now, for a request that was admitted earlier. Counts nothing. Calls the
 * limiter unless the current lease is recent enough. `unauthorized`, or `unavailable` if it can't be reached.
 */
export async function currentPrincipal(env: Env, token: string): Promise<Result<Principal>> {
  const limiter = limiterFor(env, token);
  if (!limiter) return fail('unauthorized');
  const leased = limiter.leasedPrincipal(now());
  if (leased) return ok(leased);
  const { identity } = limiter;
  const stub = limiterOf(env, identity);
  const answer = await inTime(LEASE_WAIT_MS, async () => await stub.verify(identity)).catch(() => null);
  if (!answer) return fail('unavailable');
  return answer.ok ? ok(answer.principal) : fail(answer.reason);
}

/**
 * Takes a permit of the current lease. Fetches the next lease in the background before this one is used up.
 */
function spend({ env, ctx }: Runtime, limiter: TokenLimiter, at: number): Admitted | null {
  const admitted = limiter.admitArriving(at);
  if (admitted && limiter.runsOut(at) && !callOf(limiter).isPending) ctx.waitUntil(callLimiter(env, limiter));
  return admitted;
}

/**
 * Waits for a lease. Calls again if concurrent requests have used it up, and once if the limiter failed: its
 * object may just have moved or restarted.
 */
async function ask({ env, ctx }: Runtime, limiter: TokenLimiter, reads: boolean): Promise<Admission> {
  const since = now();
  limiter.waiting += 1;
  try {
    for (let calls = 1; now() - since < MAX_WAIT_MS; calls++) {
      const called = callLimiter(env, limiter);
      // The call is shared, so it must outlive the request that started it.
      ctx.waitUntil(called);
      const answer = await called;
      const admission = answer.ok
        ? limiter.admitWaiting(now())
        : limiter.refused(refusalOf(answer), now(), reads);
      if (admission && (admission !== UNAVAILABLE || calls > 1)) return logFallback(limiter, admission);
    }
    return UNAVAILABLE;
  } finally {
    limiter.waiting -= 1;
  }
}

/** Requests a lease from the limiter. Concurrent requests share one call. Never rejects. */
function callLimiter(env: Env, limiter: TokenLimiter): Promise<LeaseAnswer> {
  return callOf(limiter).join(async () => {
    const askedAt = now();
    const request = limiter.request(askedAt);
    const answer = await lease(env, request);
    limiter.applyAnswer({ request, askedAt }, answer, now());
    if (answer.ok) learnVersion(answer.principal.tenantId, answer.principal.catalogVersion);
    return answer;
  });
}

async function lease(env: Env, request: LeaseRequest): Promise<LeaseAnswer> {
  const stub = limiterOf(env, request);
  const unavailable: LeaseAnswer = { ok: false, reason: 'unavailable' };
  return inTime(LEASE_WAIT_MS, async () => await stub.lease(request)).catch(() => unavailable);
}

/** Logs an admission that was made without the limiter. */
function logFallback(limiter: TokenLimiter, admission: Admission): Admission {
  if (!admission.ok || !admission.unleased) return admission;
  const { tenantId: tenant, applicationId: application } = limiter.identity;
  log('limiter_unreachable', { tenant, application });
  return admission;
}
