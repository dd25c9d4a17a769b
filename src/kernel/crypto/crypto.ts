import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../core/bounded-map.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `length` random base62 characters (5.95 bits each), without modulo bias. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** Returns a random identifier: `id("ord")` → `ord_` and 24 base62 characters. */
export const id = (prefix: string): string => `${prefix}_${randomBase62(24)}`;

/** Returns the SHA-256 of bytes or of a UTF-8 string, in hex. */
export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** Incremental SHA-256. */
export class Digest {
  private readonly hash = createHash('sha256');

  /** Adds the next bytes. */
  add(bytes: Uint8Array): void {
    this.hash.update(bytes);
  }

  /** Returns the digest in hex. No bytes can be added afterwards. */
  end(): string {
    return this.hash.digest('hex');
  }
}

/** Compares two strings without leaking through timing where they differ. */
export function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(sha256(a)), Buffer.from(sha256(b))];
  return timingSafeEqual(x, y);
}

type Keys = Readonly<Record<string, unknown>>;
/** Purposes contain tenant ids, so their number is unbounded. */
const MAX_SUBKEYS = 1_000;
const subkeys = new BoundedMap<string, Uint8Array<ArrayBuffer>>(MAX_SUBKEYS);

/** The shortest master key in bytes, decoded. */
const MIN_KEY_BYTES = 32;
const MASTER_KEY = /^MASTER_KEY_V[1-9]$/;

/** Decodes a master key from base64 or base64url. Returns `null` if it is invalid or too short. */
function decodeKey(text: unknown): Buffer | null {
  if (typeof text !== 'string' || !/^[\w+/-]+={0,2}$/.test(text.trim())) return null;
  const bytes = Buffer.from(text.trim(), 'base64');
  return bytes.length >= MIN_KEY_BYTES ? bytes : null;
}

/**
 * Returns the names, never the values, of invalid master keys; `MASTER_KEY_V1` if none is set. The service
 * must not run with an invalid key.
 */
export function badMasterKeys(env: object): string[] {
  const keys = Object.entries(env).filter(([name]) => MASTER_KEY.test(name));
  if (keys.length === 0) return ['MASTER_KEY_V1'];
  return keys.flatMap(([name, value]) => (decodeKey(value) ? [] : [name]));
}

/** All versions that a master key may have, newest first. */
const VERSIONS = ['9', '8', '7', '6', '5', '4', '3', '2', '1'];

/**
 * Returns the versions `n` of the `MASTER_KEY_V<n>` that are set, newest first. A digest that doesn't carry
 * its key version may have been made under any of them.
 */
export function keyVersions(env: object): string[] {
  const versions = VERSIONS.filter((version) => hasKey(env, version));
  if (versions.length === 0) throw new Error('No MASTER_KEY_V1 is set');
  return versions;
}

/** Returns whether a version of the master key is set. A name or token that carries another one is not valid. */
export const hasKey = (env: object, version: string): boolean => `MASTER_KEY_V${version}` in env;

/** Returns the newest master key version. New data is encrypted and signed under it. */
export const keyVersion = (env: object): string => keyVersions(env)[0] ?? '';

/**
 * Returns the oldest master key version: for digests that serve as lookup keys, which must not change when a
 * master key is added.
 */
export const namingKeyVersion = (env: object): string => keyVersions(env).at(-1) ?? '';

/** Names a key that is derived for one purpose from one version of the master key. */
export interface Subkey {
  readonly env: object;
  readonly version: string;
  readonly purpose: string;
}

/** Derives the 32-byte key for one purpose from a master key by HKDF-SHA-256 (RFC 5869). */
function bytesOf({ env, version, purpose }: Subkey): Uint8Array<ArrayBuffer> {
  // The binding's name is dynamic, so it can't be typed; decodeKey() checks the value.
  const master = (env as Keys)[`MASTER_KEY_V${version}`];
  const name = `${version}:${purpose}:${master}`;
  const known = subkeys.get(name);
  if (known) return known;
  const bytes = decodeKey(master);
  if (!bytes) throw new Error(`MASTER_KEY_V${version} is not base64 of ${MIN_KEY_BYTES} bytes or more`);
  const key = new Uint8Array(hkdfSync('sha256', bytes, '', purpose, 32));
  subkeys.set(name, key);
  return key;
}

/** Returns the 32-byte HMAC-SHA-256 (RFC 2104) of a string or bytes. */
export const hmac = (key: Subkey, text: string | Uint8Array): Uint8Array =>
  createHmac('sha256', bytesOf(key)).update(text).digest();

/** Returns {@link hmac} cut to `length` base62 characters: a digest that fits in a token. */
export function digest62(key: Subkey, text: string, length: number): string {
  let number = BigInt(`0x${Buffer.from(hmac(key, text)).toString('hex')}`);
  let digits = '';
  while (digits.length < length) {
    digits += BASE62[Number(number % 62n)];
    number /= 62n;
  }
  return digits;
}

/** Encrypts a string (AES-256-GCM, random 96-bit IV) to `v<key version>.<base64url of IV and ciphertext>`. */
export async function seal(env: object, purpose: string, text: string): Promise<string> {
  const version = keyVersion(env);
  const iv = new Uint8Array(randomBytes(12));
  const key = await crypto.subtle.importKey('raw', bytesOf({ env, version, purpose }), 'AES-GCM', false, [
    'encrypt',
  ]);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
  return `v${version}.${Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url')}`;
}

/**
 * Decrypts what {@link seal} encrypted for the same purpose. Throws if it was altered or its key was removed.
 */
export async function unseal(env: object, purpose: string, sealed: string): Promise<string> {
  const [, version = '', data = ''] = /^v([1-9])\.([\w-]+)$/.exec(sealed) ?? [];
  const bytes = new Uint8Array(Buffer.from(data, 'base64url'));
  const key = await crypto.subtle.importKey('raw', bytesOf({ env, version, purpose }), 'AES-GCM', false, [
    'decrypt',
  ]);
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(0, 12) }, key, bytes.slice(12));
  return new TextDecoder().decode(text);
}
