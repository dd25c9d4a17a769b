import nodeCrypto, { randomBytes, timingSafeEqual } from 'node:crypto';
import { hasKey, hmac, keyVersion, type Subkey } from './crypto.ts';

/** scrypt (RFC 7914) with N = 2^14, r = 8, p = 5, as OWASP recommends: 16 MiB, about 0.2 s. */
const COST = 'ln=14,r=8,p=5';
const PURPOSE = 'password-pepper';
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The result of a password check. `stale`: right, but hashed under an earlier cost or master key. */
export interface Check {
  readonly right: boolean;
  readonly stale: boolean;
}

/**
 * Hashes a password to a PHC string: `$scrypt$v=<n>$ln=14,r=8,p=5$<salt>$<hash>`. `n` is the version of the
 * master key that the pepper is derived from: a copy of the database alone doesn't allow offline guessing.
 */
export function hashPassword(env: object, password: string): string {
  const version = keyVersion(env);
  const salt = randomBytes(SALT_BYTES);
  return phc(version, salt, derive({ env, version, purpose: PURPOSE }, { cost: COST, salt }, password));
}

/**
 * Checks a password against its hash. For `null` (no such account), and for a hash whose master key was removed, it does
 * the same work, then fails.
 */
export function checkPassword(env: object, password: string, stored: string | null): Check {
  const [, made = keyVersion(env), cost = COST, salt, hash] =
    /^\$scrypt\$v=([1-9])\$(ln=\d+,r=\d+,p=\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored ?? '') ?? [];
  const expected = hash === undefined ? new Uint8Array(HASH_BYTES) : Buffer.from(hash, 'base64');
  const given = salt === undefined ? randomBytes(SALT_BYTES) : Buffer.from(salt, 'base64');
  const known = hasKey(env, made);
  const version = known ? made : keyVersion(env);
  const actual = derive({ env, version, purpose: PURPOSE }, { cost, salt: given }, password);
  const right = timingSafeEqual(actual, expected) && stored !== null && known;
  return { right, stale: right && (version !== keyVersion(env) || cost !== COST) };
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

const phc = (version: string, salt: Uint8Array, hash: Uint8Array): string =>
  `$scrypt$v=${version}$${COST}$${unpadded(salt)}$${unpadded(hash)}`;

/** The parameters of scrypt that a PHC string holds beside the hash. */
interface ScryptParameters {
  readonly cost: string;
  readonly salt: Uint8Array;
}

/** Derives the hash. NFKC unifies the encodings of the same letter (NIST SP 800-63B, 5.1.1.2). */
function derive(pepper: Subkey, { cost, salt }: ScryptParameters, password: string): Uint8Array {
  const [ln = 0, r = 0, p = 0] = (cost.match(/\d+/g) ?? []).map(Number);
  const peppered = hmac(pepper, password.normalize('NFKC'));
  return nodeCrypto.scryptSync(peppered, salt, HASH_BYTES, { N: 2 ** ln, r, p });
}
