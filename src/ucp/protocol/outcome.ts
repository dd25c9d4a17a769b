import { ERRORS, type Failure } from '../../kernel/core/errors.ts';
import { statusOf } from '../../kernel/http/problem.ts';
import type { ErrorMessage } from './messages.ts';

/** The HTTP statuses of {@link ProtocolError}. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 424 | 429 | 500 | 503;

/**
 * Why a request could not be processed: its profile, signature, limit or input. Sent with an HTTP status, and over
 * MCP as a JSON-RPC error.
 */
export interface ProtocolError {
  readonly status: ErrorStatus;
  readonly code: string;
  readonly content: string;
  readonly continueUrl?: string | undefined;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number | undefined;
}

/** The header fields of a response with status 401 (RFC 9110, 11.6.1). */
export const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="ucp"' } as const;

/** A protocol error as a result. */
export type Refused = { readonly ok: false; readonly error: ProtocolError };

/** Why an operation that was processed has no result: HTTP 200 with `ucp.status: "error"`. */
export interface Rejected {
  readonly ok: false;
  readonly messages: readonly [ErrorMessage, ...ErrorMessage[]];
  readonly continueUrl?: string | undefined;
}

/** What an operation returns: its value without the `ucp` envelope, a business outcome, or a protocol error. */
export type UcpResult<Value = object> = { readonly ok: true; readonly value: Value } | Rejected | Refused;

/** The result of a step before the operation: its value, or a protocol error. */
export type Checked<Value> = { readonly ok: true; readonly value: Value } | Refused;

/** Returns a success. */
export const done = <Value>(value: Value) => ({ ok: true, value }) as const;

/** Returns a business outcome without a resource. */
export const rejected = (
  code: string,
  content: string,
  more: Partial<Pick<ErrorMessage, 'severity' | 'path'>> & { readonly continueUrl?: string } = {},
): Rejected => {
  const { continueUrl, severity = 'unrecoverable', path } = more;
  const message = { type: 'error' as const, code, content, severity, ...(path !== undefined && { path }) };
  return { ok: false, messages: [message], ...(continueUrl !== undefined && { continueUrl }) };
};

/** Returns a protocol error. */
export const refused = (status: ErrorStatus, code: string, content: string): Refused =>
  refusedWith({ status, code, content });

/** Returns a protocol error that says when to retry, or where else to go on. */
export const refusedWith = (error: ProtocolError): Refused => ({ ok: false, error });

/** Returns the protocol error of a limit that is reached; `retryAfter` (s) says for how long. */
export const tooMany = (retryAfter: number, content: string): Refused =>
  refusedWith({ status: 429, code: 'rate_limited', content, retryAfter });

/** The protocol's statuses for those that it doesn't have. */
const STATUSES: Readonly<Record<number, ErrorStatus>> = { 404: 404, 405: 405, 410: 404, 412: 409, 422: 400 };

/** Returns a failure of another module as a protocol error, with the module's own code. */
export function fromFailure({ code, message, retryAfter, errors }: Failure): Refused {
  const status = statusOf(code);
  const fields = Object.entries(errors ?? {}).map(([field, [text]]) => `${field} ${text}`);
  const content = [message ?? ERRORS[code][1], ...fields].join(' ');
  return refusedWith({
    // Every other status of the table of errors is one of the protocol's.
    status: STATUSES[status] ?? (status as ErrorStatus),
    code,
    content,
    retryAfter: retryAfter ?? (code === 'unavailable' ? 1 : undefined),
  });
}
