import type { Prices, SellableProduct } from '../../catalog/index.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { DownloadLink } from '../snapshot.ts';
import type { Options } from './options.ts';

/** The quantity of a stock item or slot that one unit takes. */
export interface StockNeed {
  readonly kind: 'item' | 'slot';
  readonly id: number;
  readonly productId: number;
  readonly variantId: number | null;
  readonly quantity: number;
  /** The availability at the last lookup; `null` means unlimited. */
  readonly available: number | null;
}

/** A product with resolved options, as a cart line holds it. Plain JSON data. */
export interface Offer {
  readonly productId: number;
  readonly variantId: number | null;
  readonly name: string;
  readonly sku: string;
  /** Canonical JSON; identifies the line together with the product. */
  readonly options: string;
  /** The unit price by currency. */
  readonly prices: Prices;
  readonly taxClass: string | null;
  readonly categoryIds: readonly number[];
  readonly ships: boolean;
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
  Partial<Pick<Offer, 'variantId' | 'sku' | 'ships' | 'links' | 'until'>> & {
    /** The options of the product type, normalized. */
    readonly options: Options;
  };

/** Builds the offer of a product with resolved options; `custom` is the shopper's custom data. */
export function offerOf(product: SellableProduct, choice: ResolvedOptions, custom: Options): Offer {
  return {
    productId: product.id,
    variantId: choice.variantId ?? null,
    name: product.name,
    sku: choice.sku ?? product.sku,
    options: canonicalJson({ ...custom, ...choice.options }),
    prices: choice.prices,
    taxClass: product.taxClass,
    categoryIds: product.categoryIds,
    ships: choice.ships ?? product.type === 'simple',
    needs: choice.needs,
    links: choice.links ?? [],
    until: choice.until ?? null,
  };
}

/** Returns the stock that `quantity` units of a product without variants take; empty if untracked. */
export function stockNeed({ id, policy, stock }: SellableProduct, quantity: number): StockNeed[] {
  if (policy === 'untracked') return [];
  const available = policy === 'deny' ? stock : null;
  return [{ kind: 'item', id, productId: id, variantId: null, quantity, available }];
}

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
