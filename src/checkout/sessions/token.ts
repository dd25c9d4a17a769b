import { digest62, keyVersion, randomBase62, sameText } from '../../kernel/crypto/crypto.ts';

const PURPOSE = 'checkout-session';
const TOKEN_PATTERN = /^ck_([0-9A-Za-z]{32})([1-9])([0-9A-Za-z]{12})$/;

/**
 * Returns a new session token: `ck_<32 random base62><key version><12 base62>`. The last part is a keyed
 * digest, so that a forged token is rejected without a storage read. The token alone authorizes placing the
 * order.
 */
export function newSessionToken(env: object): string {
  const random = randomBase62(32);
  const version = keyVersion(env);
  return `ck_${random}${version}${digest62({ env, version, purpose: PURPOSE }, random, 12)}`;
}

/** Returns whether the token's digest is valid. Performs no I/O. */
export function isSessionToken(env: object, token: string): boolean {
  const [, random, version, given] = TOKEN_PATTERN.exec(token) ?? [];
  if (!random || !version || !given || !(`MASTER_KEY_V${version}` in env)) return false;
  return sameText(given, digest62({ env, version, purpose: PURPOSE }, random, 12));
}
