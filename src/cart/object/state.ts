import type { PostalAddress } from '../../kernel/core/postal-address.ts';
import type { PricingSettings } from '../../pricing/index.ts';
import type { CartCoupon } from '../../promotions/index.ts';
import type { Offer } from '../options/offer.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
/** How long a cart lives after its last change: an empty one, a guest's, a customer's. */
const LIFETIME_MS = { empty: 6 * HOUR, guest: 30 * DAY, customer: 90 * DAY };
/** How long an expired cart still answers that it has expired. */
export const EXPIRED_RETENTION_MS = 30 * DAY;
/** A lock that no order has confirmed lapses after this long. */
const PLACING_LOCK_MS = 2 * 60_000;

/**
 * The format that carts are stored in. Whoever changes {@link Head} or {@link Line} so that what was stored
 * before can't be read as it is raises it by one, and upgrades the older form in format.ts.
 */
export const FORMAT = 1;

/** What decides a cart's prices besides its products, and the catalogue version it was read at. */
export interface PricingContext {
  readonly version: number;
  /** {@link PricingSettings} as JSON: each call of a cart brings it along, and few calls look into it. */
  readonly pricing: string;
}

/** The settings that a shop's text stands for. */
export const pricingOf = (shop: PricingContext): PricingSettings =>
  // Written by readShop().
  JSON.parse(shop.pricing) as PricingSettings;

/** One line. */
export interface Line {
  readonly id: number;
  readonly offer: Offer;
  readonly quantity: number;
  /** Minor units of the cart's currency. */
  readonly unitPrice: number;
  /** The price before it changed, until the shopper's next edit; null when it has not. */
  readonly was: number | null;
  /** Whether the product is no longer on sale like this. */
  readonly gone: boolean;
}

/** The order that holds a cart; `placing` until the order is known to exist. */
export interface OrderLock {
  readonly id: string;
  readonly state: 'placing' | 'pending' | 'paid';
  readonly since: number;
}

/** A reservation of this version: how much of which stock is the cart's own, besides what its offers say. */
export interface Reserved {
  readonly until: number;
  readonly own: Readonly<Record<string, number>>;
}

/** A cart but for its lines and the tenant's settings. Instants in ms. */
export interface Head {
  /** Of all that is stored of the cart: see format.ts. */
  readonly format: number;
  readonly token: string;
  readonly currency: string;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Counts edits: what checkout sells is a version. */
  readonly version: number;
  /** Counts everything that changes how the cart looks, prices that moved included. */
  readonly shown: number;
  readonly nextLine: number;
  readonly address: PostalAddress | null;
  readonly email: string | null;
  readonly customerId: number | null;
  readonly coupon: CartCoupon | null;
  readonly order: OrderLock | null;
  /** The order that last told how it stands, and its revision then. */
  readonly heard: { readonly id: string; readonly revision: number } | null;
  /** What checkout keeps of stock for this version of the cart, and until when. */
  readonly reserved: Reserved | null;
  /** The grand total that was last shown, in minor units. */
  readonly seen: number;
  /** The catalogue versions that the lines were priced at, and that the settings were read at. */
  readonly pricedAt: number;
  readonly shopAt: number;
  /** Wrong coupon codes in a row, and until when no more are taken. */
  readonly guesses: { readonly wrong: number; readonly until: number };
  /** The id of the cart that this one was merged into. */
  readonly movedTo: string | null;
  /** When it expired, once what it held has been thrown away. */
  readonly expired: number | null;
}

/** A whole cart. Never changed: a change makes another one, and what is the same in both is shared. */
export interface CartState {
  readonly head: Head;
  readonly pricing: PricingSettings;
  readonly lines: readonly Line[];
}

/** A new, empty cart. */
export const emptyCart = (token: string, currency: string, shop: PricingContext, at: number): CartState => ({
  head: {
    format: FORMAT,
    token,
    currency,
    createdAt: at,
    changedAt: at,
    version: 1,
    shown: 1,
    nextLine: 1,
    address: null,
    email: null,
    customerId: null,
    coupon: null,
    order: null,
    heard: null,
    reserved: null,
    seen: 0,
    pricedAt: shop.version,
    shopAt: shop.version,
    guesses: { wrong: 0, until: 0 },
    movedTo: null,
    expired: null,
  },
  pricing: pricingOf(shop),
  lines: [],
});

/** When the cart expires. */
export const expiresAt = ({ head, lines }: CartState): number =>
  head.expired ?? head.changedAt + LIFETIME_MS[kindOf(head, lines.length)];

function kindOf({ customerId, movedTo }: Head, lines: number): keyof typeof LIFETIME_MS {
  if (movedTo !== null) return 'customer';
  return lines === 0 ? 'empty' : customerId === null ? 'guest' : 'customer';
}

/** A cart without what it held: all that is left of one that expired or was merged into another. */
export const emptied = (state: CartState): CartState => ({
  ...state,
  head: { ...state.head, address: null, email: null, customerId: null, coupon: null },
  lines: [],
});

/** What is left of an expired cart: enough to say that it has expired. */
export function tombstone(state: CartState): CartState {
  const { head, ...rest } = emptied(state);
  return { ...rest, head: { ...head, expired: expiresAt(state) } };
}

/** The order that holds the cart now; one that was never confirmed lets go by itself. */
export const lockingOrder = ({ head: { order } }: CartState, at: number): OrderLock | null =>
  order?.state === 'placing' && at - order.since >= PLACING_LOCK_MS ? null : order;

/** The entity tag of a cart as it looks now, to its own customer or to others (RFC 9110, 8.8.3). */
export const etagOf = ({ head }: CartState, mine: boolean): string =>
  `"${head.createdAt.toString(36)}-${head.shown}${mine ? 'm' : ''}"`;

/** Whether `If-Match` allows a change (RFC 9110, 13.1.1: strong comparison, or "*"), whoever saw the cart. */
export function ifMatch(header: string | null, state: CartState): boolean {
  const tags = ['*', etagOf(state, true), etagOf(state, false)];
  return header === null || header.split(',').some((tag) => tags.includes(tag.trim()));
}
