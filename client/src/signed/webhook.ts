import type { WebhookEvent } from '../method.ts';
import { fromBase64, hmacVerifier } from './hmac.ts';

/** Headers of a request: a `Headers` object, or Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What {@link verifyWebhook} checks a delivery against. */
export interface WebhookVerification {
  /** The webhook's secret (`whsec_…`). */
  readonly secret: string;
  /** How far the delivery's time may be from now; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
}

/** A delivery whose signature or time is not valid. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * Verifies a delivery as Standard Webhooks specifies, and returns its event. `body` is the raw request body.
 * An event may arrive twice: remember its `id`. Throws a {@link WebhookVerificationError} if signature or time are not
 * valid. Compares in constant time (WebCrypto).
 */
export async function verifyWebhook(
  body: string,
  headers: WebhookHeaders,
  { secret, toleranceSeconds = 300 }: WebhookVerification,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('a webhook header is missing');
  // Not a number, or too old or too new.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError('the timestamp is outside the tolerance');
  }
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new TypeError('the webhook secret is not base64');
  const verify = await hmacVerifier(bytes);
  // While a secret is rotated, there is a signature for each of the two.
  for (const signature of signatures.split(' ').filter((one) => one.startsWith('v1,'))) {
    if (await verify(fromBase64(signature.slice(3)), `${id}.${timestamp}.${body}`)) return JSON.parse(body);
  }
  throw new WebhookVerificationError('no signature is valid');
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  const { get } = headers;
  // Only Headers has the method; Node's plain object is the other kind.
  const value = typeof get === 'function' ? get.call(headers, name) : (headers as NodeHeaders)[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
