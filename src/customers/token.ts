import { digest62, keyVersion, randomBase62, sameText, sha256 } from '../kernel/crypto/crypto.ts';

/** What a token is for: a session, or setting a new password. */
export type TokenKind = 'cs' | 'pr';

const SHAPE = /^((?:cs|pr)_[0-9A-Za-z]{32})([1-9])([0-9A-Za-z]{12})$/;

const digest = (env: object, version: string, tenantId: number, head: string): string =>
  digest62(env, version, 'customer-token', `${tenantId}:${head}`, 12);

/** A token, and its SHA-256, which alone is stored. */
export interface Minted {
  readonly token: string;
  readonly hash: string;
}

/**
 * A fresh token: `cs_<32 base62><key version><12 base62>`. The end is a keyed digest of tenant and rest, so
 * that a forged token, or another tenant's, is refused without touching any storage.
 */
export function mintToken(env: object, tenantId: number, kind: TokenKind): Minted {
  const version = keyVersion(env);
  const head = `${kind}_${randomBase62(32)}`;
  const token = `${head}${version}${digest(env, version, tenantId, head)}`;
  return { token, hash: sha256(token) };
}

/** The SHA-256 of a token of this kind, or `null` when we did not make it for this tenant. No I/O. */
export function readToken(env: object, tenantId: number, kind: TokenKind, token: string): string | null {
  const [, head, version, given] = SHAPE.exec(token) ?? [];
  if (!head?.startsWith(kind) || !version || !given || !(`MASTER_KEY_V${version}` in env)) return null;
  return sameText(given, digest(env, version, tenantId, head)) ? sha256(token) : null;
}
