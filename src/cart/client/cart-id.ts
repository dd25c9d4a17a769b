import { isOverloaded } from '../../kernel/async/retry.ts';
import { BoundedMap } from '../../kernel/core/bounded-map.ts';
import {
  digest62,
  hasKey,
  keyVersion,
  namingKeyVersion,
  randomBase62,
  sameText,
} from '../../kernel/crypto/crypto.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';

const TOKEN_PATTERN = /^ct_([0-9A-Za-z]{22})([1-9])([0-9A-Za-z]{12})$/;

/** Returns the name of a cart's Durable Object. */
const objectName = (tenantId: number, cartId: string): string => `${tenantId}:${cartId}`;

/** Returns a stub of the cart's Durable Object. */
export const cartObject = ({ env, tenantId, near }: CartPlace, cartId: string): CartObject =>
  tenantObject(env.CART, { tenantId, name: objectName(tenantId, cartId), near });
export type CartObject = ReturnType<Env['CART']['getByName']>;

/**
 * Calls a Cart object, and once more if that fails, unless it is overloaded. Each attempt must get a new stub: a stub
 * stays broken after an error.
 */
export async function retryOnce<Reply>(attempt: () => Promise<Reply>): Promise<Reply> {
  try {
    return await attempt();
  } catch (error) {
    if (isOverloaded(error)) throw error;
    return attempt();
  }
}

/** Where a tenant's carts are. */
export type CartPlace = Pick<TenantContext, 'env' | 'tenantId' | 'near'>;

/** Returns a random cart id: 22 base62 characters, 131 bits. */
export const newCartId = (): string => randomBase62(22);

/**
 * Derives a cart id from a seed with the master key. The same seed gives the same id, which cannot be guessed
 * without the key.
 */
export const cartIdFor = (env: object, seed: string): string =>
  digest62({ env, version: namingKeyVersion(env), purpose: 'cart-seed' }, seed, 22);

const digestOf = (env: object, version: string, object: string): string =>
  digest62({ env, version, purpose: 'cart-token' }, object, 12);

/**
 * Returns the token of a cart: `ct_<22 base62 of the id><key version><12 base62>`. The last part is a keyed
 * digest of tenant and id, so a forged or another tenant's token is rejected without waking an object.
 */
export function cartToken(env: object, tenantId: number, cartId: string): string {
  const version = keyVersion(env);
  return `ct_${cartId}${version}${digestOf(env, version, objectName(tenantId, cartId))}`;
}

/** Returns the version of the master key that a cart's token was made with; undefined for what is no token. */
export const tokenKeyVersion = (token: string): string | undefined => TOKEN_PATTERN.exec(token)?.[2];

/** The most verified tokens that an isolate caches: the digest is the most expensive part of a read. */
const MAX_VERIFIED_TOKENS = 10_000;
/** Cart ids by tenant and token, for each environment whose keys verified them. */
const verified = new WeakMap<object, BoundedMap<string, string>>();

/** Returns the cart id of a token, or null if the token is not valid for this tenant. No I/O. */
export function readCartToken(env: object, tenantId: number, token: string): string | null {
  const name = `${tenantId}:${token}`;
  const before = verified.get(env)?.get(name);
  if (before !== undefined) return before;
  const [, cartId, version, given] = TOKEN_PATTERN.exec(token) ?? [];
  if (!cartId || !version || !given || !hasKey(env, version)) return null;
  if (!sameText(given, digestOf(env, version, objectName(tenantId, cartId)))) return null;
  remember(env, name, cartId);
  return cartId;
}

/** Caches a verified token; evicts the oldest at the limit. */
function remember(env: object, name: string, cartId: string): void {
  const names = verified.get(env) ?? new BoundedMap<string, string>(MAX_VERIFIED_TOKENS);
  verified.set(env, names);
  names.set(name, cartId);
}

/** The most merges to follow: a customer signs in with a new cart again and again. */
export const MAX_MERGES = 100;

/** Returns the id of the cart that a cart leads to through all merges: its own if it was not merged. */
export async function endOfMerges(place: CartPlace, cartId: string): Promise<string> {
  let end = cartId;
  for (let merges = 0; merges < MAX_MERGES; merges++) {
    const next = await cartObject(place, end).movedTo();
    if (next === null) break;
    end = next;
  }
  return end;
}

/** Returns the id of the cart that a cart was merged into, through all later merges; null if it was not merged. */
export async function mergedInto(place: CartPlace, cartId: string): Promise<string | null> {
  const end = await endOfMerges(place, cartId);
  return end === cartId ? null : end;
}
