import type { ErrorCode, Failure } from './errors.ts';

/** An unsuccessful result. */
export type Failed = { readonly ok: false; readonly failure: Failure };

/** A success or a failure as a value. Modules return it; only the HTTP layer maps it to a status. */
export type Result<T> = { readonly ok: true; readonly value: T } | Failed;

/** Returns a success with `value`. */
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

/** Returns a failure with a code of the error table. */
export const fail = (code: ErrorCode, more: Omit<Failure, 'code'> = {}): Failed => ({
  ok: false,
  failure: { code, ...more },
});

/** Returns a `validation_error` for one field. */
export const invalid = (field: string, message: string): Failed =>
  fail('validation_error', { errors: { [field]: [message] } });
