import { digest62, hasKey, keyVersion, sameText } from '../../kernel/crypto/crypto.ts';

/**
 * A kind of name that carts have outside. Only who knows the scope (tenant, agent) can use a name; one with
 * another scope or purpose is rejected without waking an object.
 */
export interface CartNaming {
  /** Two to four lower-case letters. */
  readonly prefix: string;
  readonly purpose: string;
  readonly scope: string;
}

const NAME_PATTERN = /^([a-z]{2,4})_([0-9A-Za-z]{22})([1-9])([0-9A-Za-z]{16})$/;

/** A cart's id, and the version of the key that its name is digested with. */
interface Named {
  readonly cartId: string;
  readonly version: string;
}

const digestOf = (env: object, { purpose, scope }: CartNaming, { cartId, version }: Named): string =>
  digest62({ env, version, purpose }, `${scope}\n${cartId}`, 16);

/** A cart to name. */
export interface NamedCart {
  readonly cartId: string;
  /** The version of the master key that its first name was made with; by default, and if that is gone, the newest. */
  readonly keyVersion?: string | undefined;
}

/** Returns the name of a cart: `<prefix>_<22 base62 of the id><key version><16 base62 of a keyed digest>`. */
export function cartName(env: object, naming: CartNaming, { cartId, keyVersion: first }: NamedCart): string {
  const version = first !== undefined && hasKey(env, first) ? first : keyVersion(env);
  return `${naming.prefix}_${cartId}${version}${digestOf(env, naming, { cartId, version })}`;
}

/** Returns the cart id of a name, or null if the name is not valid. No I/O. */
export function readCartName(env: object, naming: CartNaming, name: string): string | null {
  const [, prefix, cartId, version, given] = NAME_PATTERN.exec(name) ?? [];
  if (prefix !== naming.prefix || !cartId || !version || !given) return null;
  if (!hasKey(env, version)) return null;
  return sameText(given, digestOf(env, naming, { cartId, version })) ? cartId : null;
}
