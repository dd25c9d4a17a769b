import { digest62, keyVersion, randomBase62, sameText, sha256 } from '../kernel/crypto/crypto.ts';

/** What a token says of itself, once its digest has shown that we made it. */
export interface TokenIdentity {
  readonly tenantId: number;
  readonly applicationId: number;
  /** SHA-256 of the token's secret part: what the application's row is compared with. */
  readonly hash: string;
}

const PURPOSE = 'application-token';
const SHAPE = /^(sfe_live_([1-9]\d{0,14})-([1-9]\d{0,14})_([0-9A-Za-z]{32}))_([1-9])([0-9A-Za-z]{12})$/;

/** A fresh secret part of a token: 32 base62 characters, 190 bits. */
export const newTokenSecret = (): string => randomBase62(32);

/** What is stored of a secret part: its SHA-256. */
export const hashOf = (secret: string): string => sha256(secret);

/**
 * The token of an application: `sfe_live_<tenant>-<application>_<32 base62>_<key version><12 base62>`. The
 * last part is a keyed digest of the rest (HMAC-SHA-256), so a made-up token is refused without touching
 * any storage.
 */
export function tokenOf(env: Env, tenantId: number, applicationId: number, secret: string): string {
  const version = keyVersion(env);
  const head = `sfe_live_${tenantId}-${applicationId}_${secret}`;
  return `${head}_${version}${digest62(env, version, PURPOSE, head, 12)}`;
}

/** Whose token this is, or `null` when we did not make it. No I/O. */
export function readToken(env: Env, token: string): TokenIdentity | null {
  const [, head, tenant, application, secret, version, digest] = SHAPE.exec(token) ?? [];
  if (!head || !secret || !version || !digest || !(`MASTER_KEY_V${version}` in env)) return null;
  if (!sameText(digest, digest62(env, version, PURPOSE, head, 12))) return null;
  return { tenantId: Number(tenant), applicationId: Number(application), hash: hashOf(secret) };
}
