import { cachedBodyHeaders, etagMatches } from '../../kernel/cache/cached-body.ts';
import { audienceOf, hotEntry, urlKey } from '../../kernel/cache/hot-urls.ts';
import { now } from '../../kernel/core/clock.ts';
import type { Runtime } from '../../kernel/data/tenant-context.ts';
import { reportHotRead } from '../../kernel/observe/request-line.ts';
import { admitAtOnce, recentPrincipal } from '../limiter/admission.ts';
import { callerOf } from '../principal.ts';
import { recordCall } from '../request-log/recorder.ts';
import { corsHeaders } from './cors.ts';
import { bearer, forbidden, limitHeaders } from './guard.ts';

/**
 * Serves a GET of a URL that this isolate has served before, if the body is at the lease's catalogue version:
 * no routing, no validation, no storage. Returns `null`, without counting the request, for everything else.
 */
export function hotRead(runtime: Runtime, request: Request): Response | null {
  if (request.method !== 'GET') return null;
  const { headers } = request;
  const token = bearer(headers.get('authorization') ?? undefined);
  const principal = recentPrincipal(token);
  const entry = principal && hotEntry(audienceOf(callerOf(principal)), urlKey(request.url));
  if (!entry || entry.rendered.version !== principal.catalogVersion) return null;
  const origin = headers.get('origin') ?? undefined;
  const asked = Number(headers.get('x-catalog-version') ?? 0);
  if (asked > entry.rendered.version || forbidden(principal, entry.need, origin)) return null;
  const admission = admitAtOnce(runtime, token);
  if (!admission) return null;
  const fresh = !etagMatches(headers.get('if-none-match'), entry.rendered.etag);
  const status = fresh ? 200 : 304;
  const id = crypto.randomUUID();
  const call = { method: 'GET', route: entry.route, status, ms: 0, id };
  recordCall(runtime, principal, { at: now(), ...call });
  reportHotRead(runtime.env, { tenant: principal.tenantId, application: principal.applicationId, ...call });
  return new Response(fresh ? entry.rendered.body : null, {
    status,
    headers: {
      ...(fresh ? { 'Content-Type': 'application/json' } : {}),
      'X-Request-Id': id,
      Vary: 'Origin',
      ...cachedBodyHeaders(entry.rendered),
      ...limitHeaders(admission),
      ...corsHeaders(origin),
    },
  });
}
