import { digest62, hasKey, keyVersion, randomBase62, sameText, sha256 } from '../kernel/crypto/crypto.ts';

/** Identifies an application. */
export interface ApplicationName {
  readonly tenantId: number;
  readonly applicationId: number;
}

/** Returns the key of an application in an isolate's memory, which is also the name of its objects. */
export const applicationKey = ({ tenantId, applicationId }: ApplicationName): string =>
  `${tenantId}:${applicationId}`;

/** The claims of a token whose digest is valid. */
export interface TokenIdentity extends ApplicationName {
  /** SHA-256 of the token's secret part, compared with the application's row. */
  readonly hash: string;
}

const PURPOSE = 'application-token';
const SHAPE = /^(sfe_live_([1-9]\d{0,14})-([1-9]\d{0,14})_([0-9A-Za-z]{32}))_([1-9])([0-9A-Za-z]{12})$/;

/** Returns a random secret part of a token: 32 base62 characters, 190 bits. */
export const newTokenSecret = (): string => randomBase62(32);

/** Returns the stored hash of a secret part: its SHA-256. */
export const hashOf = (secret: string): string => sha256(secret);

/**
 * Returns an application's token: `sfe_live_<tenant>-<application>_<32 base62>_<key version><12 base62>`. The
 * last part is a keyed digest of the rest (HMAC-SHA-256), so that a forged token is refused without storage
 * access.
 */
export function tokenOf(env: Env, { tenantId, applicationId }: ApplicationName, secret: string): string {
  const version = keyVersion(env);
  const head = `sfe_live_${tenantId}-${applicationId}_${secret}`;
  return `${head}_${version}${digest62({ env, version, purpose: PURPOSE }, head, 12)}`;
}

/** Returns a token's claims, or `null` if it is malformed or forged. No I/O. */
export function readToken(env: Env, token: string): TokenIdentity | null {
  const [, head, tenant, application, secret, version, digest] = SHAPE.exec(token) ?? [];
  if (!head || !secret || !version || !digest || !hasKey(env, version)) return null;
  if (!sameText(digest, digest62({ env, version, purpose: PURPOSE }, head, 12))) return null;
  return { tenantId: Number(tenant), applicationId: Number(application), hash: hashOf(secret) };
}
