import { now } from '../../kernel/core/clock.ts';
import type { Attempt } from '../delivery/delivery.ts';
import { readRetryAfter } from '../delivery/schedule.ts';
import type { Registration } from '../registrations/store.ts';
import { sign } from './sign.ts';
import type { Verdict } from './url-guard.ts';

/** Timeout of one attempt, response body included. */
const TIMEOUT_MS = 15_000;
/** Upper bound of the response body that is read. */
const MAX_RESPONSE_BYTES = 4_096;

/** The result of one POST. `error` is null on success; times in ms. */
export interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
  /** The start of an unsuccessful response's body. */
  readonly answer: string | null;
  readonly retryAfter: number | null;
}

const failed = (error: string): Outcome => ({ status: null, error, answer: null, retryAfter: null });

/** An attempt that was never sent for a reason on this side; it doesn't count as the receiver's failure. */
export interface Unsent {
  readonly unsent: 'host_lookup_failed' | 'not_prepared' | 'too_many_subrequests';
}

/** The runtime's error message beyond an invocation's subrequest limit. */
const OVER_LIMIT = /too many (subrequests|api requests)/i;

/**
 * Sends one signed POST (Standard Webhooks). Only 2xx is a success; redirects are not followed. `guard`
 * checks the URL and its host's addresses again first, because DNS records change. Never throws.
 */
export async function send(
  registration: Registration,
  attempt: Attempt,
  guard: (url: string) => Promise<Verdict>,
): Promise<Outcome | Unsent> {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPrepared = false;
  try {
    const verdict = await guard(registration.url);
    if (!verdict.ok) return failed('url_refused');
    if (verdict.host === 'nowhere') return failed('host_not_found');
    if (verdict.host === 'unknown') return { unsent: 'host_lookup_failed' };
    const signed = headers(registration, attempt);
    isPrepared = true;
    // AbortSignal.timeout() would keep the object awake for the whole timeout, even after a fast response.
    timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
    const request = {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: signed,
      body: attempt.body,
    } as const;
    return await outcomeOf(await fetch(registration.url, request), signal);
  } catch (error) {
    if (!isPrepared) return { unsent: 'not_prepared' };
    if (error instanceof Error && OVER_LIMIT.test(error.message)) return { unsent: 'too_many_subrequests' };
    return failed(signal.aborted ? 'timeout' : 'no_connection');
  } finally {
    clearTimeout(timer);
  }
}

function headers({ secret, previous }: Registration, { eventId, body }: Attempt): Record<string, string> {
  const timestamp = Math.floor(now() / 1000);
  const secrets = previous && previous.until > now() ? [secret, previous.secret] : [secret];
  return {
    'content-type': 'application/json',
    'user-agent': 'Storefront-Edge-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets, { id: eventId, timestamp, body }),
  };
}

async function outcomeOf(response: Response, signal: AbortSignal): Promise<Outcome> {
  const { status, ok, headers, body } = response;
  if (ok) {
    // A successful response's body is not needed; cancelling releases the connection.
    await body?.cancel().catch(() => undefined);
    return { status, error: null, answer: null, retryAfter: null };
  }
  const error = status >= 300 && status < 400 ? 'redirect_not_followed' : 'status_not_2xx';
  const retryAfter = readRetryAfter(headers.get('retry-after'), now());
  return { status, error, answer: await readSome(body, signal), retryAfter };
}

/** Reads the start of a body, as far as it arrives before the timeout. */
async function readSome(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  const timeUp = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  let [text, bytes] = ['', 0];
  try {
    while (reader && bytes < MAX_RESPONSE_BYTES) {
      const chunk = await Promise.race([reader.read(), timeUp]);
      if (!chunk?.value) break;
      text += decoder.decode(chunk.value.subarray(0, MAX_RESPONSE_BYTES - bytes), { stream: true });
      bytes += chunk.value.byteLength;
    }
    await reader?.cancel();
  } catch {
    // The connection broke; returns what was received.
  }
  return text;
}
