import { toMinorUnits } from '../../../client/src/index.ts';
import {
  chooseVariant,
  chosenCount,
  chosenItems,
  chosenLinks,
  type Filled,
  type Part,
  type Product,
} from './choice.ts';

/** The price and availability of the product with the current choices. */
export interface Offer {
  readonly price: number;
  /** The price before a reduction. */
  readonly before: number | null;
  /** The lowest price of the 30 days before the reduction; null when there is none to show. */
  readonly lowest: number | null;
  /** When the sale that has the price ends (ISO), or null. */
  readonly endsAt: string | null;
  readonly stock: string;
  readonly canBuy: boolean;
}

/** The most units for which the page says how many are left. */
const FEW = 5;

/** Adds amounts without the errors of decimal fractions. */
function sum(amounts: readonly number[], currency: string): number {
  const unit = toMinorUnits(1, currency);
  return amounts.reduce((total, amount) => total + toMinorUnits(amount, currency), 0) / unit;
}

/** Returns one of a product's own prices with the files that are chosen. */
function withFiles(price: number, product: Product, filled: Filled): number {
  const { links = [], currency } = product;
  const chosen = chosenLinks(product, filled);
  const files = links.filter(({ id }) => chosen.includes(id)).map((link) => link.price ?? 0);
  return sum([price, ...files], currency);
}

/** Returns the price of a product with its files, or of its parts that can be bought. */
function priceOf(product: Product, parts: ReadonlyMap<number, Part>, filled: Filled): number {
  const { grouped = [], bundle_groups: bundle = [], currency } = product;
  const partPrice = (id: number) => {
    const part = parts.get(id);
    return part?.in_stock ? part.price : 0;
  };
  if (grouped.length > 0) {
    return sum(
      grouped.map((one) => partPrice(one.product_id) * chosenCount(one, filled)),
      currency,
    );
  }
  if (bundle.length > 0) {
    const prices = bundle.flatMap((group) => {
      const chosen = chosenItems(group, filled, parts);
      return group.items
        .filter(({ id }) => chosen.includes(id))
        .map(({ product_id, quantity }) => partPrice(product_id) * quantity);
    });
    return sum(prices, currency);
  }
  return withFiles(product.price, product, filled);
}

const stockWords = (inStock: boolean, stock: number, policy: Product['inventory_policy']): string => {
  if (!inStock) return 'Sold out';
  if (policy === 'untracked') return 'Available';
  if (stock <= 0) return 'Available to order';
  return stock <= FEW ? `Only ${stock} left` : 'In stock';
};

function variantOffer(product: Product, filled: Filled): Offer {
  const { variant } = chooseVariant(product, filled);
  if (!variant) {
    const { price } = product;
    const none = { before: null, lowest: null, endsAt: null };
    return { price, ...none, stock: 'Not available in this combination', canBuy: false };
  }
  return {
    price: variant.price,
    before: variant.on_sale ? variant.regular_price : null,
    lowest: variant.lowest_price_30d ?? null,
    endsAt: variant.sale_ends_at,
    stock: stockWords(variant.in_stock, variant.stock, product.inventory_policy),
    canBuy: variant.in_stock,
  };
}

/** Returns the offer of a product with the choices of its form. */
export function offerOf(product: Product, parts: ReadonlyMap<number, Part>, filled: Filled): Offer {
  if (product.variants?.length) return variantOffer(product, filled);
  const isSet = product.type === 'grouped' || product.type === 'bundled';
  const isCounted = product.type === 'simple' || product.type === 'virtual';
  const stock = stockWords(
    product.in_stock,
    product.stock,
    isCounted ? product.inventory_policy : 'untracked',
  );
  const comparable = (price: number | null) => (price === null ? null : withFiles(price, product, filled));
  return {
    price: priceOf(product, parts, filled),
    before: comparable(product.on_sale && !isSet ? product.regular_price : null),
    lowest: comparable(product.lowest_price_30d ?? null),
    endsAt: product.sale_ends_at,
    stock,
    canBuy: product.in_stock,
  };
}
