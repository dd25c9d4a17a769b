import type { Prices, ProductType, SellableProduct } from '../../catalog/index.ts';
import type { SlotPeriod } from '../../inventory/index.ts';
import { MAX_LINE_QUANTITY } from '../../kernel/core/limits.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { Selection } from '../../pricing/index.ts';

/** The value of an option. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The options of a line by name, from a request: any key except `__proto__`. */
export type Options = Readonly<Record<string, Json>>;

/** The most bytes of options as JSON, and the most levels that they nest. */
const MAX_OPTIONS_BYTES = 4096;
const MAX_OPTIONS_LEVELS = 5;

/** Returns an error message for the options as a whole, or null. */
export function optionsError(given: unknown): string | null {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return 'must be an object';
  const error = nestingError(given, 1);
  if (error) return error;
  const bytes = new TextEncoder().encode(JSON.stringify(given)).length;
  return bytes > MAX_OPTIONS_BYTES ? `must have at most ${MAX_OPTIONS_BYTES} bytes` : null;
}

function nestingError(part: unknown, level: number): string | null {
  if (typeof part === 'number' && !Number.isFinite(part)) return 'must not have a number that is too large';
  if (part === null || typeof part !== 'object') return null;
  if (level > MAX_OPTIONS_LEVELS) return `must not nest deeper than ${MAX_OPTIONS_LEVELS} levels`;
  for (const [key, value] of Object.entries(part)) {
    if (key === '__proto__') return 'must not have a key "__proto__"';
    const error = nestingError(value, level + 1);
    if (error) return error;
  }
  return null;
}

/** Returns a quantity from 0 to {@link MAX_LINE_QUANTITY}, or null. */
export const parseQuantity = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_LINE_QUANTITY
    ? value
    : null;

/** The quantity of a stock item or slot that one unit takes. */
export interface StockNeed {
  readonly kind: 'item' | 'slot';
  readonly id: number;
  readonly productId: number;
  readonly variantId: number | null;
  readonly quantity: number;
  /** The slot's period; absent for an item, and in a line that an earlier version of the service stored. */
  readonly period?: SlotPeriod;
  /** The availability at the last lookup; `null` means unlimited. */
  readonly available: number | null;
}

/** A file that the buyer of a downloadable line item receives. */
export interface DownloadLink {
  readonly id: number;
  readonly title: string;
  readonly url: string;
}

/** A product with resolved options, as a cart line holds it. Plain JSON data. */
export interface Offer {
  readonly productId: number;
  readonly variantId: number | null;
  readonly name: string;
  /** Null only in a line that an earlier version of the service stored. */
  readonly slug: string | null;
  /** The URL of the variant's image, or else of the product's first. */
  readonly image: string | null;
  readonly type: ProductType;
  readonly selected: readonly Selection[];
  readonly sku: string;
  /** Canonical JSON; identifies the line together with the product. */
  readonly options: string;
  /** The unit price by currency. */
  readonly prices: Prices;
  /** What the unit price is reduced from, in the currencies in which it is. */
  readonly reducedFrom: Prices;
  readonly taxClass: string | null;
  readonly categoryIds: readonly number[];
  readonly ships: boolean;
  /** Grams of one unit; 0 if not known. */
  readonly weight: number;
  readonly needs: readonly StockNeed[];
  readonly links: readonly DownloadLink[];
  /** The end of sale (ms): the start of a slot. */
  readonly until: number | null;
}

/** An offer and its quantity. */
export interface OfferQuantity {
  readonly offer: Offer;
  readonly quantity: number;
}

/** The part of an offer that depends on the chosen options; the rest comes from the product. */
export type ResolvedOptions = Pick<Offer, 'prices' | 'needs'> &
  Partial<
    Pick<Offer, 'variantId' | 'sku' | 'image' | 'selected' | 'ships' | 'weight' | 'links' | 'until'>
  > & {
    /** What the prices would be without reductions; by default those of the product. */
    readonly ordinaryPrices?: Prices;
    /** The options of the product type, normalized. */
    readonly options: Options;
  };

/** Builds the offer of a product with resolved options; `custom` is the shopper's custom data. */
export function offerOf(product: SellableProduct, choice: ResolvedOptions, custom: Options): Offer {
  const { prices, ordinaryPrices = product.reducedFrom } = choice;
  const reductions = Object.entries(ordinaryPrices).filter(
    ([code, price]) => price > (prices[code] ?? price),
  );
  return {
    productId: product.id,
    variantId: choice.variantId ?? null,
    name: product.name,
    slug: product.slug,
    image: choice.image ?? product.image,
    type: product.type,
    selected: choice.selected ?? [],
    sku: choice.sku ?? product.sku,
    options: canonicalJson({ ...custom, ...choice.options }),
    prices,
    reducedFrom: Object.fromEntries(reductions),
    taxClass: product.taxClass,
    categoryIds: product.categoryIds,
    ships: choice.ships ?? product.type === 'simple',
    weight: choice.weight ?? product.weight ?? 0,
    needs: choice.needs,
    links: choice.links ?? [],
    until: choice.until ?? null,
  };
}

/** Returns an offer without the shopper's custom data: the scalars of its options but for the id of a variant. */
export function withoutCustomData(offer: Offer): Offer {
  // Written by offerOf().
  const options = JSON.parse(offer.options) as Options;
  const choices = Object.entries(options).filter(([name, value]) =>
    name === 'variant_id' ? Number.isInteger(value) : typeof value === 'object' && value !== null,
  );
  const chosen = canonicalJson(Object.fromEntries(choices));
  return chosen === offer.options ? offer : { ...offer, options: chosen };
}

/** Returns the stock that `quantity` units of a product without variants take; empty if untracked. */
export function stockNeed({ id, policy, stock }: SellableProduct, quantity: number): StockNeed[] {
  if (policy === 'untracked') return [];
  const available = policy === 'deny' ? stock : null;
  return [{ kind: 'item', id, productId: id, variantId: null, quantity, available }];
}

/** Returns the prices without reductions. */
export const ordinaryPrices = ({
  prices,
  reducedFrom,
}: Pick<SellableProduct, 'prices' | 'reducedFrom'>): Prices => ({ ...prices, ...reducedFrom });

/** Sums the parts' prices in each currency that all of them have. */
export function sumOfPrices(parts: readonly { readonly prices: Prices; readonly times: number }[]): Prices {
  const [first] = parts;
  const currencies = Object.keys(first?.prices ?? {}).filter((currency) =>
    parts.every(({ prices }) => prices[currency] !== undefined),
  );
  const sum = (currency: string) =>
    parts.reduce((total, { prices, times }) => total + (prices[currency] ?? 0) * times, 0);
  return Object.fromEntries(currencies.map((currency) => [currency, sum(currency)]));
}
