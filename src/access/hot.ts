import type { MiddlewareHandler } from 'hono';
import { addressOf, hotEntry } from '../kernel/cache.ts';
import type { App } from '../kernel/call.ts';
import { matches, renderedHeaders } from '../kernel/rendered.ts';
import { corsHeaders } from './cors.ts';
import { bearer, forbidden, limitHeaders } from './guard.ts';
import { admitAtOnce, recentFacts } from './leases.ts';

/**
 * Answers a GET of an address that this isolate has answered before, at the catalogue version that the
 * token's lease names: no routing, no validation, no storage. Everything else goes the long way.
 */
export const hotReads: MiddlewareHandler<App> = async (c, next) => {
  const { raw } = c.req;
  if (raw.method !== 'GET') return next();
  const token = bearer(raw.headers.get('authorization') ?? undefined);
  const facts = recentFacts(token);
  const entry = facts && hotEntry(facts.tenantId, addressOf(raw.url));
  if (!entry || entry.rendered.version !== facts.catalogVersion) return next();
  const origin = raw.headers.get('origin') ?? undefined;
  const asked = Number(raw.headers.get('x-catalog-version') ?? 0);
  if (asked > entry.rendered.version || forbidden(facts, entry.need, origin)) return next();
  const admission = admitAtOnce(c.env, c.executionCtx, token);
  if (!admission) return next();
  const fresh = !matches(raw.headers.get('if-none-match'), entry.rendered.etag);
  return new Response(fresh ? entry.rendered.body : null, {
    status: fresh ? 200 : 304,
    headers: {
      'Content-Type': 'application/json',
      'X-Request-Id': crypto.randomUUID(),
      Vary: 'Origin',
      ...renderedHeaders(entry.rendered),
      ...limitHeaders(admission),
      ...corsHeaders(origin),
    },
  });
};
