import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ERRORS, type ErrorCode, type Failure } from '../core/errors.ts';
import type { App } from './context.ts';
import { respondJson, setHeaders } from './response.ts';

/** The one error body, whatever went wrong. */
export const Problem = z
  .object({
    message: z.string().openapi({ description: 'For people; may change.' }),
    code: z.string().openapi({ description: 'For programs; never changes.' }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .openapi({ description: 'Field → what is wrong with it.' }),
    details: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
  })
  .openapi('Error');

/** The HTTP status that the error table gives a code. */
export const statusOf = (code: ErrorCode): ContentfulStatusCode => ERRORS[code][0];

/** A failure as an HTTP response: the one place where errors become statuses, bodies and headers. */
export function problem(c: Context<App>, failure: Failure): Response {
  const body: z.infer<typeof Problem> = {
    message: failure.message ?? ERRORS[failure.code][1],
    code: failure.code,
    request_id: c.get('requestId'),
  };
  if (failure.errors) body.errors = { ...failure.errors };
  if (failure.details) body.details = { ...failure.details };
  const retryAfter = failure.retryAfter ?? (failure.code === 'unavailable' ? 1 : undefined);
  setHeaders(c, {
    ...(failure.code === 'unauthorized' && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  });
  return respondJson(c, body, statusOf(failure.code));
}

/** The 405 of an address that takes these methods alone (RFC 9110, 15.5.6). */
export function methodNotAllowed(c: Context<App>, methods: readonly string[]): Response {
  setHeaders(c, { Allow: methods.join(', ') });
  return problem(c, { code: 'method_not_allowed' });
}

/** The 405 of an address that can only be read. */
export const readOnly = (c: Context<App>): Response => methodNotAllowed(c, ['GET', 'HEAD']);

/** What zod found, as field path → messages; unknown fields are named one by one. */
export function fieldErrors(error: z.core.$ZodError, target: string): Record<string, string[]> {
  // A map: fields may have names such as "constructor" that every object seems to have.
  const errors = new Map<string, string[]>();
  const add = (path: PropertyKey[], message: string) => {
    const field = path.map(String).join('.') || target;
    errors.set(field, [...(errors.get(field) ?? []), message]);
  };
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...issue.path, key], 'is not a known field');
    } else add(issue.path, issue.message);
  }
  return Object.fromEntries(errors);
}
