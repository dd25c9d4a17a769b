import type { Context, MiddlewareHandler } from 'hono';
import { now } from '../../kernel/core/clock.ts';
import type { Failure } from '../../kernel/core/errors.ts';
import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { AccessRequirement } from '../../kernel/core/scopes.ts';
import { sameText } from '../../kernel/crypto/crypto.ts';
import { connectingNetwork } from '../../kernel/http/client-ip.ts';
import type { App, Caller, HeaderFields } from '../../kernel/http/context.ts';
import { type EndpointSpec, takesToken } from '../../kernel/http/endpoint.ts';
import type { Guard } from '../../kernel/http/mount.ts';
import { NetworkThrottle } from '../../kernel/http/network-throttle.ts';
import { problem } from '../../kernel/http/problem.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { suggestShard } from '../../kernel/shards/shard-map.ts';
import { admit, currentPrincipal, likelyPrincipal } from '../limiter/admission.ts';
import type { Admission } from '../limiter/token-limiter.ts';
import { callerOf, type Principal } from '../principal.ts';
import { elapsed, recordCall } from '../request-log/recorder.ts';
import { originAllowed, withholdCors } from './cors.ts';

/** Returns the token of `Authorization: Bearer …` (RFC 6750; the scheme in any case), or "". */
export const bearer = (header: string | undefined): string =>
  header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : '';

/**
 * Returns why a principal lacks the required access, or `null`. Checks tenant, origin, plan, scope in this
 * order.
 */
export function forbidden(
  principal: Principal,
  need: AccessRequirement,
  origin: string | undefined,
): Failure | null {
  if (principal.suspended) return { code: 'tenant_suspended' };
  if (!originAllowed(principal.origins, origin)) return { code: 'origin_not_allowed' };
  if (need.feature && !principal.features.includes(need.feature)) return { code: 'plan_not_allowed' };
  if (!principal.scopes.includes(need.scope)) {
    return { code: 'insufficient_scope', details: { required_scope: need.scope } };
  }
  return null;
}

/**
 * Returns the rate limit headers of a known token: the IETF draft's, and the `X-RateLimit-*` of older
 * clients.
 */
export function limitHeaders(admission: Admission): HeaderFields {
  const { principal } = admission;
  if (!principal) return {};
  const remaining = admission.ok ? admission.remaining : 0;
  const resetIn = admission.ok ? admission.resetIn : (admission.failure.retryAfter ?? 1);
  return {
    'RateLimit-Policy': `"default";q=${principal.limit};w=60`,
    RateLimit: `"default";r=${remaining};t=${resetIn}`,
    'X-RateLimit-Limit': String(principal.limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(now() / 1000) + resetIn),
  };
}

/** Authorizes a principal. Removes the CORS headers if its origin is not allowed. */
function permit(c: Context<App>, principal: Principal, need: AccessRequirement): Result<Caller> {
  const origin = c.req.header('origin');
  if (!originAllowed(principal.origins, origin)) withholdCors(c);
  const failure = forbidden(principal, need, origin);
  return failure ? { ok: false, failure } : ok(callerOf(principal));
}

/** Authorizes an admitted request, and sets the rate limit headers. */
function enter(c: Context<App>, admission: Admission, need: AccessRequirement): Result<Caller> {
  setHeaders(c, limitHeaders(admission));
  if (admission.principal) c.set('application', admission.principal);
  const permitted = admission.principal && permit(c, admission.principal, need);
  if (!admission.ok) return { ok: false, failure: admission.failure };
  return permitted ?? fail('unauthorized');
}

const tokenOf = (c: Context<App>): string => bearer(c.req.header('authorization'));

/** Logs each call that `enter` lets in or refuses, once its application is known. */
const logged =
  ({ path }: EndpointSpec, enter: MiddlewareHandler<App>): MiddlewareHandler<App> =>
  async (c, next) => {
    const at = now();
    c.set('route', path);
    const refusal = await enter(c, next);
    const application = c.get('application');
    if (!application) return refusal;
    const { status } = refusal instanceof Response ? refusal : c.res;
    const call = { at, method: c.req.method, route: path, status, ms: elapsed(at), id: c.get('requestId') };
    recordCall({ env: c.env, ctx: c.executionCtx }, application, call);
    return refusal;
  };

/**
 * Returns the token guard of an endpoint: 401, then 429, then 403. With a token that was verified in the last
 * minute and not refused since, a cached read runs concurrently with the limiter; its response is sent only if the
 * limiter admits the request. `recheck` calls the limiter only without a current lease.
 */
export function tokenGuard(spec: EndpointSpec): Guard {
  if (!takesToken(spec.access)) throw new Error('Not a token endpoint');
  const need: AccessRequirement = { scope: spec.access, ...(spec.feature ? { feature: spec.feature } : {}) };
  const reads = spec.method === 'get';
  return {
    enter: logged(spec, async (c, next) => {
      const token = tokenOf(c);
      const admission = admit({ env: c.env, ctx: c.executionCtx }, token, reads);
      const principal = admission instanceof Promise && spec.cached ? likelyPrincipal(token) : null;
      if (principal && !forbidden(principal, need, c.req.header('origin'))) {
        c.set('application', principal);
        c.set('caller', callerOf(principal));
        // The lease is renewed meanwhile, and names the tenant's present shard.
        suggestShard(principal.tenantId, principal.shard);
        c.set(
          'admitted',
          Promise.resolve(admission).then((decided) => enter(c, decided, need)),
        );
        return next();
      }
      const entered = enter(c, await admission, need);
      if (!entered.ok) return problem(c, entered.failure);
      c.set('caller', entered.value);
      return next();
    }),
    recheck: async (c) => {
      const principal = await currentPrincipal(c.env, tokenOf(c));
      const permitted = principal.ok ? permit(c, principal.value, need) : principal;
      if (!permitted.ok) return permitted.failure;
      c.set('caller', permitted.value);
      return null;
    },
  };
}

/**
 * Wrong tokens by network. The secret is too long to be guessed at this rate times the number of isolates. The unknown
 * network is not limited, which would also lock out the super-admin.
 */
const wrongTokens = new NetworkThrottle({ burst: 10, intervalMs: 30_000 });

const isSuperAdmin = (c: Context<App>): boolean => {
  const secret = c.env.SUPER_ADMIN_TOKEN;
  const token = tokenOf(c);
  return Boolean(secret) && token !== '' && sameText(token, secret);
};

/**
 * The guard of the platform API, whose token is a wrangler secret. After ten wrong tokens a network gets one
 * attempt every 30 seconds (429 with `Retry-After`), even with the right token. Other networks are
 * unaffected.
 */
export const platformGuard: Guard = {
  enter: async (c, next) => {
    const network = connectingNetwork(c);
    const retryAfter = wrongTokens.retryAfter(network);
    if (retryAfter > 0) return problem(c, { code: 'rate_limited', retryAfter });
    if (!isSuperAdmin(c)) {
      if (tokenOf(c)) wrongTokens.record(network);
      return problem(c, { code: 'unauthorized' });
    }
    wrongTokens.clear(network);
    return next();
  },
  // Neither the request's token nor the Worker's secret changes while the body arrives.
  recheck: async () => null,
};
