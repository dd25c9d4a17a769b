import { digest62, keyVersion, randomBase62, sameText, sha256 } from '../kernel/crypto/crypto.ts';

/** The kinds of token: `cs` for a customer session, `pr` for a password reset. */
export type TokenKind = 'cs' | 'pr';

const SHAPE = /^((?:cs|pr)_[0-9A-Za-z]{32})([1-9])([0-9A-Za-z]{12})$/;

const digest = (env: object, version: string, tenantId: number, head: string): string =>
  digest62({ env, version, purpose: 'customer-token' }, `${tenantId}:${head}`, 12);

/** A new token and its SHA-256. Only the hash is stored. */
export interface Minted {
  readonly token: string;
  readonly hash: string;
}

/**
 * Returns a new token: `cs_<32 base62><key version><12 base62>`. The suffix is a keyed digest of the tenant and
 * the rest, so that forged tokens and other tenants' tokens are rejected without I/O.
 */
export function mintToken(env: object, tenantId: number, kind: TokenKind): Minted {
  const version = keyVersion(env);
  const head = `${kind}_${randomBase62(32)}`;
  const token = `${head}${version}${digest(env, version, tenantId, head)}`;
  return { token, hash: sha256(token) };
}

/** Returns the SHA-256 of a token of this kind, or `null` when it was not issued for this tenant. No I/O. */
export function readToken(env: object, tenantId: number, kind: TokenKind, token: string): string | null {
  const [, head, version, given] = SHAPE.exec(token) ?? [];
  if (!head?.startsWith(kind) || !version || !given || !(`MASTER_KEY_V${version}` in env)) return null;
  return sameText(given, digest(env, version, tenantId, head)) ? sha256(token) : null;
}
