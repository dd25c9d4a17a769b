/** Carts that a shopping agent fills for a buyer: what they hold beyond a shopper's cart. Plain JSON data. */

import type { Result } from '../../kernel/core/result.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import type { LineShare, PromotionShare, ShippingMethodOption, ShownTotals } from '../../pricing/index.ts';
import type { CartPromotion } from '../../promotions/index.ts';
import type { Offer, OfferQuantity } from '../options/offer.ts';
import type { Warning } from '../schemas.ts';

/** The buyer as the agent names them, beside the cart's address and e-mail. */
export interface AgentBuyer {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly phone?: string | undefined;
}

/** A discount code as the agent sent it, and why it has no effect; null if it was accepted. */
export interface SubmittedCode {
  readonly code: string;
  readonly refusal: string | null;
}

/** What the cart of an agent holds beyond a shopper's. */
export interface CartAgent {
  /** The URI of the agent's profile. No other agent can use the cart. */
  readonly profile: string;
  readonly buyer: AgentBuyer;
  readonly codes: readonly SubmittedCode[];
  /** Text of the agent's protocol that only its module reads: at most {@link MAX_NOTES_BYTES} bytes. */
  readonly notes: string;
  /** How many checkouts have been started from the cart; the last one is the current one. */
  readonly checkouts: number;
  /** Whether the current checkout was cancelled. */
  readonly cancelled: boolean;
  /** Whether the cart has changed since: the cancelled checkout is gone then. Absent in older carts. */
  readonly superseded?: boolean;
  /** Whether the cart itself was cancelled. */
  readonly ended: boolean;
}

/** The most bytes of {@link CartAgent.notes}. */
export const MAX_NOTES_BYTES = 32 * 1024;

/** Where an agent has the goods of its cart delivered. */
export interface AgentDelivery {
  readonly address: PostalAddress | null;
  readonly shippingMethod: string | null;
  readonly notes: string;
}

/** Everything that an agent says about its cart: it replaces what the cart had. */
export interface AgentContents extends AgentDelivery {
  readonly profile: string;
  /** The checkout that is updated, counted from 1; null for the cart itself. */
  readonly checkout: number | null;
  readonly version: number;
  readonly wanted: readonly OfferQuantity[];
  readonly codes: readonly { readonly code: string; readonly found: Result<CartPromotion> }[];
  readonly email: string | null;
  readonly buyer: AgentBuyer;
}

/** What happens to a checkout of an agent's cart, or to the cart itself. */
export type AgentTransition =
  | { readonly to: 'start_checkout' }
  | { readonly to: 'cancel_checkout'; readonly checkout: number }
  | { readonly to: 'cancel_cart' };

/** A line of an agent's cart; amounts in minor units. */
export interface AgentLine
  extends Pick<Offer, 'productId' | 'variantId' | 'name' | 'image' | 'selected' | 'ships' | 'options'> {
  readonly unitPrice: number;
  readonly quantity: number;
  readonly subtotal: number;
  readonly discounts: readonly LineShare[];
  readonly warning: Pick<Warning, 'code' | 'message'> | null;
}

/** The order of a cart, from the moment it is known to exist. */
export interface AgentOrder {
  readonly id: string;
  readonly state: 'pending' | 'paid';
}

/** A cart in the form that its agent gets it; amounts in minor units, instants in ms. */
export interface AgentCart {
  /** The version of the master key that its names are made with. Absent in a stored reply of an earlier version. */
  readonly keyVersion?: string | undefined;
  readonly currency: string;
  readonly expiresAt: number;
  readonly lines: readonly AgentLine[];
  readonly totals: ShownTotals;
  readonly promotions: readonly PromotionShare[];
  /** What a promotion for free shipping takes off. */
  readonly shippingWaived: number;
  /** The id of the promotion that takes it off; null without one. */
  readonly waivedBy: number | null;
  /** The methods that deliver to the address; none if nothing is shipped. */
  readonly shippingMethods: readonly ShippingMethodOption[];
  /** The id of the method that was asked for, which may not be among the methods. */
  readonly shippingMethod: string | null;
  /** Whether the goods can be delivered, or need no delivery. */
  readonly deliverable: boolean;
  readonly address: PostalAddress | null;
  readonly email: string | null;
  readonly agent: CartAgent;
  readonly order: AgentOrder | null;
}

/** Returns whether an agent has cancelled its cart, or the checkout of it. */
export const isCancelled = (agent: CartAgent | null | undefined): boolean =>
  agent?.ended === true || agent?.cancelled === true;
