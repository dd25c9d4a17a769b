import { createHmac, randomBytes } from 'node:crypto';

/** The prefix of a Standard Webhooks secret; the base64 of its bytes follows. */
export const SECRET_PREFIX = 'whsec_';

/** Generates a signing secret of 36 bytes (the standard requires 24 to 64); 36 needs no base64 padding. */
export const newSecret = (): string => `${SECRET_PREFIX}${randomBytes(36).toString('base64')}`;

/** What a signature covers. `timestamp` is the attempt's time, in seconds since the Unix epoch. */
interface SignedContent {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Returns the value of `webhook-signature` (Standard Webhooks 1.0): for each secret `v1,` and the base64
 * HMAC-SHA-256 of `id.timestamp.body`, separated by spaces. During a rotation there are two signatures, and a
 * receiver accepts either.
 */
export function sign(secrets: readonly string[], { id, timestamp, body }: SignedContent): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    .join(' ');
}
