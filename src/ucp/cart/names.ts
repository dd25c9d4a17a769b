import { type CartNaming, cartName, type NamedCart, readCartName } from '../../cart/index.ts';
import type { UcpContext } from '../context.ts';
import { type Rejected, rejected } from '../protocol/outcome.ts';

/** A tenant and an agent: what the ids of carts and checkouts are bound to. */
export interface Holder {
  readonly env: object;
  readonly tenantId: number;
  /** The URI of the agent's profile. */
  readonly profile: string;
}

/** Returns the tenant and the agent of a call. */
export const holderOf = ({ env, tenantId, agent: { profile } }: UcpContext): Holder => ({
  env,
  tenantId,
  profile,
});

const CARTS = { prefix: 'uc', purpose: 'ucp-cart' };
const CHECKOUTS = { prefix: 'co', purpose: 'ucp-checkout' };

const naming = (kind: Omit<CartNaming, 'scope'>, { tenantId, profile }: Holder, more = ''): CartNaming => ({
  ...kind,
  scope: `${tenantId}\n${profile}${more}`,
});

/** Returns the id under which an agent knows its cart. No other agent and no other tenant can use it. */
export const ucpCartId = (holder: Holder, cart: NamedCart): string =>
  cartName(holder.env, naming(CARTS, holder), cart);

/** Returns the cart that an agent's id names, or null. No I/O. */
export const readUcpCartId = (holder: Holder, id: string): string | null =>
  readCartName(holder.env, naming(CARTS, holder), id);

const CHECKOUT_PATTERN = /^(co_[0-9A-Za-z]+)_([1-9]\d{0,8})$/;

/** A checkout of an agent's cart: a cart can have several, one after the other, counted from 1. */
export interface CheckoutName {
  readonly cartId: string;
  readonly checkout: number;
}

/** Returns the id of a checkout. */
export const ucpCheckoutId = (holder: Holder, { checkout, ...cart }: CheckoutName & NamedCart): string =>
  `${cartName(holder.env, naming(CHECKOUTS, holder, `\n${checkout}`), cart)}_${checkout}`;

/** Returns the checkout that an agent's id names, or null. No I/O. */
export function readUcpCheckoutId(holder: Holder, id: string): CheckoutName | null {
  const [, name, number] = CHECKOUT_PATTERN.exec(id) ?? [];
  if (name === undefined || number === undefined) return null;
  const cartId = readCartName(holder.env, naming(CHECKOUTS, holder, `\n${number}`), name);
  return cartId === null ? null : { cartId, checkout: Number(number) };
}

/** The outcome for a cart that doesn't exist, has ended, or is another agent's. */
export const CART_NOT_FOUND: Rejected = rejected('not_found', 'Cart not found or has expired.');
/** The outcome for a checkout that doesn't exist, has ended, or is another agent's. */
export const CHECKOUT_NOT_FOUND: Rejected = rejected('not_found', 'Checkout not found or has expired.');
