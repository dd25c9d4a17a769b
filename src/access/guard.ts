import type { Context } from 'hono';
import { now } from '../kernel/core/clock.ts';
import type { Failure } from '../kernel/core/errors.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { AccessRequirement } from '../kernel/core/scopes.ts';
import { sameText } from '../kernel/crypto/crypto.ts';
import { connectingNetwork } from '../kernel/http/client-ip.ts';
import type { App, Caller } from '../kernel/http/context.ts';
import type { EndpointSpec } from '../kernel/http/endpoint.ts';
import type { Guard } from '../kernel/http/mount.ts';
import { problem } from '../kernel/http/problem.ts';
import { type HeaderFields, setHeaders } from '../kernel/http/response.ts';
import { adminWait, forgiveAdmin, noteWrongAdmin } from './admin-throttle.ts';
import { originAllowed, withholdCors } from './cors.ts';
import { admit, currentFacts, recentPrincipal } from './limiter/admission.ts';
import type { Admission } from './limiter/token-limiter.ts';
import { callerOf, type Principal } from './principal.ts';

/** The token of `Authorization: Bearer …` (RFC 6750; the scheme in any case), or "". */
export const bearer = (header: string | undefined): string =>
  header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : '';

/** Why facts don't allow what is needed, in the contract's order: tenant, origin, plan, scope. */
export function forbidden(
  facts: Principal,
  need: AccessRequirement,
  origin: string | undefined,
): Failure | null {
  if (facts.suspended) return { code: 'tenant_suspended' };
  if (!originAllowed(facts.origins, origin)) return { code: 'origin_not_allowed' };
  if (need.feature && !facts.features.includes(need.feature)) return { code: 'plan_not_allowed' };
  if (!facts.scopes.includes(need.scope)) {
    return { code: 'insufficient_scope', details: { required_scope: need.scope } };
  }
  return null;
}

/** The headers that tell a known token of its limit: the IETF draft's, and those older clients read. */
export function limitHeaders(admission: Admission): HeaderFields {
  const { facts } = admission;
  if (!facts) return {};
  const remaining = admission.ok ? admission.remaining : 0;
  const resetIn = admission.ok ? admission.resetIn : (admission.failure.retryAfter ?? 1);
  return {
    'RateLimit-Policy': `"default";q=${facts.limit};w=60`,
    RateLimit: `"default";r=${remaining};t=${resetIn}`,
    'X-RateLimit-Limit': String(facts.limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(now() / 1000) + resetIn),
  };
}

/** Whether what is known of a token allows what is needed; where its origin is foreign no CORS headers go out. */
function permit(c: Context<App>, facts: Principal, need: AccessRequirement): Result<Caller> {
  const origin = c.req.header('origin');
  if (!originAllowed(facts.origins, origin)) withholdCors(c);
  const failure = forbidden(facts, need, origin);
  return failure ? { ok: false, failure } : ok(callerOf(facts));
}

/** Lets a request in or says why not, and puts what its answer must say into the headers. */
function enter(c: Context<App>, admission: Admission, need: AccessRequirement): Result<Caller> {
  setHeaders(c, limitHeaders(admission));
  const permitted = admission.facts && permit(c, admission.facts, need);
  if (!admission.ok) return { ok: false, failure: admission.failure };
  return permitted ?? fail('unauthorized');
}

const tokenOf = (c: Context<App>): string => bearer(c.req.header('authorization'));

/**
 * The token guard of one endpoint: 401, then 429, then 403. A cached read of a token that was verified
 * in the last minute begins beside the call to the limiter; its answer goes out only if the limiter agrees.
 * Deciding again asks the limiter who the token is only when no lease in hand says so.
 */
export function tokenGuard(spec: EndpointSpec): Guard {
  if (spec.access === 'public' || spec.access === 'platform') throw new Error('Not a token endpoint');
  const need: AccessRequirement = { scope: spec.access, ...(spec.feature ? { feature: spec.feature } : {}) };
  const reads = spec.method === 'get';
  return {
    enter: async (c, next) => {
      const token = tokenOf(c);
      const admission = admit(c.env, c.executionCtx, token, reads);
      const facts = admission instanceof Promise && spec.cached ? recentPrincipal(token) : null;
      if (facts && !forbidden(facts, need, c.req.header('origin'))) {
        c.set('caller', callerOf(facts));
        c.set(
          'admitted',
          Promise.resolve(admission).then((answer) => enter(c, answer, need)),
        );
        return next();
      }
      const entered = enter(c, await admission, need);
      if (!entered.ok) return problem(c, entered.failure);
      c.set('caller', entered.value);
      return next();
    },
    again: async (c) => {
      const facts = await currentFacts(c.env, tokenOf(c));
      const permitted = facts.ok ? permit(c, facts.value, need) : facts;
      if (!permitted.ok) return permitted.failure;
      c.set('caller', permitted.value);
      return null;
    },
  };
}

const isSuperAdmin = (c: Context<App>): boolean => {
  const secret = c.env.SUPER_ADMIN_TOKEN;
  const token = tokenOf(c);
  return Boolean(secret) && token !== '' && sameText(token, secret);
};

/**
 * The guard of the platform API: the super-admin's token, a wrangler secret. After ten wrong ones a network has
 * one try every 30 seconds (429 with `Retry-After`), the right token included, or guessing would go on; from any
 * other network it works at once.
 */
export const platformGuard: Guard = {
  enter: async (c, next) => {
    const network = connectingNetwork(c);
    const retryAfter = Math.ceil(adminWait(network) / 1_000);
    if (retryAfter > 0) return problem(c, { code: 'rate_limited', retryAfter });
    if (!isSuperAdmin(c)) {
      if (tokenOf(c)) noteWrongAdmin(network);
      return problem(c, { code: 'unauthorized' });
    }
    forgiveAdmin(network);
    return next();
  },
  again: async (c) => (isSuperAdmin(c) ? null : { code: 'unauthorized' }),
};
