import type { CartPromotion } from '../../../promotions/index.ts';
import type { Offer } from '../../options/offer.ts';
import { FORMAT, type Head, INITIAL_FIELDS, type Line } from '../state.ts';

/** A head of any earlier version. Format 0 lacks `format` and some fields; format 1 lacks the shipping method. */
type StoredHead = Pick<
  Head,
  'token' | 'currency' | 'createdAt' | 'changedAt' | 'version' | 'shown' | 'nextLine'
> &
  Partial<Head> & { readonly coupon?: StoredCoupon | null };
/** The one coupon of a cart up to format 2. */
type StoredCoupon = Pick<CartPromotion, 'id' | 'startsAt' | 'endsAt'> & {
  readonly code: string;
  readonly terms: Omit<CartPromotion['terms'], 'buy' | 'get' | 'minimum_quantity'>;
};
type StoredOffer = Omit<Offer, DisplayField> & Partial<Offer>;
type StoredLine = Omit<Line, 'was' | 'gone' | 'offer'> &
  Partial<Pick<Line, 'was' | 'gone'>> & { readonly offer: StoredOffer };
/** The fields that offers of earlier versions lack. */
type DisplayField = 'slug' | 'image' | 'type' | 'selected' | 'weight' | 'reducedFrom';

/** The latest fields of offers; one that lacks any of them is repriced. */
const ADDED_FIELDS = ['slug', 'weight', 'reducedFrom'] as const satisfies readonly DisplayField[];

/** The defaults of the fields that a stored head may lack. */
const ABSENT = {
  ...INITIAL_FIELDS,
  // Forces repricing and a settings update on the next call.
  pricedAt: 0,
  shopAt: 0,
} as const;

/** The stored parts in the current format, and whether they were upgraded. */
interface ReadParts {
  readonly head: Head;
  readonly lines: readonly Line[];
  readonly older: boolean;
}

/** Parses stored JSON and upgrades it to {@link FORMAT}; returns null if a newer version wrote it. */
export function readParts(headText: string, lineTexts: readonly string[]): ReadParts | null {
  // Written by this version of CartStore or an earlier one.
  const { coupon, ...head } = JSON.parse(headText) as StoredHead;
  const { format = 0 } = head;
  if (format > FORMAT) return null;
  const stored = lineTexts.map((text) => JSON.parse(text) as StoredLine);
  const lines = stored.map((line) => ({ was: null, gone: false, ...line, offer: displayable(line.offer) }));
  // Repricing also reads what the offers lack.
  const reprice = stored.some(({ offer }) => ADDED_FIELDS.some((field) => offer[field] === undefined))
    ? { pricedAt: 0 }
    : {};
  return {
    head: { ...ABSENT, ...head, ...promotionsOf(head, coupon), ...reprice, format: FORMAT },
    lines,
    older: format < FORMAT,
  };
}

/** Returns the codes of an older cart. Its automatic promotions come with the next pricing settings. */
function promotionsOf({ format = 0 }: StoredHead, coupon: StoredCoupon | null | undefined): Partial<Head> {
  if (format >= 3) return {};
  if (!coupon) return { shopAt: 0 };
  const { id, code, startsAt, endsAt } = coupon;
  const terms = { ...coupon.terms, buy: null, get: null, minimum_quantity: null };
  const promotion = { id, name: code, code, priority: 100, combinable: false, terms, startsAt, endsAt };
  return { codes: [promotion], running: [id], shopAt: 0 };
}

/** Returns an offer with all display fields; those that it lacks are derived or empty until it is repriced. */
const displayable = (offer: StoredOffer): Offer => ({
  slug: null,
  image: null,
  type: typeOf(offer),
  selected: [],
  weight: 0,
  reducedFrom: {},
  ...offer,
});

function typeOf({ variantId, until, links, options, ships }: StoredOffer): Offer['type'] {
  if (variantId !== null) return 'configurable';
  if (until !== null) return 'booking';
  if (links.length > 0) return 'downloadable';
  if ('bundle_options' in JSON.parse(options)) return 'bundled';
  return ships ? 'simple' : 'virtual';
}
