import type { z } from 'zod';
import { Product, type ProductType } from '../../../catalog/index.ts';
import { amountText, exponent } from '../../../kernel/values/money.ts';
import type { PageRequest } from '../../../web/index.ts';

/** A product with all its fields, as its editor sees it. */
export type Item = z.output<typeof Product>;

/** A variant as the product's list shows it. */
export type Variant = NonNullable<Item['variants']>[number];

/** The path of the list of products, below which the editor's pages are. */
export const root = '/developer/products';

/** The product types, in the order in which they are offered: a name, and what it is for. */
export const TYPES: Readonly<Record<ProductType, readonly [name: string, description: string]>> = {
  simple: ['Simple product', 'One article that is shipped, without options'],
  configurable: ['Product with variants', 'Sizes, colours and the like, each with its own price and stock'],
  virtual: ['Virtual product', 'A voucher, a service or a membership: nothing is shipped'],
  downloadable: ['Download', 'Files that a shopper can download after paying'],
  grouped: ['Group', 'Several products shown together, each bought in any quantity'],
  bundled: ['Bundle', 'A set in which the shopper chooses one or several articles of each part'],
  booking: ['Booking', 'Appointments, courses or rentals with time slots'],
};

/** Returns the API's path of the request's product. */
export const productPath = (request: PageRequest): string =>
  `/v1/products/${encodeURIComponent(request.param('id'))}`;

/** Loads the request's product. */
export const loadProduct = (request: PageRequest) =>
  request.api({ path: `${productPath(request)}?status=all`, answer: Product });

type Priced = Pick<Item, 'price' | 'regular_price' | 'sale'>;

/** Returns whether the price shown is that of a sale: a sale is always below the ordinary price. */
export const isOnSaleNow = ({ price, sale }: Pick<Priced, 'price' | 'sale'>): boolean =>
  sale?.price === price;

/** Returns the price without a running sale: what the API takes as `price`. */
export const ordinaryPrice = (priced: Priced): number =>
  isOnSaleNow(priced) ? (priced.regular_price ?? priced.price) : priced.price;

/**
 * Returns a variant's prices as they were read, by which the API keeps those that are set: an import may have lowered the
 * ordinary price to the sale's, which only the API knows then.
 */
export const pricesAsRead = ({ price, regular_price, on_sale }: Variant) =>
  on_sale ? { price, regular_price, on_sale } : { price };

/** Returns whether products of this type have a price of their own. */
export const hasOwnPrice = (type: ProductType): boolean => type !== 'configurable';
/** Returns whether products of this type have a sale of their own. */
export const hasOwnSale = (type: ProductType): boolean =>
  ['simple', 'virtual', 'downloadable', 'booking'].includes(type);
/** Returns whether products of this type have a stock of their own. */
export const hasOwnStock = (type: ProductType): boolean => ['simple', 'virtual'].includes(type);

/** Returns the stock in words: a number, or that it isn't counted. */
export const stockText = ({ inventory_policy, stock }: Pick<Item, 'inventory_policy' | 'stock'>): string =>
  inventory_policy === 'untracked' ? 'unlimited' : String(stock);

/** A digit of a typed number, as a browser's pattern: forms take full-width ones too. */
const DIGIT = '\\p{Nd}';

/** The HTML attributes of a field for an amount or a percentage. */
export const amount = { inputmode: 'decimal', pattern: `${DIGIT}+([.,．，]${DIGIT}+)?` };

/** The HTML attributes of a field for an amount in a currency: "1.000", a thousand elsewhere, is no amount of euros. */
export function amountIn(currency: string): typeof amount {
  const decimals = exponent(currency);
  return { ...amount, pattern: decimals === 0 ? `${DIGIT}+` : `${DIGIT}+([.,．，]${DIGIT}{1,${decimals}})?` };
}

/** Those of {@link amountIn} with an example, which browsers show when they refuse what was typed. */
export const explainedAmount = (currency: string) => ({
  ...amountIn(currency),
  title: `Such as ${amountText(1200, currency)}`,
});
