import {
  digest62,
  keyVersion,
  namingKeyVersion,
  randomBase62,
  sameText,
} from '../../kernel/crypto/crypto.ts';

const PURPOSE = 'cart-token';
const SHAPE = /^ct_([0-9A-Za-z]{22})([1-9])([0-9A-Za-z]{12})$/;

const digest = (env: object, version: string, tenantId: number, cartId: string): string =>
  digest62(env, version, PURPOSE, `${tenantId}:${cartId}`, 12);

/** A fresh cart id: 131 random bits. */
export const newCartId = (): string => randomBase62(22);

/**
 * The cart id that belongs to a seed under the master key: the same seed gives the same cart, and nobody
 * else can tell which.
 */
export const cartIdFor = (env: object, seed: string): string =>
  digest62(env, namingKeyVersion(env), 'cart-seed', seed, 22);

/**
 * The token of a cart: `ct_<22 base62 of the id><key version><12 base62>`. The end is a keyed digest of
 * tenant and id, so a forged token, or another tenant's, is refused without waking any object.
 */
export function cartToken(env: object, tenantId: number, cartId: string): string {
  const version = keyVersion(env);
  return `ct_${cartId}${version}${digest(env, version, tenantId, cartId)}`;
}

/** How many good tokens an isolate remembers: a digest takes longer than all else that a read does. */
const MOST_KNOWN = 10_000;
/** Tenant and token → cart id, by the environment whose keys they were checked with. */
const known = new WeakMap<object, Map<string, string>>();

/** The cart that a token names, or `null` when we did not make it for this tenant. No I/O. */
export function readCartToken(env: object, tenantId: number, token: string): string | null {
  const name = `${tenantId}:${token}`;
  const before = known.get(env)?.get(name);
  if (before !== undefined) return before;
  const [, cartId, version, given] = SHAPE.exec(token) ?? [];
  if (!cartId || !version || !given || !(`MASTER_KEY_V${version}` in env)) return null;
  if (!sameText(given, digest(env, version, tenantId, cartId))) return null;
  remember(env, name, cartId);
  return cartId;
}

/** Notes a good token; the oldest goes when there are too many. */
function remember(env: object, name: string, cartId: string): void {
  const names = known.get(env) ?? new Map<string, string>();
  known.set(env, names);
  const oldest = names.size >= MOST_KNOWN ? names.keys().next().value : undefined;
  if (oldest !== undefined) names.delete(oldest);
  names.set(name, cartId);
}
