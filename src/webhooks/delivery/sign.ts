import { createHmac, randomBytes } from 'node:crypto';

/** What a secret of Standard Webhooks begins with; base64 of its bytes follows. */
export const SECRET_PREFIX = 'whsec_';

/** A fresh signing secret of 36 bytes (the standard asks for 24 to 64); 36 needs no base64 padding. */
export const newSecret = (): string => `${SECRET_PREFIX}${randomBytes(36).toString('base64')}`;

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): for each secret `v1,` and the base64
 * HMAC-SHA-256 of `id.timestamp.body`, separated by spaces. While a secret is being rotated there are two,
 * and a receiver that knows either of them accepts.
 * @param timestamp when this attempt is made, in seconds since the Unix epoch
 */
export function sign(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    .join(' ');
}
