import { digest62, keyVersion, randomBase62, sameText } from '../../kernel/crypto/crypto.ts';

const PURPOSE = 'checkout-session';
const SHAPE = /^ck_([0-9A-Za-z]{32})([1-9])([0-9A-Za-z]{12})$/;

/**
 * A fresh session token: `ck_<32 random base62><key version><12 base62>`. The end is a keyed digest of the
 * rest, so that a made-up one is refused without touching storage. Whoever has it can place the order.
 */
export function newSessionToken(env: object): string {
  const random = randomBase62(32);
  const version = keyVersion(env);
  return `ck_${random}${version}${digest62(env, version, PURPOSE, random, 12)}`;
}

/** Whether we made this token. No I/O. */
export function isSessionToken(env: object, token: string): boolean {
  const [, random, version, given] = SHAPE.exec(token) ?? [];
  if (!random || !version || !given || !(`MASTER_KEY_V${version}` in env)) return false;
  return sameText(given, digest62(env, version, PURPOSE, random, 12));
}
