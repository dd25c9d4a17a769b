import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ERRORS, type ErrorCode, type Failure } from '../core/errors.ts';
import { log } from '../core/log.ts';
import { validationMessage } from '../input/validation-messages.ts';
import { errorFields } from '../observe/error-fields.ts';
import type { Problem } from '../openapi/problem-schema.ts';
import type { App } from './context.ts';
import { respondJson, setHeaders } from './response.ts';

// Zod's own texts are written for programmers. The API and forms share these messages.
z.config({ localeError: validationMessage });

/** Returns the HTTP status of an error code. */
export const statusOf = (code: ErrorCode): ContentfulStatusCode => ERRORS[code][0];

/**
 * Converts a failure to an HTTP response. The only place that maps errors to statuses, bodies and headers.
 */
export function problem(c: Context<App>, failure: Failure): Response {
  const body: z.infer<typeof Problem> = {
    message: failure.message ?? defaultMessage(failure),
    code: failure.code,
    request_id: c.get('requestId'),
  };
  if (failure.errors) body.errors = { ...failure.errors };
  if (failure.details) body.details = { ...failure.details };
  const retryAfter = failure.retryAfter ?? (failure.code === 'unavailable' ? 1 : undefined);
  const status = statusOf(failure.code);
  setHeaders(c, {
    // Every 401 has a challenge (RFC 9110, 15.5.2).
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  });
  return respondJson(c, body, status);
}

/** Returns the message of a failure without one of its own; for a missing scope, it names the scope. */
const defaultMessage = ({ code, details }: Failure): string =>
  code === 'insufficient_scope' && details?.required_scope
    ? `The token lacks the scope ${details.required_scope}, which this call needs.`
    : ERRORS[code][1];

/** Responds with 405 and the allowed methods (RFC 9110, 15.5.6). */
export function methodNotAllowed(c: Context<App>, methods: readonly string[]): Response {
  setHeaders(c, { Allow: methods.join(', ') });
  return problem(c, { code: 'method_not_allowed' });
}

/** Responds with 405 for a URL that supports only GET and HEAD. */
export const readOnly = (c: Context<App>): Response => methodNotAllowed(c, ['GET', 'HEAD']);

/** The most fields that one response's errors name. A body of 1 MiB can have tens of thousands of invalid fields. */
const MAX_FIELDS = 1_000;

/**
 * Converts a zod error to field path → messages, each once, with one entry for each unknown field; at most
 * {@link MAX_FIELDS} fields.
 */
export function fieldErrors(error: z.core.$ZodError, target: string): Record<string, string[]> {
  // A map, because a field may be called "constructor", which a plain object inherits.
  const errors = new Map<string, string[]>();
  const mistyped = new Set<string>();
  const add = (path: PropertyKey[], message: string) => {
    const field = path.map(String).join('.') || target;
    errors.set(field, [...new Set([...(errors.get(field) ?? []), message])]);
  };
  for (const issue of error.issues) {
    if (errors.size >= MAX_FIELDS) break;
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, MAX_FIELDS - errors.size))
        add([...issue.path, key], 'is not a known field');
      continue;
    }
    // zod counts the characters of a string in the place of a list, which says nothing about the list.
    const field = issue.path.map(String).join('.');
    if (mistyped.has(field)) continue;
    if (issue.code === 'invalid_type') mistyped.add(field);
    add(issue.path, issue.message);
  }
  return Object.fromEntries(errors);
}

/**
 * Logs an unexpected error and returns its code: `unavailable` for a storage outage, else `internal_error`.
 */
export function reportError(error: Error, requestId: string): 'unavailable' | 'internal_error' {
  const fields = errorFields(error);
  log('error', { request_id: requestId, ...fields });
  return fields.storage ? 'unavailable' : 'internal_error';
}
