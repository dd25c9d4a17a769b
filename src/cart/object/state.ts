import { matchedTags } from '../../kernel/cache/cached-body.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/core/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import type { Metadata } from '../../kernel/values/metadata.ts';
import { MAX_AMOUNT } from '../../kernel/values/money.ts';
import type { PostalAddress } from '../../kernel/values/postal-address.ts';
import type { PricingSettings } from '../../pricing/index.ts';
import type { CartPromotion } from '../../promotions/index.ts';
import type { CartAgent } from '../agent/agent-cart.ts';
import type { Offer } from '../options/offer.ts';

/** The time from a cart's last change to its expiry (ms). */
const LIFETIME_MS = { empty: 6 * HOUR, agent: 7 * DAY, guest: 30 * DAY, customer: 90 * DAY };
/** How long (ms) an expired cart fails with `cart_expired` before `cart_not_found`. */
export const EXPIRED_RETENTION_MS = 30 * DAY;
/** The time after which an unconfirmed lock expires (ms). */
const PLACING_LOCK_MS = 2 * MINUTE;

/**
 * The storage format of carts. A change to {@link Head} or {@link Line} that cannot read older data
 * increments it and adds an upgrade to `readParts` in storage/stored-parts.ts.
 */
export const FORMAT = 3;

/** The tenant's pricing settings and automatic promotions, and the catalogue version they were read at. */
export interface PricingContext {
  readonly version: number;
  /** {@link PricingSettings} as JSON, since every call carries it and few parse it. */
  readonly pricing: string;
  /** The automatic promotions that may apply now or later, as JSON: {@link CartPromotion}, at most 20. */
  readonly promotions: string;
}

// Both were written by readPricingContext().
/** Parses the pricing settings. */
export const pricingOf = (context: PricingContext) => JSON.parse(context.pricing) as PricingSettings;
/** Parses the automatic promotions. */
export const automaticOf = (context: PricingContext) =>
  JSON.parse(context.promotions) as CartState['automatic'];

/** One line item. */
export interface Line {
  readonly id: number;
  readonly offer: Offer;
  readonly quantity: number;
  /** Minor units of the cart's currency. */
  readonly unitPrice: number;
  /** The previous unit price until the next edit; null if it has not changed. */
  readonly was: number | null;
  /** Whether the product is no longer on sale with these options. */
  readonly gone: boolean;
}

/** Returns whether a line's total is within the largest exact amount. */
export const isWithinMaxAmount = (unitPrice: number, quantity: number): boolean =>
  unitPrice * quantity <= MAX_AMOUNT;

/** The order that locks a cart; `placing` until the order is known to exist. */
export interface OrderLock {
  readonly id: string;
  readonly state: 'placing' | 'pending' | 'paid';
  readonly since: number;
  /** The order's number; absent until a notification tells it. */
  readonly number?: number;
  /** The URL that leads back to paying the order. */
  readonly payUrl?: string;
}

/** A stock reservation: its expiry (ms), and the reserved quantity by item and slot. */
export interface Reserved {
  readonly until: number;
  readonly own: Readonly<Record<string, number>>;
}

/** What a merge could not take: the names of the first items, the number of all, and codes. */
export interface NotMerged {
  readonly names: readonly string[];
  readonly items: number;
  readonly codes: readonly string[];
}

/** A cart without its lines and pricing settings. Instants in ms. */
export interface Head {
  /** The storage format of the whole cart: see {@link FORMAT}. */
  readonly format: number;
  readonly token: string;
  readonly currency: string;
  readonly createdAt: number;
  readonly changedAt: number;
  /** The number of edits; checkout sells one version. */
  readonly version: number;
  /** The number of changes to the rendered cart, price changes included; part of the ETag. */
  readonly shown: number;
  readonly nextLine: number;
  readonly address: PostalAddress | null;
  readonly email: string | null;
  /** The e-mail address that a guest gave with an order that isn't paid. Only `cart.abandoned` shows it. */
  readonly guestEmail: string | null;
  readonly customerId: number | null;
  /** The promotions of the codes that the shopper entered, in that order. At most {@link MAX_CODES}. */
  readonly codes: readonly CartPromotion[];
  /** The ids of the codes and automatic promotions whose time it is. Kept, so that prices depend on nothing else. */
  readonly running: readonly number[];
  /** The automatic promotions that the cart's customer can't redeem, as checkout last found. */
  readonly barred: readonly number[];
  /** The id of the chosen shipping method; null: the cheapest applies. */
  readonly shippingMethod: string | null;
  /** Texts of the cart's holder by key; the order gets a copy. */
  readonly metadata: Metadata;
  readonly order: OrderLock | null;
  /** The last order notification: order id and revision. */
  readonly heard: { readonly id: string; readonly revision: number } | null;
  /** The stock that checkout has reserved for this version. */
  readonly reserved: Reserved | null;
  /** The grand total that the shopper last saw, in minor units. */
  readonly seen: number;
  /** The catalogue version of the lines' prices (`pricedAt`) and of the settings (`shopAt`). */
  readonly pricedAt: number;
  readonly shopAt: number;
  /** Wrong coupon codes in a row, and the end of the lockout. */
  readonly guesses: { readonly wrong: number; readonly until: number };
  /** What the last merge could not take from the customer's earlier cart; null after the next edit. */
  readonly notMerged: NotMerged | null;
  /** The codes that were taken out because they are deleted or used up; empty after the next edit. */
  readonly removedCodes: readonly string[];
  /** The id of the cart that this one was merged into. */
  readonly movedTo: string | null;
  /** The time of expiry, set once the cart is emptied. */
  readonly expired: number | null;
  /** The tenant; null in a cart that was made before carts kept it. */
  readonly tenantId: number | null;
  /** Whether the event `cart.abandoned` was recorded. */
  readonly abandoned: boolean;
  /** The agent that holds the cart for a buyer; null in a shopper's cart. */
  readonly agent: CartAgent | null;
}

