import { now } from '../../kernel/core/clock.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { readUpTo } from '../../kernel/input/read-up-to.ts';
import type { Attempt } from '../delivery/delivery.ts';
import { readRetryAfter } from '../object/schedule.ts';
import type { Registration, Signing } from '../registrations/endpoint-store.ts';
import type { AgentPlatform } from '../tables.ts';
import { sign } from './sign.ts';
import type { Verdict } from './url-guard.ts';

/** Timeout of one attempt, response body included. */
const TIMEOUT_MS = 15_000;
/** Upper bounds of the response body that is read: of an unsuccessful response, and of a successful one. */
const MAX_RESPONSE_BYTES = 4_096;
const MAX_SUCCESS_BYTES = 1_024;
/** How long (ms) the body of a successful response is awaited: it is only for the log. */
const SUCCESS_BODY_WAIT_MS = 1_000;

/** The result of one POST. `error` is null on success; times in ms. */
export interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
  /** The start of the response's body; null without one. */
  readonly responseBody: string | null;
  readonly retryAfter: number | null;
}

const failed = (error: string): Outcome => ({ status: null, error, responseBody: null, retryAfter: null });

/** An attempt that was never sent for a reason on this side; it doesn't count as the receiver's failure. */
export interface Unsent {
  readonly unsent: 'host_lookup_failed' | 'not_prepared' | 'too_many_subrequests' | 'webhook_changed';
}

/** The runtime's error message beyond an invocation's subrequest limit. */
const OVER_LIMIT = /too many (subrequests|api requests)/i;

/** A signed request: its headers and body. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes the request of a delivery to an agent's platform; null if what its event is about no longer exists. */
export type AgentRequest = (
  platform: AgentPlatform & { readonly url: string },
  attempt: Attempt,
) => Promise<SignedRequest | null>;

/** The context in which a webhook's object makes such a request. */
export interface EndpointContext extends TenantDatabase {
  readonly env: Env;
  readonly webhookId: number;
}

/** Makes an {@link AgentRequest} in the protocol of agents. */
export type AgentProtocol = (
  ctx: EndpointContext,
  ...request: Parameters<AgentRequest>
) => ReturnType<AgentRequest>;

/** What {@link send} calls: the check of a URL and its host's addresses, and the requests to agents' platforms. */
export interface Sending {
  readonly guard: (url: string) => Promise<Verdict>;
  /** Returns whether the registration is still the webhook's, which may have changed while the host was looked up. */
  readonly isCurrent: () => boolean;
  readonly agentRequest: AgentRequest;
}

/**
 * Sends one signed POST: Standard Webhooks, or what the protocol of an agent's platform asks for. Only 2xx is a
 * success; redirects are not followed. The URL is checked again first, because DNS records change. Never throws.
 */
export async function send(
  registration: Registration,
  attempt: Attempt,
  { guard, isCurrent, agentRequest }: Sending,
): Promise<Outcome | Unsent> {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPrepared = false;
  try {
    const verdict = await guard(registration.url);
    if (!verdict.ok) return failed('url_refused');
    if (verdict.host === 'nowhere') return failed('host_not_found');
    if (verdict.host === 'unresolvable') return failed('host_lookup_failed');
    if (verdict.host === 'unknown') return { unsent: 'host_lookup_failed' };
    const signed = await signedRequest(registration, attempt, agentRequest);
    if (!signed) return failed('resource_gone');
    if (!isCurrent()) return { unsent: 'webhook_changed' };
    isPrepared = true;
    // AbortSignal.timeout() would keep the object awake for the whole timeout, even after a fast response.
    timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
    const request = {
      method: 'POST',
      redirect: 'manual',
      signal,
      ...signed,
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

/** Returns the headers that are the same in every attempt of an event. */
export const fixedHeaders = (eventId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Storefront-Edge-Webhooks/1',
  'webhook-id': eventId,
});

async function signedRequest(
  { url, signing }: Registration,
  attempt: Attempt,
  agentRequest: AgentRequest,
): Promise<SignedRequest | null> {
  if (signing.kind === 'agent') return agentRequest({ ...signing.platform, url }, attempt);
  return { headers: headers(signing, attempt), body: attempt.body };
}

function headers(
  { secret, previous }: Signing & { kind: 'secret' },
  { eventId, body }: Attempt,
): Record<string, string> {
  // The delivery stays due until the secret is rotated.
  if (secret === null) throw new Error("The webhook's secret can't be opened");
  const timestamp = Math.floor(now() / 1000);
  const secrets = previous && previous.until > now() ? [secret, previous.secret] : [secret];
  return {
    ...fixedHeaders(eventId),
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets, { id: eventId, timestamp, body }),
  };
}

async function outcomeOf(response: Response, signal: AbortSignal): Promise<Outcome> {
  const { status, ok, headers, body } = response;
  if (ok) {
    const responseBody = (await readBriefly(body)) || null;
    return { status, error: null, responseBody, retryAfter: null };
  }
  const error = status >= 300 && status < 400 ? 'redirect_not_followed' : 'status_not_2xx';
  const retryAfter = readRetryAfter(headers.get('retry-after'), now());
  const { text: responseBody } = await readUpTo(body, signal, MAX_RESPONSE_BYTES);
  return { status, error, responseBody, retryAfter };
}

/** Reads the start of a successful response's body, as far as it arrives soon. */
async function readBriefly(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), SUCCESS_BODY_WAIT_MS);
  try {
    return (await readUpTo(body, controller.signal, MAX_SUCCESS_BYTES)).text;
  } finally {
    clearTimeout(timer);
  }
}
