/** The requests to a Cart object and its replies: plain data, since they cross an RPC boundary. */

import type { Failed, Result } from '../../kernel/core/result.ts';
import type { Metadata, MetadataInput } from '../../kernel/values/metadata.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import type { CartPromotion } from '../../promotions/index.ts';
import type { AgentContents, AgentDelivery, AgentTransition } from '../agent/agent-cart.ts';
import type { Offer, OfferQuantity } from '../options/offer.ts';
import type { PricingContext } from './state.ts';

/** The input that every operation of a shopper shares. */
export interface CartRequest {
  readonly token: string;
  /** The calling application; null for a change that none asked for. */
  readonly applicationId: number | null;
  readonly context: PricingContext;
  /** The session's customer; the cart's owner also sees contact data. */
  readonly customerId: number | null;
  /** The profile of the agent that calls: it can use its own carts only, and gets them as {@link AgentCart}. */
  readonly agent?: string;
  /** The `If-Match` header. */
  readonly ifMatch: string | null;
  readonly refresh: FreshOffers | null;
  /** Whether offers come from the primary: then a shortage is final, else the caller must look again. */
  readonly stockIsCurrent: boolean;
  /** The order that the caller has just verified to be active: its lock holds. */
  readonly verifiedOrder: string | null;
  /** Digests of the Idempotency-Key (with application, method, path) and of the request's content. */
  readonly idempotency: {
    readonly key: string;
    readonly fingerprint: string;
    /** Set if the key was applied to a cart merged into this one: the cart is returned unchanged. */
    readonly applied?: boolean;
  } | null;
}

/** The offers to add, and the catalogue version they were read at. */
export interface CartAddition {
  readonly version: number;
  readonly wanted: readonly OfferQuantity[];
}

/** What a merge takes over from another cart, with current offers and promotions. */
export interface CartMerge extends CartAddition {
  /** The offers of the other cart's lines, by their ids. */
  readonly wanted: readonly (OfferQuantity & { readonly id?: number })[];
  /** The id of the other cart's next line. Absent, like the ids, from an earlier release. */
  readonly nextLine?: number | undefined;
  /** The names of the lines that are no longer on sale. */
  readonly gone: readonly string[];
  readonly codes: readonly CartPromotion[];
  /** The id of the method that was chosen in the other cart. */
  readonly shippingMethod: string | null;
  readonly metadata: Metadata;
}

/** One edit of a cart, with what it needs from the catalogue. A failed lookup fails the edit in its turn. */
export type CartStep =
  | { readonly op: 'add'; readonly addition: Result<CartAddition> }
  | { readonly op: 'set'; readonly lineId: number; readonly quantity: number }
  | { readonly op: 'remove'; readonly lineId: number }
  /** With null, removes all codes. */
  | { readonly op: 'coupon'; readonly found: Result<CartPromotion> | null }
  | { readonly op: 'remove_coupon'; readonly code: string }
  | { readonly op: 'address'; readonly address: PostalAddress }
  | { readonly op: 'shipping_method'; readonly id: string }
  | { readonly op: 'metadata'; readonly metadata: MetadataInput }
  | { readonly op: 'agent_contents'; readonly contents: Result<AgentContents> }
  | { readonly op: 'agent_delivery'; readonly delivery: AgentDelivery }
  | { readonly op: 'agent_transition'; readonly transition: AgentTransition };

/** The edits of one request, made all or none, as one version. */
export interface CartSteps {
  readonly steps: readonly CartStep[];
  /** The field of the request that lists the edits, to name the failing one; null for a single edit. */
  readonly field: 'operations' | 'items' | null;
}

/** Serializes edits for the RPC boundary: to clone a string takes a fraction of what it takes to clone offers. */
export const serializeSteps = (edits: CartSteps): string => JSON.stringify(edits);

/** Parses what {@link serializeSteps} returned. */
export const parseSteps = (text: string): CartSteps => JSON.parse(text) as CartSteps;

/** An operation of a shopper on a cart. `create` makes the cart, which must not exist yet. */
export type CartOperation =
  /** With `keep`, the reply is stored for the idempotency key, as that of an edit is. */
  | { readonly name: 'read'; readonly keep?: boolean }
  | { readonly name: 'create'; readonly currency: string; readonly edits: CartSteps }
  | { readonly name: 'edit'; readonly edits: CartSteps };

