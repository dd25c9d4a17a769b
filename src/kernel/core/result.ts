import type { ErrorCode, Failure } from './errors.ts';

/** What went wrong. */
export type Failed = { readonly ok: false; readonly failure: Failure };

/** What can go wrong is a value: a room answers a `Result`, and only the HTTP edge turns it into a status. */
export type Result<T> = { readonly ok: true; readonly value: T } | Failed;

/** A success that carries `value`. */
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

/** A failure with a code of the error table, and what more is known about it. */
export const fail = (code: ErrorCode, more: Omit<Failure, 'code'> = {}): Failed => ({
  ok: false,
  failure: { code, ...more },
});

/** A 422 that names one field. */
export const invalid = (field: string, message: string): Failed =>
  fail('validation_error', { errors: { [field]: [message] } });
