import { ApiError } from './errors.ts';

/** The part of `fetch` that the client calls. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request that may be sent several times. */
export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob | ArrayBuffer | null;
}

/** How a request is sent. */
export interface SendOptions {
  readonly fetch: Fetch;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly maxRetryAfterMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A response with its whole body. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const FIRST_BACKOFF_MS = 300;
const MAX_BACKOFF_MS = 5_000;

/**
 * Sends a request and retries it: after a 429 always, since nothing was done; after a 503, a failing gateway,
 * a lost connection or a timeout only if the method is idempotent or the request has an Idempotency-Key.
 * Waits for `Retry-After`, else for an exponential backoff with full jitter. Throws an {@link ApiError} when no
 * attempt got a response, and the signal's reason when it was aborted.
 */
export async function send(outgoing: Outgoing, options: SendOptions): Promise<Received> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await sendOnce(outgoing, options);
    const wait = waitAfter(outgoing, outcome, attempt);
    if (wait === null || attempt >= options.retries || wait.retryAfterMs > options.maxRetryAfterMs) {
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    }
    await sleep(wait.retryAfterMs + wait.jitterMs, options.signal);
  }
}

async function sendOnce(
  { url, ...request }: Outgoing,
  { fetch, timeoutMs, signal }: SendOptions,
): Promise<Received | ApiError> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    controller.abort();
  }, timeoutMs);
  try {
    const response = await fetch(url, { ...request, signal: controller.signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason ?? cause;
    return late
      ? new ApiError({ code: 'timeout', message: `No response within ${timeoutMs} ms.`, cause })
      : new ApiError({ code: 'network_error', message: 'The request could not be sent.', cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** What to wait before the next attempt. */
interface Wait {
  readonly retryAfterMs: number;
  readonly jitterMs: number;
}

/** Returns the wait before the next attempt; null if there must be none. */
function waitAfter(outgoing: Outgoing, outcome: Received | ApiError, attempt: number): Wait | null {
  if (!isRetryable(outgoing, outcome)) return null;
  const jitterMs = Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
  const seconds = outcome instanceof ApiError ? 0 : (retryAfterSeconds(outcome.headers) ?? 0);
  return { retryAfterMs: seconds * 1000, jitterMs };
}

function isRetryable({ method, headers }: Outgoing, outcome: Received | ApiError): boolean {
  const isRepeatable = /^(GET|PUT|DELETE)$/.test(method) || 'Idempotency-Key' in headers;
  if (outcome instanceof ApiError) return isRepeatable;
  const { status, text } = outcome;
  if (status === 429) return true;
  // An earlier attempt of this call is still running.
  if (status === 409 && text.includes('"idempotency_in_progress"')) return true;
  return isRepeatable && status >= 502 && status <= 504;
}

/** Returns `Retry-After` in seconds, given as a number or a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Waits until `work` has ended, in whatever way; rejects with the signal's reason when it is aborted. */
export function endOf(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    const end = () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    };
    work.then(end, end);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Returns why a signal was aborted. Signals of React Native have no reason. */
const reasonOf = (signal: AbortSignal | undefined): unknown =>
  signal?.reason ?? Object.assign(new Error('The call was aborted.'), { name: 'AbortError' });
