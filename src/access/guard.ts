import type { Context, MiddlewareHandler } from 'hono';
import type { App } from '../kernel/call.ts';
import { sameText } from '../kernel/crypto.ts';
import type { EndpointSpec } from '../kernel/endpoint.ts';
import type { Failure } from '../kernel/errors.ts';
import { problem } from '../kernel/problem.ts';
import type { Feature, Scope } from '../kernel/scopes.ts';
import { corsHeaders, originAllowed } from './cors.ts';
import { callerOf, type Facts } from './facts.ts';
import { type Admission, admit, recentFacts } from './leases.ts';

/** What a token needs for a route. */
export interface Need {
  readonly scope: Scope;
  readonly feature?: Feature;
}

/** The token of `Authorization: Bearer …` (RFC 6750; the scheme in any case), or "". */
export const bearer = (header: string | undefined): string =>
  header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : '';

/** Why facts don't allow what is needed, in the contract's order: tenant, origin, plan, scope. */
export function forbidden(facts: Facts, need: Need, origin: string | undefined): Failure | null {
  if (facts.suspended) return { code: 'tenant_suspended' };
  if (!originAllowed(facts.origins, origin)) return { code: 'origin_not_allowed' };
  if (need.feature && !facts.features.includes(need.feature)) return { code: 'plan_not_allowed' };
  if (!facts.scopes.includes(need.scope)) {
    return { code: 'insufficient_scope', details: { required_scope: need.scope } };
  }
  return null;
}

/** The headers that tell a known token of its limit: the IETF draft's, and those older clients read. */
export function limitHeaders(admission: Admission): Record<string, string> {
  const { facts } = admission;
  if (!facts) return {};
  const remaining = admission.ok ? admission.remaining : 0;
  const resetIn = admission.ok ? admission.resetIn : (admission.failure.retryAfter ?? 1);
  return {
    'RateLimit-Policy': `"default";q=${facts.limit};w=60`,
    RateLimit: `"default";r=${remaining};t=${resetIn}`,
    'X-RateLimit-Limit': String(facts.limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + resetIn),
  };
}

function setHeaders(c: Context<App>, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/** Lets a request in or says why not, and puts what its answer must say into the headers. */
function enter(c: Context<App>, admission: Admission, need: Need): Failure | null {
  const origin = c.req.header('origin');
  const { facts } = admission;
  const failure = admission.ok ? forbidden(admission.facts, need, origin) : admission.failure;
  c.header('Vary', 'Origin');
  if (!facts || originAllowed(facts.origins, origin)) setHeaders(c, corsHeaders(origin));
  setHeaders(c, limitHeaders(admission));
  if (!failure && facts) c.set('caller', callerOf(facts));
  return failure;
}

/**
 * The token guard of one endpoint: 401, then 429, then 403. A cached read of a token that was verified
 * a minute ago begins beside the call to the limiter; its answer goes out only if the limiter agrees.
 */
export function tokenGuard(spec: EndpointSpec): MiddlewareHandler<App> {
  if (spec.access === 'public' || spec.access === 'platform') throw new Error('Not a token endpoint');
  const need: Need = { scope: spec.access, ...(spec.feature ? { feature: spec.feature } : {}) };
  return async (c, next) => {
    const token = bearer(c.req.header('authorization'));
    const reads = spec.method === 'get';
    const admission = admit(c.env, c.executionCtx, token, reads);
    const facts = admission instanceof Promise && spec.cached ? recentFacts(token) : null;
    if (facts && !forbidden(facts, need, c.req.header('origin'))) {
      return beside(c, next, admission, need, facts);
    }
    const failure = enter(c, await admission, need);
    return failure ? problem(c, failure) : next();
  };
}

/** Runs the read with what was true a minute ago, while the limiter says what is true now. */
async function beside(
  c: Context<App>,
  next: () => Promise<void>,
  asked: Admission | Promise<Admission>,
  need: Need,
  facts: Facts,
): Promise<void> {
  let failure: Failure | null = null;
  c.set('caller', callerOf(facts));
  c.set(
    'admitted',
    Promise.resolve(asked).then((admission) => {
      failure = enter(c, admission, need);
      return admission.facts ? callerOf(admission.facts) : null;
    }),
  );
  await next();
  await c.get('admitted');
  if (!failure) return;
  // Without this, Hono would add the refused read's headers to the refusal.
  c.res = undefined;
  c.res = problem(c, failure);
}

/** The guard of the platform API: the super-admin's token, a wrangler secret. */
export const platformGuard: MiddlewareHandler<App> = async (c, next) => {
  const secret = c.env.SUPER_ADMIN_TOKEN;
  const token = bearer(c.req.header('authorization'));
  if (!secret || !token || !sameText(token, secret)) return problem(c, { code: 'unauthorized' });
  return next();
};