/** The offers and the promotions of codes that a cart needs from the catalogue before it can continue. */
export interface RepriceNeeds {
  readonly lines: readonly { readonly id: number; readonly productId: number; readonly options: string }[];
  /** The promotions of the cart's codes. */
  readonly codeIds: readonly number[];
  readonly customerId: number | null;
}

/** The current offers and promotions for {@link RepriceNeeds}, read at one catalogue version. */
export interface FreshOffers {
  readonly version: number;
  /** By line; `null` if the line is no longer on sale with its options. */
  readonly offers: readonly { readonly line: number; readonly offer: Offer | null }[];
  readonly codeIds: readonly number[];
  /** Those of `codeIds` that still exist, in their order. */
  readonly codes: readonly CartPromotion[];
  /** The automatic promotions that the cart's customer can't redeem; null if that was not looked up. */
  readonly barred: readonly number[] | null;
}

/** A rendered cart: JSON and its ETag. */
export interface ShownCart {
  readonly body: string;
  readonly etag: string;
}

/** The cart. `releases` is set if an edit invalidated reservations: those of earlier versions. */
export interface ShownReply {
  readonly ok: true;
  readonly cart: ShownCart;
  readonly releases?: number;
  readonly replayed?: boolean;
}

/** What can be read of a cart beside the cart itself. */
export type ReportKind = 'history' | 'explain' | 'shipping-methods';

/** A report on a cart as JSON. */
export type ReportReply = { readonly ok: true; readonly report: string } | Failed | Retry;

/** A failure; `replayed` if it was stored for the Idempotency-Key. */
export type RefusedReply = Failed & { readonly replayed?: boolean };

/** The redirect of a cart that was merged into another. */
export interface MergedInto {
  readonly ok: false;
  readonly movedTo: string;
  /** Whether the request's key was applied before the merge. */
  readonly applied?: boolean;
}

/** An order locks the cart; the caller must verify that the order is active. */
export interface LockedByOrder {
  readonly ok: false;
  readonly lockedBy: string;
}

/** The prices are too old, or stock seems short; the caller must retry with the offers that the cart needs. */
export interface NeedsOffers {
  readonly ok: false;
  readonly needs: RepriceNeeds;
  /** Set if these and the offers to add must come from the primary: cached stock may lag. */
  readonly current?: true;
}

/** Why the caller must retry, with what it must supply. */
export type Retry =
  | NeedsOffers
  | MergedInto
  | LockedByOrder
  /** The key's cart exists and the key is older than 24 hours: the key now creates another cart. */
  | { readonly ok: false; readonly keyExpired: true };

/** The result of an operation that shows the cart. */
export type CartReply = ShownReply | RefusedReply | Retry;

/** The result of `take`: an edit's result without the cart. */
export type TakeReply = Omit<ShownReply, 'cart'> | Failed | Retry;

/** What checkout sends before it freezes a cart. */
export type CheckoutRequest = Pick<CartRequest, 'verifiedOrder'>;

/** What checkout sends to freeze a cart: its id, the session's customer, and the tenant's pricing settings. */
export interface FreezeRequest extends Pick<CartRequest, 'customerId' | 'context' | 'verifiedOrder'> {
  readonly cartId: string;
}

/** The result of `lines`: what checkout must look up before it freezes the cart. */
export type LinesReply = Result<RepriceNeeds> | MergedInto | LockedByOrder;

/** The result of `freeze`: a {@link CartSnapshot} as JSON. `needs` if the cart was edited after `lines`. */
export type FreezeReply =
  | { readonly ok: true; readonly snapshot: string }
  | Failed
  | NeedsOffers
  | MergedInto
  | LockedByOrder;

/** What a cart has for a merge into another cart; the codes are in `needs`. */
export interface CartContents {
  readonly version: number;
  /** Another number after each merge into the cart. Absent from an earlier release. */
  readonly takes?: number;
  /** The merge to end. Absent from an earlier release. */
  readonly merge?: string;
  readonly needs: RepriceNeeds;
  readonly quantities: readonly { readonly id: number; readonly quantity: number; readonly name: string }[];
  /** Absent from an earlier release. */
  readonly nextLine?: number;
  readonly shippingMethod: string | null;
  readonly metadata: Metadata;
}
