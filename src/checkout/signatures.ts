/** The signed texts of checkout: session tokens, return URLs, and the redirect to a tenant's own checkout. */
import { createHmac } from 'node:crypto';
import { now } from '../kernel/core/clock.ts';
import { digest62, hasKey, namingKeyVersion, sameText, sha256 } from '../kernel/crypto/crypto.ts';
import type { StoredOrder } from '../orders/index.ts';
import type { SessionRow } from './tables.ts';

const SESSION_PURPOSE = 'checkout-session';
const TOKEN_PATTERN = /^ck_([0-9A-Za-z]{32})([1-9])([0-9A-Za-z]{12})(?:-(\d{1,15}))?$/;

/** A session token that carries a valid digest. */
export interface SessionToken {
  /** The tenant that it names; null in a token of an earlier release. */
  readonly tenantId: number | null;
  /** SHA-256 of the token without its tenant, in hex: what is stored. */
  readonly digest: string;
}

/**
 * Returns the token of the session that places an order: `ck_<32 base62><key version><12 base62>-<tenant>`. The
 * first part is derived from the order's random id with a master key, so that the session's URL can be shown again
 * although only a digest of the token is stored. The second is a keyed digest of the others, so that a forged token
 * is rejected without a storage read. The token alone authorizes placing the order.
 */
export function sessionTokenOf(env: object, tenantId: number, orderId: string): string {
  const { version, derived } = seedOf(env, tenantId, orderId);
  return `ck_${derived}${version}${checkOf({ env, version, derived, tenant: String(tenantId) })}-${tenantId}`;
}

/** Returns what is stored of the token of the session that places an order. */
export const sessionDigestOf = (env: object, tenantId: number, orderId: string): string =>
  storedDigest({ env, ...seedOf(env, tenantId, orderId) });

function seedOf(env: object, tenantId: number, orderId: string) {
  const version = namingKeyVersion(env);
  const seed = `${tenantId}:${orderId}`;
  return { version, derived: digest62({ env, version, purpose: 'checkout-session-seed' }, seed, 32) };
}

/** Returns what a token with a valid digest names; null for any other. Performs no I/O. */
export function readSessionToken(env: object, token: string): SessionToken | null {
  const [, derived, version, given, tenant] = TOKEN_PATTERN.exec(token) ?? [];
  if (!derived || !version || !given || !hasKey(env, version)) return null;
  if (!sameText(given, checkOf({ env, version, derived, tenant }))) return null;
  const digest = storedDigest({ env, version, derived });
  return { tenantId: tenant === undefined ? null : Number(tenant), digest };
}

/** Returns the digest of a token without its tenant, which tokens of earlier releases don't name: they stay valid. */
const storedDigest = (token: Omit<Checked, 'tenant'>): string =>
  sha256(`ck_${token.derived}${token.version}${checkOf(token)}`);

interface Checked {
  readonly env: object;
  readonly version: string;
  readonly derived: string;
  /** Absent in a token of an earlier release, and in what is stored. */
  readonly tenant?: string | undefined;
}

const checkOf = ({ env, version, derived, tenant }: Checked): string =>
  digest62(
    { env, version, purpose: SESSION_PURPOSE },
    tenant === undefined ? derived : `${derived}:${tenant}`,
    12,
  );

/** The signed parameters of a return URL, in signing order. */
const SIGNED_PARAMS = ['order_id', 'order_number', 'status', 'ts'] as const;

const sign = (params: Readonly<Record<string, string>>, secret: string): string =>
  createHmac('sha256', secret)
    .update(SIGNED_PARAMS.map((name) => params[name]).join('.'))
    .digest('hex');

/**
 * Returns the return URL with `order_id`, `order_number`, `status`, `ts` (Unix seconds) and `signature`: the
 * hex HMAC-SHA-256 of `order_id.order_number.status.ts` with the tenant's `checkout_secret`. Other query
 * parameters stay.
 */
export function signedReturn(returnUrl: string, { row }: StoredOrder, secret: string): string {
  const url = new URL(returnUrl);
  const ts = Math.floor(now() / 1000);
  const params = { order_id: row.id, order_number: String(row.number), status: row.status, ts: String(ts) };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  url.searchParams.set('signature', sign(params, secret));
  return url.href;
}

/** A session with its token, and its order once placed. */
export interface TokenSession {
  readonly token: string;
  readonly session: SessionRow;
  readonly order: StoredOrder | null;
}

/** The tenant's own checkout: its URL, and the tenant's slug and `checkout_secret`. */
interface ExternalCheckout {
  readonly page: string;
  readonly slug: string;
  readonly secret: string;
}

/**
 * Returns the URL of the tenant's own checkout with `session_token`: a compact JWS (RFC 7515, HS256 with the
 * tenant's `checkout_secret`) whose claims name the session, its tenant and its expiry, which an unpaid order extends.
 */
export function externalCheckoutUrl(
  { token, session, order }: TokenSession,
  { page, slug, secret }: ExternalCheckout,
): string {
  const claims = {
    iss: session.origin,
    aud: slug,
    session: token,
    iat: Math.floor(session.createdAt / 1000),
    exp: Math.floor(Math.max(session.expiresAt, order?.row.expiresAt ?? 0) / 1000),
  };
  const signing = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createHmac('sha256', secret).update(signing).digest('base64url');
  const url = new URL(page);
  url.searchParams.set('session_token', `${signing}.${signature}`);
  return url.href;
}
