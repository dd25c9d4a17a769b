import type { Context, MiddlewareHandler } from 'hono';
import type { App, HeaderFields } from './context.ts';

/** Assigns the request a UUID, which the response carries in `X-Request-Id`. */
export const requestId: MiddlewareHandler<App> = (c, next) => {
  const requestId = crypto.randomUUID();
  c.set('requestId', requestId);
  c.set('headers', { 'X-Request-Id': requestId });
  return next();
};

/**
 * Sets header fields of the eventual response; the last value wins. Stored as plain data, because each field
 * set on a `Headers` costs a call into the runtime.
 */
export function setHeaders(c: Context<App>, fields: HeaderFields): void {
  c.set('headers', { ...c.get('headers'), ...fields });
}

/**
 * Returns a response with the header fields set by {@link setHeaders} and its own. `no-store` by default: what may be
 * cached, such as a versioned catalogue read or a file, says so in `headers`.
 */
export function respond(
  c: Context<App>,
  body: string | null,
  { status, headers = {} }: { readonly status: number; readonly headers?: HeaderFields },
): Response {
  c.set('bodyLength', body?.length);
  return new Response(body, {
    status,
    headers: { ...c.get('headers'), 'Cache-Control': 'no-store', ...headers },
  });
}

/** Returns a JSON response. */
export const respondJson = (c: Context<App>, value: unknown, status: number): Response =>
  respond(c, JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });
