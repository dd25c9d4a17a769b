import { now } from '../../kernel/core/clock.ts';
import type { Registration } from '../registrations/store.ts';
import type { Attempt } from './delivery.ts';
import type { LookUp } from './dns.ts';
import { readRetryAfter } from './schedule.ts';
import { sign } from './sign.ts';
import { guardUrl } from './url-guard.ts';

/** A receiver has this long (ms) to answer. */
const TIMEOUT = 15_000;
/** This much (bytes) of an answer is read. */
const MAX_ANSWER = 4_096;

/** What came of one POST. `error` is null when it delivered; times in ms. */
export interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of an answer that was no success. */
  readonly answer: string | null;
  readonly retryAfter: number | null;
}

const failed = (error: string): Outcome => ({ status: null, error, answer: null, retryAfter: null });

/** An attempt that never left, for a reason of ours: it says nothing about the receiver. */
export interface Unsent {
  readonly unsent: 'host_lookup_failed' | 'not_prepared' | 'too_many_subrequests';
}

/** How the runtime refuses a subrequest beyond what an invocation may make. */
const OVER_LIMIT = /too many (subrequests|api requests)/i;

/**
 * Makes one signed POST (Standard Webhooks). Only 2xx delivers; redirects are not followed. The URL and
 * where its host leads are checked again first: a name can change hands. Never throws.
 */
export async function send(
  env: Env,
  registration: Registration,
  attempt: Attempt,
  look: LookUp,
): Promise<Outcome | Unsent> {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPrepared = false;
  try {
    const verdict = await guardUrl(env, registration.url, undefined, look);
    if (!verdict.ok) return failed('url_refused');
    if (verdict.host === 'nowhere') return failed('host_not_found');
    if (verdict.host === 'unknown') return { unsent: 'host_lookup_failed' };
    const signed = headers(registration, attempt);
    isPrepared = true;
    // AbortSignal.timeout() would keep the object awake until the time is up, however soon the answer came.
    timer = setTimeout(() => controller.abort(), TIMEOUT);
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
    'webhook-signature': sign(secrets, eventId, timestamp, body),
  };
}

async function outcomeOf(response: Response, signal: AbortSignal): Promise<Outcome> {
  const { status, ok, headers, body } = response;
  if (ok) {
    // What a receiver says to a delivery is of no interest, so the connection is let go.
    await body?.cancel().catch(() => undefined);
    return { status, error: null, answer: null, retryAfter: null };
  }
  const error = status >= 300 && status < 400 ? 'redirect_not_followed' : 'status_not_2xx';
  const retryAfter = readRetryAfter(headers.get('retry-after'), now());
  return { status, error, answer: await readSome(body, signal), retryAfter };
}

/** The beginning of a body, as far as it comes in time. */
async function readSome(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  const timeUp = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  let [text, bytes] = ['', 0];
  try {
    while (reader && bytes < MAX_ANSWER) {
      const chunk = await Promise.race([reader.read(), timeUp]);
      if (!chunk?.value) break;
      text += decoder.decode(chunk.value.subarray(0, MAX_ANSWER - bytes), { stream: true });
      bytes += chunk.value.byteLength;
    }
    await reader?.cancel();
  } catch {
    // The connection broke; what came is shown.
  }
  return text;
}
