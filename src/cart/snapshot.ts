import type { StockDemand } from '../inventory/index.ts';
import type { PostalAddress } from '../kernel/core/postal-address.ts';
import type { Result } from '../kernel/core/result.ts';
import type { CartTotals, CouponTerms, LineTotals, PricedLine } from '../pricing/index.ts';
import type { NotifiedStatus } from './object/order-lock.ts';

/** A file that comes with a downloadable line. */
export interface DownloadLink {
  readonly id: number;
  readonly title: string;
  readonly url: string;
}

/** One line of a frozen cart; what pricing needs of it, what it came to, and what it takes of stock. */
export interface SnapshotLine extends PricedLine {
  readonly id: number;
  readonly variantId: number | null;
  readonly name: string;
  readonly sku: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly totals: LineTotals;
  /** For the line's whole quantity; what isn't counted (policy `untracked`) takes nothing. */
  readonly demands: readonly StockDemand[];
  readonly links: readonly DownloadLink[];
}

/** A cart as checkout sells it: priced from the primary database, amounts in minor units. */
export interface CartSnapshot {
  /** Names the cart within its tenant; with `version`, what is sold. */
  readonly cartId: string;
  readonly cartToken: string;
  /** Counts the cart's edits. A checkout session is good only while the cart has this version. */
  readonly version: number;
  readonly currency: string;
  readonly lines: readonly SnapshotLine[];
  readonly totals: CartTotals;
  /** The whole cart's, one for each item and slot. */
  readonly demands: readonly StockDemand[];
  readonly country: string | null;
  /** For the order: whole for a guest's cart, and where the customer's own session froze it, else the country. */
  readonly address: PostalAddress | null;
  /** Whose the cart was when it was frozen, and so whose its order is. */
  readonly customerId: number | null;
  readonly email: string | null;
  /** Whether the session of the cart's customer came along: only then may address and e-mail be shown. */
  readonly contactShown: boolean;
  /** Null when there is none or it doesn't apply: then no use is counted. */
  readonly coupon: { readonly id: number; readonly code: string; readonly terms: CouponTerms } | null;
}

/** Whose a cart is; null for a guest's. */
export interface CartOwnership {
  readonly customerId: number | null;
}

/** What is known of a cart without pricing it. */
export interface CartStatus extends CartOwnership {
  readonly version: number;
  readonly order: { readonly id: string; readonly state: 'placing' | 'pending' | 'paid' } | null;
}

/** What checkout does with one cart. Every method may be called again without harm. */
export interface CheckoutPort {
  /**
   * Prices the cart again from the primary database and answers what it sells. Fails with
   * `cart_not_found`, `cart_expired`, `cart_locked`, `cart_empty`, `insufficient_stock`,
   * `slot_unavailable`, or `price_changed` (with the new cart in `details.cart`) when the total has risen
   * since the shopper last saw it; asked again, it then goes through. `customerId` is whose session came
   * along; without the cart's own customer's the snapshot has no contact data of theirs.
   */
  freeze(customerId: number | null): Promise<Result<CartSnapshot>>;
  /** The version now, whose it is, and the order that locks the cart. */
  standing(): Promise<Result<CartStatus>>;
  /** Notes address and e-mail, as the checkout page takes them; a change is an edit. Answers the version. */
  setContact(contact: { address?: PostalAddress; email?: string }): Promise<Result<number>>;
  /**
   * Locks the cart for an order about to be placed, if it has this version and no other order has it:
   * else `cart_locked`, or `precondition_failed` when it was edited. A lock that is not confirmed by
   * {@link orderStatus} lapses after two minutes, so a crash before the order's batch frees the cart.
   * Returns whose the cart is by now: nobody's once its customer was erased.
   */
  lock(orderId: string, version: number): Promise<Result<CartOwnership>>;
  /**
   * Notes that stock is kept for this version until then (ms): the cart doesn't take its own reservation
   * for sold out, and an edit gives it back at once. Without this it is given back when its time is over.
   */
  reserved(version: number, until: number): Promise<Result<void>>;
  /** Frees the cart if this order holds it. */
  unlock(orderId: string): Promise<Result<void>>;
  /**
   * Tells the cart its order's status as of this revision of it; `cancelled` frees the cart. Another
   * order's changes nothing, nor does an older one of the same order.
   */
  orderStatus(orderId: string, status: NotifiedStatus, revision: number): Promise<Result<void>>;
}
