import type { Schemas } from './method.ts';

type ErrorBody = Schemas['Error'];

/** An error code of the API. */
export type ErrorCode = ErrorBody['code'];

/** The code of an {@link ApiError}; the last three are the client's own. */
export type Code = ErrorCode | 'network_error' | 'timeout' | 'invalid_response';

/** The details that belong to a code. */
export type DetailsOf<C extends Code> =
  BodyOf<C, ErrorBody> extends infer Body
    ? [Body] extends [never]
      ? DetailsOfOthers
      : Body extends { details?: infer Details }
        ? Details
        : never
    : never;
/** The bodies that have one of these codes. */
type BodyOf<C extends Code, Body extends ErrorBody> = Body extends ErrorBody
  ? [Extract<C, Body['code']>] extends [never]
    ? never
    : Body
  : never;
type DetailsOfOthers = Readonly<Record<string, unknown>>;

/** What an {@link ApiError} is made from. */
export interface Failure<C extends Code = Code> {
  readonly code: C;
  readonly message: string;
  readonly status?: number;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly details?: DetailsOf<C>;
  readonly request_id?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A call that failed, after its retries. */
export class ApiError<C extends Code = Code> extends Error {
  override readonly name = 'ApiError';
  /** Tells the causes apart. Later versions of the API may have further codes. */
  readonly code: C;
  /** The HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Messages by field, with `validation_error`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly details: DetailsOf<C> | undefined;
  /** Identifies the request in support cases. */
  readonly requestId: string | undefined;
  /** Seconds after which the API suggests another attempt. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure<C>) {
    super(failure.message, { cause: failure.cause });
    this.code = failure.code;
    this.status = failure.status ?? 0;
    this.errors = failure.errors ?? {};
    this.details = failure.details;
    this.requestId = failure.request_id;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }

  /** Returns whether the error has one of these codes, and narrows `code` and `details` to them. */
  is<const K extends Code>(...codes: readonly K[]): this is ApiError<K> {
    return codes.some((code) => code === (this.code as Code));
  }
}

/** Every {@link ApiError} by code, for a `switch`. */
export type AnyApiError = { [K in Code]: ApiError<K> }[Code];

/** Returns whether a caught value is an error of this client, with one of `codes` if any are given. */
export function isApiError<const K extends Code = Code>(
  error: unknown,
  ...codes: readonly K[]
): error is Extract<AnyApiError, { code: K }> {
  return error instanceof ApiError && (codes.length === 0 || error.is(...codes));
}
