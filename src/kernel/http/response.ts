import type { Context, MiddlewareHandler } from 'hono';
import type { App } from './context.ts';

/** Header fields of an answer, each written the same way everywhere: `ETag`, never also `etag`. */
export type HeaderFields = Readonly<Record<string, string>>;

/** Gives a request its id (a UUID), which its answer carries in `X-Request-Id`. */
export const requestId: MiddlewareHandler<App> = (c, next) => {
  const requestId = crypto.randomUUID();
  c.set('requestId', requestId);
  c.set('headers', { 'X-Request-Id': requestId });
  return next();
};

/**
 * Notes header fields for the answer to this request, whoever will make it; the last word counts. They are
 * kept as plain data until then: each field set on a `Headers` costs a call into the runtime.
 */
export function setHeaders(c: Context<App>, fields: HeaderFields): void {
  c.set('headers', { ...c.get('headers'), ...fields });
}

/**
 * An answer with the header fields that were set for it, and its own. Nobody may keep it unless its own fields say
 * otherwise: only what carries a catalogue version, and static files, may be kept.
 */
export const respond = (
  c: Context<App>,
  body: string | null,
  status: number,
  fields: HeaderFields = {},
): Response =>
  new Response(body, {
    status,
    headers: { ...c.get('headers'), 'Cache-Control': 'no-store', ...fields },
  });

/** An answer in JSON. */
export const respondJson = (c: Context<App>, value: unknown, status: number): Response =>
  respond(c, JSON.stringify(value), status, { 'Content-Type': 'application/json' });
