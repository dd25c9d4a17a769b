import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` random base62 characters (5.95 bits each), without modulo bias. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A random identifier with its kind in front: `id("evt")` → `evt_…`, 24 base62 characters. */
export const id = (prefix: string): string => `${prefix}_${randomBase62(24)}`;

/** SHA-256 of a UTF-8 text, in hex. */
export const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** SHA-256 of what comes piece by piece. */
export class Digest {
  readonly #hash = createHash('sha256');

  /** Takes the next bytes. */
  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** The digest in hex, once everything has come. */
  end(): string {
    return this.#hash.digest('hex');
  }
}

/** Compares two texts in a time that tells nothing of where they differ. */
export function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(sha256(a)), Buffer.from(sha256(b))];
  return timingSafeEqual(x, y);
}

type Keys = Readonly<Record<string, unknown>>;
const subkeys = new Map<string, Uint8Array<ArrayBuffer>>();

/** A master key has at least this many bytes once it is decoded. */
const MIN_KEY_BYTES = 32;
const MASTER_KEY = /^MASTER_KEY_V[1-9]$/;

/** Decodes a master key: base64 or base64url of at least 32 bytes, else null. */
function decodeKey(text: unknown): Buffer | null {
  if (typeof text !== 'string' || !/^[\w+/-]+={0,2}$/.test(text.trim())) return null;
  const bytes = Buffer.from(text.trim(), 'base64');
  return bytes.length >= MIN_KEY_BYTES ? bytes : null;
}

/**
 * Returns the names of the master keys that are no base64 of at least 32 bytes, and `MASTER_KEY_V1` where none
 * is set at all: the service must not run with them. Never a value.
 */
export function badMasterKeys(env: object): string[] {
  const keys = Object.entries(env).filter(([name]) => MASTER_KEY.test(name));
  if (keys.length === 0) return ['MASTER_KEY_V1'];
  return keys.flatMap(([name, value]) => (decodeKey(value) ? [] : [name]));
}

/**
 * The numbers of the `MASTER_KEY_V<n>` that are set, newest first. A digest that does not carry its key's number
 * may have been made under any of them.
 */
export function keyVersions(env: object): string[] {
  const versions = Object.keys(env).flatMap((name) => /^MASTER_KEY_V([1-9])$/.exec(name)?.[1] ?? []);
  if (versions.length === 0) throw new Error('No MASTER_KEY_V1 is set');
  return versions.sort().reverse();
}

/** The newest `MASTER_KEY_V<n>` that is set: what new things are sealed and signed under. */
export const keyVersion = (env: object): string => keyVersions(env)[0] ?? '';

/**
 * The oldest `MASTER_KEY_V<n>` that is set: for a digest that is itself the name under which something is looked
 * up, so that adding a key renames nothing.
 */
export const namingKeyVersion = (env: object): string => keyVersions(env).at(-1) ?? '';

/** A 32-byte key for one purpose, derived from a master key by HKDF-SHA-256 (RFC 5869). */
function subkey(env: object, version: string, purpose: string): Uint8Array<ArrayBuffer> {
  // A binding's name is built here, so it can't be typed; what is read is checked below.
  const master = (env as Keys)[`MASTER_KEY_V${version}`];
  const name = `${version}:${purpose}:${master}`;
  const known = subkeys.get(name);
  if (known) return known;
  const bytes = decodeKey(master);
  if (!bytes) throw new Error(`MASTER_KEY_V${version} is not base64 of ${MIN_KEY_BYTES} bytes or more`);
  const key = new Uint8Array(hkdfSync('sha256', bytes, '', purpose, 32));
  // Purposes name tenants, so there is no end to them.
  if (subkeys.size >= 1_000) subkeys.clear();
  subkeys.set(name, key);
  return key;
}

/** HMAC-SHA-256 (RFC 2104) of a text or bytes under the key for `purpose`: 32 bytes. */
export const hmac = (env: object, version: string, purpose: string, text: string | Uint8Array): Uint8Array =>
  createHmac('sha256', subkey(env, version, purpose))
    .update(text)
    .digest();

/** The first bytes of {@link hmac} as `length` base62 characters: a digest that fits in a token. */
export function digest62(
  env: object,
  version: string,
  purpose: string,
  text: string,
  length: number,
): string {
  let number = BigInt(`0x${Buffer.from(hmac(env, version, purpose, text)).toString('hex')}`);
  let digits = '';
  while (digits.length < length) {
    digits += BASE62[Number(number % 62n)];
    number /= 62n;
  }
  return digits;
}

/** Encrypts a text (AES-256-GCM, random 96-bit IV) as `v<key version>.<base64url of IV and ciphertext>`. */
export async function seal(env: object, purpose: string, text: string): Promise<string> {
  const version = keyVersion(env);
  const iv = new Uint8Array(randomBytes(12));
  const key = await crypto.subtle.importKey('raw', subkey(env, version, purpose), 'AES-GCM', false, [
    'encrypt',
  ]);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
  return `v${version}.${Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url')}`;
}

/** What {@link seal} encrypted for the same purpose. Throws when it was changed or its key is gone. */
export async function unseal(env: object, purpose: string, sealed: string): Promise<string> {
  const [, version = '', data = ''] = /^v([1-9])\.([\w-]+)$/.exec(sealed) ?? [];
  const bytes = new Uint8Array(Buffer.from(data, 'base64url'));
  const key = await crypto.subtle.importKey('raw', subkey(env, version, purpose), 'AES-GCM', false, [
    'decrypt',
  ]);
  const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(0, 12) }, key, bytes.slice(12));
  return new TextDecoder().decode(text);
}
