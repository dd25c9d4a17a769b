import { createHmac } from 'node:crypto';
import { now } from '../kernel/clock.ts';
import type { StoredOrder } from '../orders/index.ts';

/**
 * The return URL with how the order stands: `order_id`, `order_number`, `status`, `ts` (Unix seconds) and
 * `signature`, the hex HMAC-SHA-256 of `order_id.order_number.status.ts` under the tenant's `checkout_secret`.
 * Other parameters of the URL stay.
 */
export function signedReturn(returnUrl: string, { row }: StoredOrder, secret: string): string {
  const url = new URL(returnUrl);
  const ts = Math.floor(now() / 1000);
  const signed = [row.id, row.number, row.status, ts].join('.');
  const said = {
    order_id: row.id,
    order_number: String(row.number),
    status: row.status,
    ts: String(ts),
    signature: createHmac('sha256', secret).update(signed).digest('hex'),
  };
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value);
  return url.href;
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