/** The most codes that a cart can hold. At most one of them does not combine with others. */
export const MAX_CODES = 3;

/** A whole cart. Immutable: an edit returns a new state that shares unchanged parts. */
export interface CartState {
  readonly head: Head;
  readonly pricing: PricingSettings;
  /** The tenant's automatic promotions. */
  readonly automatic: readonly CartPromotion[];
  readonly lines: readonly Line[];
}

/** The fields that have the same value in every new cart. */
export const INITIAL_FIELDS = {
  address: null,
  email: null,
  guestEmail: null,
  customerId: null,
  codes: [],
  running: [],
  barred: [],
  shippingMethod: null,
  metadata: {},
  order: null,
  heard: null,
  reserved: null,
  seen: 0,
  guesses: { wrong: 0, until: 0 },
  notMerged: null,
  removedCodes: [],
  movedTo: null,
  expired: null,
  tenantId: null,
  abandoned: false,
  agent: null,
} as const satisfies Partial<Head>;

/** Returns a new, empty cart. */
export const emptyCart = (
  { token, context }: { readonly token: string; readonly context: PricingContext },
  currency: string,
  at: number,
): CartState => ({
  head: {
    format: FORMAT,
    token,
    currency,
    createdAt: at,
    changedAt: at,
    version: 1,
    shown: 1,
    nextLine: 1,
    ...INITIAL_FIELDS,
    pricedAt: context.version,
    shopAt: context.version,
  },
  pricing: pricingOf(context),
  automatic: automaticOf(context),
  lines: [],
});

/** Returns when the cart expires (ms). */
export const expiresAt = ({ head, lines }: CartState): number =>
  head.expired ?? head.changedAt + LIFETIME_MS[kindOf(head, lines.length)];

function kindOf({ customerId, movedTo, agent }: Head, lines: number): keyof typeof LIFETIME_MS {
  if (movedTo !== null) return 'customer';
  if (agent) return agent.ended || agent.cancelled ? 'empty' : 'agent';
  if (lines === 0) return 'empty';
  return customerId === null ? 'guest' : 'customer';
}

/** Returns an expired or merged cart without its lines, codes, shipping method and personal data. */
export const emptied = (state: CartState): CartState => ({
  ...state,
  head: {
    ...state.head,
    address: null,
    email: null,
    guestEmail: null,
    customerId: null,
    codes: [],
    barred: [],
    shippingMethod: null,
    metadata: {},
    notMerged: null,
    removedCodes: [],
    agent: state.head.agent && { ...state.head.agent, buyer: {}, codes: [], notes: '' },
  },
  lines: [],
});

/** Returns the emptied cart that marks an expired one until it is deleted. */
export function tombstone(state: CartState): CartState {
  const { head, ...rest } = emptied(state);
  return { ...rest, head: { ...head, expired: expiresAt(state) } };
}

/** Returns the order that locks the cart, or null; an unconfirmed lock expires. */
export const lockingOrder = ({ head: { order } }: CartState, at: number): OrderLock | null =>
  order?.state === 'placing' && at - order.since >= PLACING_LOCK_MS ? null : order;

/** Returns whether a cart stays locked even if its order is cancelled: a paid checkout of an agent never changes. */
export const isLockFinal = ({ head: { agent, order } }: CartState): boolean =>
  agent !== null && order?.state === 'paid';

/** Returns what the ETags of a cart begin with, whoever sees it, until its rendering changes. */
const tagStart = ({ createdAt, shown }: Head): string => `"${createdAt.toString(36)}-${shown}-`;

/** Returns the ETag of a cart (RFC 9110, 8.8.3). It depends on the body, which another release renders differently. */
export const etagOf = ({ head }: CartState, body: string): string =>
  `${tagStart(head)}${sha256(body).slice(0, 16)}"`;

/** Returns whether `If-Match` allows an edit (RFC 9110, 13.1.1), with the ETag of any viewer's rendering. */
export const ifMatch = (header: string | null, { head }: CartState): boolean =>
  header === null || matchedTags(header).some((tag) => tag === '*' || tag.startsWith(tagStart(head)));
