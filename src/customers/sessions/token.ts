import { digest62, hasKey, keyVersion, randomBase62, sameText, sha256 } from '../../kernel/crypto/crypto.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';

/** The kinds of token: `cs` for a customer session, `pr` for a password reset. */
type TokenKind = 'cs' | 'pr';

const SHAPE = /^((?:cs|pr)_[0-9A-Za-z]{32})([1-9])([0-9A-Za-z]{12})$/;

/** The tenant of a token, and the environment with the keys of its digest. */
type TokenContext = Pick<TenantContext, 'env' | 'tenantId'>;

const digest = ({ env, tenantId }: TokenContext, version: string, head: string): string =>
  digest62({ env, version, purpose: 'customer-token' }, `${tenantId}:${head}`, 12);

/** A new token and its SHA-256. Only the hash is stored. */
export interface MintedToken {
  readonly token: string;
  readonly hash: string;
}

/**
 * Returns a new token: `cs_<32 base62><key version><12 base62>`. The suffix is a keyed digest of the tenant and
 * the rest, so that forged tokens and other tenants' tokens are rejected without I/O.
 */
export function mintToken(ctx: TokenContext, kind: TokenKind): MintedToken {
  const version = keyVersion(ctx.env);
  const head = `${kind}_${randomBase62(32)}`;
  const token = `${head}${version}${digest(ctx, version, head)}`;
  return { token, hash: sha256(token) };
}

/** Returns the SHA-256 of a token of this kind, or `null` when it was not issued for this tenant. No I/O. */
export function readToken(ctx: TokenContext, kind: TokenKind, token: string): string | null {
  const [, head, version, given] = SHAPE.exec(token) ?? [];
  if (!head?.startsWith(kind) || !version || !given || !hasKey(ctx.env, version)) return null;
  return sameText(given, digest(ctx, version, head)) ? sha256(token) : null;
}
