import { createHmac } from 'node:crypto';
import { iso, now } from '../kernel/core/clock.ts';
import { sameText } from '../kernel/crypto/crypto.ts';
import type { StoredOrder } from '../orders/index.ts';

/** What the signature of a return URL is of, in this order. */
const SIGNED = ['order_id', 'order_number', 'status', 'ts'] as const;

const sign = (said: Readonly<Record<string, string>>, secret: string): string =>
  createHmac('sha256', secret)
    .update(SIGNED.map((name) => said[name]).join('.'))
    .digest('hex');

/**
 * The return URL with how the order stands: `order_id`, `order_number`, `status`, `ts` (Unix seconds) and
 * `signature`, the hex HMAC-SHA-256 of `order_id.order_number.status.ts` under the tenant's `checkout_secret`.
 * Other parameters of the URL stay.
 */
export function signedReturn(returnUrl: string, { row }: StoredOrder, secret: string): string {
  const url = new URL(returnUrl);
  const ts = Math.floor(now() / 1000);
  const said = { order_id: row.id, order_number: String(row.number), status: row.status, ts: String(ts) };
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value);
  url.searchParams.set('signature', sign(said, secret));
  return url.href;
}

/** How an order stood when its shopper was sent back: its number, its status, and when (ISO 8601). */
export interface Returned {
  readonly number: string;
  readonly status: string;
  readonly at: string;
}

/** What {@link signedReturn} has said; `null` where the signature is not of just that under this secret. */
export function readReturn(query: URLSearchParams, secret: string): Returned | null {
  const said = Object.fromEntries(SIGNED.map((name) => [name, query.get(name) ?? '']));
  if (!sameText(sign(said, secret), query.get('signature') ?? '')) return null;
  const { order_number: number = '', status = '', ts } = said;
  return { number, status, at: iso(Number(ts) * 1000) };
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * The tenant's own checkout page with `session_token`: a JWS in compact form (RFC 7515, HS256 under the
 * tenant's `checkout_secret`) whose claims name the session, its tenant and when it ends.
 */
export function externalUrl(
  page: string,
  session: { token: string; tenant: string; origin: string; expiresAt: number },
  secret: string,
): string {
  const claims = {
    iss: session.origin,
    aud: session.tenant,
    session: session.token,
    iat: Math.floor(now() / 1000),
    exp: Math.floor(session.expiresAt / 1000),
  };
  const signing = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => base64url(JSON.stringify(part)))
    .join('.');
  const signature = createHmac('sha256', secret).update(signing).digest('base64url');
  const url = new URL(page);
  url.searchParams.set('session_token', `${signing}.${signature}`);
  return url.href;
}
