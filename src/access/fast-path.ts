import { cachedBodyHeaders, etagMatches } from '../kernel/data/cached-body.ts';
import { hotEntry, urlKey } from '../kernel/data/versioned-cache.ts';
import { corsHeaders } from './cors.ts';
import { bearer, forbidden, limitHeaders } from './guard.ts';
import { admitAtOnce, recentPrincipal } from './limiter/admission.ts';

/**
 * Answers a GET of an address that this isolate has answered before, at the catalogue version that the
 * token's lease names: no routing, no validation, no storage. Null for everything else, which goes the
 * long way; nothing is counted then.
 */
export function hotRead(
  request: Request,
  env: Env,
  ctx: Pick<ExecutionContext, 'waitUntil'>,
): Response | null {
  if (request.method !== 'GET') return null;
  const { headers } = request;
  const token = bearer(headers.get('authorization') ?? undefined);
  const facts = recentPrincipal(token);
  const entry = facts && hotEntry(facts.tenantId, urlKey(request.url));
  if (!entry || entry.rendered.version !== facts.catalogVersion) return null;
  const origin = headers.get('origin') ?? undefined;
  const asked = Number(headers.get('x-catalog-version') ?? 0);
  if (asked > entry.rendered.version || forbidden(facts, entry.need, origin)) return null;
  const admission = admitAtOnce(env, ctx, token);
  if (!admission) return null;
  const fresh = !etagMatches(headers.get('if-none-match'), entry.rendered.etag);
  return new Response(fresh ? entry.rendered.body : null, {
    status: fresh ? 200 : 304,
    headers: {
      ...(fresh ? { 'Content-Type': 'application/json' } : {}),
      'X-Request-Id': crypto.randomUUID(),
      Vary: 'Origin',
      ...cachedBodyHeaders(entry.rendered),
      ...limitHeaders(admission),
      ...corsHeaders(origin),
    },
  });
}
