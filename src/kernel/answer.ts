import type { Context, MiddlewareHandler } from 'hono';
import type { App } from './call.ts';

/** Header fields of an answer, each written the same way everywhere: `ETag`, never also `etag`. */
export type Fields = Readonly<Record<string, string>>;

/** Gives a request its id (a UUID), which its answer carries in `X-Request-Id`. */
export const identified: MiddlewareHandler<App> = (c, next) => {
  const requestId = crypto.randomUUID();
  c.set('requestId', requestId);
  c.set('fields', { 'X-Request-Id': requestId });
  return next();
};

/**
 * Notes header fields for the answer to this request, whoever will make it; the last word counts. They are
 * kept as plain data until then: each field set on a `Headers` costs a call into the runtime.
 */
export function announce(c: Context<App>, fields: Fields): void {
  c.set('fields', { ...c.get('fields'), ...fields });
}

/** An answer with the fields that were announced and its own. */
export const answer = (c: Context<App>, body: string | null, status: number, fields: Fields = {}): Response =>
  new Response(body, { status, headers: { ...c.get('fields'), ...fields } });

/** An answer in JSON. */
export const answerJson = (c: Context<App>, value: unknown, status: number): Response =>
  answer(c, JSON.stringify(value), status, { 'Content-Type': 'application/json' });
