import type { StockDemand } from '../inventory/index.ts';
import type { Result } from '../kernel/core/result.ts';
import type { Metadata } from '../kernel/values/metadata.ts';
import type { PostalAddress } from '../kernel/values/postal-address.ts';
import type { CartTotals, PricedLine, PromotionSource, PromotionTerms, Selection } from '../pricing/index.ts';
import type { AgentBuyer } from './agent/agent-cart.ts';
import type { DownloadLink, Offer } from './options/offer.ts';

/** One line item of a snapshot, with its pricing input and stock demand. */
export interface SnapshotLine extends PricedLine {
  readonly id: number;
  readonly variantId: number | null;
  readonly name: string;
  readonly sku: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** For the whole quantity; empty for untracked stock. */
  readonly demands: readonly StockDemand[];
  readonly links: readonly DownloadLink[];
  /** The choices in words. Absent in a session of an earlier version, as what follows. */
  readonly selected?: readonly Selection[];
  readonly slug?: Offer['slug'];
  readonly type?: Offer['type'];
  readonly image?: Offer['image'];
}

/** The cart version that checkout sells, priced from the primary database. Amounts in minor units. */
export interface CartSnapshot {
  /** Unique within the tenant. */
  readonly cartId: string;
  /** The number of edits. A checkout session is valid only while the cart has this version. */
  readonly version: number;
  readonly currency: string;
  readonly lines: readonly SnapshotLine[];
  readonly totals: CartTotals;
  /** Summed over the cart: one entry per stock item or slot. */
  readonly demands: readonly StockDemand[];
  readonly country: string | null;
  /** Complete for a guest's cart or with the owner's session; otherwise only the country. */
  readonly address: PostalAddress | null;
  /** The owner at the time of the snapshot, who also owns the order; null for a guest. */
  readonly customerId: number | null;
  readonly email: string | null;
  /**
   * Whether the owner's session took the snapshot: address and e-mail are shown to no one else. Also set for an
   * agent's cart, whose page shows what the agent gathered to whoever gets its link.
   */
  readonly contactShown: boolean;
  /** Copied to the order. Absent in a session of an earlier version. */
  readonly metadata?: Metadata;
  /** The id of the chosen shipping method. Absent in a session of an earlier version. */
  readonly shippingMethod?: string | null;
  /** What applies. The order redeems all of them. Absent in a session of an earlier version, which has `coupon`. */
  readonly promotions?: readonly PromotionSource[];
  /** What could apply in place of a promotion that is used up before the order is placed. */
  readonly alternatives?: readonly PromotionSource[];
  /** The agent that filled the cart, and which of its checkouts this is. Absent in a shopper's cart. */
  readonly agent?: {
    readonly profile: string;
    readonly checkout: number;
    /** Absent in a session of an earlier version. */
    readonly keyVersion?: string | undefined;
  };
  /** The buyer as the agent named them, where the address doesn't. */
  readonly buyer?: AgentBuyer | null;
  readonly coupon?: { readonly id: number; readonly code: string; readonly terms: PromotionTerms } | null;
}

/** Returns the promotions that apply to a frozen cart. */
export function promotionsOf({ promotions, coupon }: CartSnapshot): readonly PromotionSource[] {
  if (promotions || !coupon) return promotions ?? [];
  return [{ ...coupon, name: coupon.code, priority: 100, combinable: false }];
}

/** The state of a cart that needs no pricing. */
export interface CartStatus {
  readonly version: number;
  /** The owner; null for a guest's cart. */
  readonly customerId: number | null;
  readonly order: { readonly id: string; readonly state: 'placing' | 'pending' | 'paid' } | null;
}

/** The notification of a cart: its order's status at one revision. */
export interface OrderNotice {
  readonly id: string;
  readonly number: number;
  readonly status: 'pending' | 'paid' | 'cancelled';
  /** Rises with each change of the order. */
  readonly revision: number;
  /** The version of the cart that was ordered. */
  readonly cartVersion: number;
  /** The URL that leads back to paying the order; null if the sender doesn't know it. */
  readonly payUrl: string | null;
  /** When the order was paid (ms), which a cancellation doesn't change; null or absent if it never was. */
  readonly paidAt?: number | null;
}

/** An order about to be placed of one version of a cart, and the buyer's e-mail address if they gave one. */
export interface LockRequest {
  readonly orderId: string;
  readonly version: number;
  readonly email: string | null;
}

/** The operations of checkout on one cart. Every method is idempotent. */
export interface CheckoutPort {
  /**
   * Reprices the cart from the primary database and returns its snapshot. Fails with `cart_not_found`,
   * `cart_expired`, `cart_locked`, `cart_empty`, `insufficient_stock`, `slot_unavailable`, or `price_changed`
   * (the new cart in `details.cart`) if the total rose since the shopper last saw it; a retry then succeeds.
   * `customerId` is the session's customer; the snapshot of another customer's cart has no contact data.
   */
  freeze(customerId: number | null): Promise<Result<CartSnapshot>>;
  /** Returns the current version, the owner and the locking order. */
  standing(): Promise<Result<CartStatus>>;
  /**
   * Locks this version of the cart for an order about to be placed. Fails with `cart_locked`, with
   * `precondition_failed` if the cart was edited, or with `unavailable` while it is merged into another one.
   * The lock expires after two minutes unless {@link orderStatus} confirms it, so a crash frees the cart. A guest's
   * `email` is kept until the order is paid: if it never is, `cart.abandoned` has it.
   */
  lock(request: LockRequest): Promise<Result<void>>;
  /**
   * Records that stock is reserved for this version until `until` (ms), so that the cart adds its own
   * reservation to the availability, and the next edit releases it instead of letting it expire. Records nothing if the
   * cart was edited since. Returns the current version.
   */
  reserved(version: number, until: number): Promise<Result<number>>;
  /** Releases the lock if this order holds it and is not known to be placed. */
  unlock(orderId: string): Promise<Result<void>>;
  /**
   * Records the order's status at a revision; `cancelled` releases the lock. Ignores other orders while one
   * holds the lock, older revisions of the same order, and orders of an earlier version of a released cart. Fails with
   * `cart_locked` while another order is about to be placed: repeat the notice.
   */
  orderStatus(notice: OrderNotice): Promise<Result<void>>;
}
