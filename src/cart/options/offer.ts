import type { Prices, SellableProduct } from '../../catalog/index.ts';
import { canonicalJson } from '../../kernel/core/canonical-json.ts';
import type { DownloadLink } from '../snapshot.ts';
import type { Options } from './options.ts';

/** What one unit takes of a stock item or a slot. */
export interface StockNeed {
  readonly kind: 'item' | 'slot';
  readonly id: number;
  readonly productId: number;
  readonly variantId: number | null;
  readonly quantity: number;
  /** How much can be sold, when last looked up; `null`: as much as anybody wants. */
  readonly available: number | null;
}

/** One way to buy a product, as the catalogue has it: what a line of a cart is made of. Plain data. */
export interface Offer {
  readonly productId: number;
  readonly variantId: number | null;
  readonly name: string;
  readonly sku: string;
  /** Canonical JSON: with the product it says which line this is. */
  readonly options: string;
  /** One unit, in each currency that it is sold in. */
  readonly prices: Prices;
  readonly taxClass: string | null;
  readonly categoryIds: readonly number[];
  readonly ships: boolean;
  readonly needs: readonly StockNeed[];
  readonly links: readonly DownloadLink[];
  /** When it can no longer be bought (ms): a slot's beginning. */
  readonly until: number | null;
}

/** So many of an offer. */
export interface OfferQuantity {
  readonly offer: Offer;
  readonly quantity: number;
}

/** What choosing options decides about an offer; the rest follows from the product. */
export type ResolvedOptions = Pick<Offer, 'prices' | 'needs'> &
  Partial<Pick<Offer, 'variantId' | 'sku' | 'ships' | 'links' | 'until'>> & {
    /** The type's own options, as they are kept. */
    readonly options: Options;
  };

/** The offer that a choice makes of a product; `custom` is the shopper's own data. */
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

/** What so many units of a product without variants take of stock; nothing where it isn't counted. */
export function stockNeed({ id, policy, stock }: SellableProduct, quantity: number): StockNeed[] {
  if (policy === 'untracked') return [];
  const available = policy === 'deny' ? stock : null;
  return [{ kind: 'item', id, productId: id, variantId: null, quantity, available }];
}

/** The parts together, in each currency that all of them have a price in. */
export function sumOfPrices(parts: readonly { readonly prices: Prices; readonly times: number }[]): Prices {
  const [first] = parts;
  const currencies = Object.keys(first?.prices ?? {}).filter((currency) =>
    parts.every(({ prices }) => prices[currency] !== undefined),
  );
  const sum = (currency: string) =>
    parts.reduce((total, { prices, times }) => total + (prices[currency] ?? 0) * times, 0);
  return Object.fromEntries(currencies.map((currency) => [currency, sum(currency)]));
}
