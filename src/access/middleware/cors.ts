import type { Context, MiddlewareHandler } from 'hono';
import type { App, HeaderFields } from '../../kernel/http/context.ts';
import { respond, setHeaders } from '../../kernel/http/response.ts';

/** Response headers that a browser's script may read. */
const EXPOSED =
  'X-Request-Id, X-Catalog-Version, ETag, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, Idempotent-Replayed, Link, Location, WWW-Authenticate, Content-Disposition, Server-Timing';

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, X-Catalog-Version, X-Customer-Token, X-Server-Timing';

/**
 * Returns whether an application's origin list allows this one. An empty list or a missing `Origin` passes.
 */
export const originAllowed = (origins: readonly string[], origin: string | undefined): boolean =>
  origin === undefined || origins.length === 0 || origins.includes(origin);

/** Returns the CORS headers: the exact origin, never "*", no credentials (Fetch standard, 3.2). */
export const corsHeaders = (origin: string | undefined): HeaderFields =>
  origin === undefined
    ? {}
    : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED };

/** Removes the CORS headers, so that a script of a disallowed origin can't read the response. */
export function withholdCors(c: Context<App>): void {
  const withheld = corsHeaders('');
  c.set(
    'headers',
    Object.fromEntries(Object.entries(c.get('headers')).filter(([name]) => !(name in withheld))),
  );
}

/**
 * CORS middleware of the API. Every response echoes the request's origin unless a guard removes it.
 * Preflights carry no token and end here.
 */
export const cors: MiddlewareHandler<App> = async (c, next) => {
  const origin = c.req.header('origin');
  setHeaders(c, { Vary: 'Origin', ...corsHeaders(origin) });
  const isPreflight = c.req.method === 'OPTIONS' && origin && c.req.header('access-control-request-method');
  if (!isPreflight) return next();
  return respond(c, null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': '7200',
    },
  });
};
