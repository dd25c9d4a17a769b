/** What lists of a catalogue have to show, computed without a database. */
import { fold } from '../../../src/kernel/text/fold.ts';

type Amounts = Readonly<Record<string, number>>;

/** A temporary price; instants in ms. */
export interface ModelSale {
  readonly prices: Amounts;
  readonly from: number;
  readonly to: number;
}

/** Something of a product that can be chosen: a variant, or the product itself. Amounts in minor units. */
export interface ModelItem {
  readonly ordinary: Amounts;
  readonly sale: ModelSale | null;
  readonly attributes: Readonly<Record<string, string>>;
  /** Whether it can be bought; of a group or bundle, the currencies in which there are enough members with a price. */
  readonly inStock: boolean | readonly string[];
  /** Whether its price in EUR is below its regular price. */
  readonly isBelowRegular: boolean;
}

/** An item as it is sold at an instant. */
interface Item extends ModelItem {
  readonly prices: Amounts;
}

/** A product of the model. */
export interface ModelProduct {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly status: 'active' | 'inactive';
  readonly vendor: string | null;
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
  readonly policy: string;
  /** The quantity sold in the last 30 days. */
  readonly sold: number;
  /** Its categories and all above them. */
  readonly categories: readonly number[];
  readonly all: readonly ModelItem[];
  readonly items: readonly Item[];
}

/** Returns the products as they are sold at an instant (ms). */
export const productsAt = (
  products: readonly Omit<ModelProduct, 'items'>[],
  at: number,
): readonly ModelProduct[] =>
  products.map((product) => ({
    ...product,
    items: product.all.map((item) => {
      const { sale } = item;
      const isOn = sale !== null && sale.from <= at && at < sale.to;
      return { ...item, prices: isOn ? { ...item.ordinary, ...sale.prices } : item.ordinary };
    }),
  }));

/** A question: the filters, and what else a list takes. */
export interface ModelQuestion {
  readonly currency: string;
  readonly status: 'active' | 'inactive' | 'all';
  readonly sort: string;
  readonly priceMin?: number;
  readonly priceMax?: number;
  readonly inStock?: boolean;
  readonly onSale?: boolean;
  readonly categories?: readonly number[];
  /** Alternatives by name: `type`, `vendor`, `tag`, `attr.<name>`. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const priceIn = (product: ModelProduct, currency: string): number | undefined => {
  const prices = product.items.flatMap((item) => item.prices[currency] ?? []);
  return prices.length > 0 ? Math.min(...prices) : undefined;
};

/** Returns the spelled values of a product under a name, those of the whole product first. */
function spelled(product: ModelProduct, name: string, items: readonly Item[]): string[] {
  if (name === 'type') return [product.type];
  if (name === 'vendor') return product.vendor === null ? [] : [product.vendor];
  if (name === 'tag') return [...product.tags];
  const own = (attributes: ModelProduct['attributes']) =>
    Object.entries(attributes).flatMap(([key, value]) => (`attr.${fold(key)}` === name ? value : []));
  return [...own(product.attributes), ...items.flatMap((item) => own(item.attributes))];
}

const meets = (values: readonly string[], alternatives: readonly string[]): boolean =>
  values.some((value) => alternatives.some((other) => fold(other) === fold(value)));

/** Returns whether an item can be bought in a currency in which it has a price. */
const isInStock = ({ inStock }: ModelItem, currency: string): boolean =>
  typeof inStock === 'boolean' ? inStock : inStock.includes(currency);

/** Returns whether an item costs less in a currency than without its sale, or than its regular price. */
const isReduced = ({ prices, ordinary, isBelowRegular }: Item, currency: string): boolean =>
  (prices[currency] ?? 0) < (ordinary[currency] ?? 0) || (isBelowRegular && currency === 'EUR');

/** Returns what a list has to show of a product's prices and stock. */
export function expectedCard(product: ModelProduct, currency: string) {
  const sold = product.items.filter((item) => item.prices[currency] !== undefined);
  const prices = sold.map((item) => (item.prices[currency] ?? 0) / 100);
  return {
    price: Math.min(...prices),
    price_range: { min: Math.min(...prices), max: Math.max(...prices) },
    on_sale: sold.some((item) => isReduced(item, currency)),
    in_stock: sold.some((item) => isInStock(item, currency)),
  };
}

/** Returns the items of a product that meet all filters; none if the product does not match. */
function matchingItems(product: ModelProduct, question: ModelQuestion): readonly Item[] {
  const { currency, values, priceMin = 0, priceMax = Number.POSITIVE_INFINITY } = question;
  if (question.status !== 'all' && product.status !== question.status) return [];
  if (question.categories && !question.categories.some((id) => product.categories.includes(id))) return [];
  return product.items.filter((item) => {
    const price = item.prices[currency];
    if (price === undefined || price < priceMin || price > priceMax) return false;
    if (question.inStock && !isInStock(item, currency)) return false;
    if (question.onSale && !isReduced(item, currency)) return false;
    return Object.entries(values).every(([name, wanted]) => meets(spelled(product, name, [item]), wanted));
  });
}

/** Returns the ids of all products that match, in order. */
export function expectedIds(products: readonly ModelProduct[], question: ModelQuestion): number[] {
  const { sort, currency } = question;
  const found = products.filter((product) => matchingItems(product, question).length > 0);
  const key = (product: ModelProduct): (number | string)[] => {
    if (sort.startsWith('price')) return [priceIn(product, currency) ?? 0, product.id];
    if (sort === 'best_selling') return [product.sold, product.id];
    return sort.startsWith('name') ? [fold(product.name), product.id] : [product.id];
  };
  const direction = ['newest', 'best_selling'].includes(sort) || sort.endsWith('desc') ? -1 : 1;
  return found
    .map((product) => ({ id: product.id, key: key(product) }))
    .sort((a, b) => direction * compare(a.key, b.key))
    .map(({ id }) => id);
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [n, one] of a.entries()) {
    const other = b[n] ?? 0;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** Returns the question without the filter of a facet. */
function without(question: ModelQuestion, name: string): ModelQuestion {
  const { values, priceMin, priceMax, inStock, categories, ...rest } = question;
  return {
    ...rest,
    values: Object.fromEntries(Object.entries(values).filter(([other]) => other !== name)),
    ...(name === 'price' ? {} : { ...(priceMin === undefined ? {} : { priceMin }) }),
    ...(name === 'price' || priceMax === undefined ? {} : { priceMax }),
    ...(name === 'in_stock' || inStock === undefined ? {} : { inStock }),
    ...(name === 'category' || categories === undefined ? {} : { categories }),
  };
}

/** Returns the values under which a facet counts a product with these matching items. */
function valuesOf(
  { name, currency }: { readonly name: string; readonly currency: string },
  product: ModelProduct,
  items: readonly Item[],
): string[] {
  if (name === 'in_stock') return [String(items.some((item) => isInStock(item, currency)))];
  return name === 'category' ? product.categories.map(String) : spelled(product, name, items).map(fold);
}

/** Returns what a facet has to show. */
export function expectedFacet(
  products: readonly ModelProduct[],
  question: ModelQuestion,
  { name, categoryNames }: { readonly name: string; readonly categoryNames: ReadonlyMap<number, string> },
) {
  const others = without(question, name);
  const found = products.flatMap((product) => {
    const items = matchingItems(product, others);
    return items.length > 0 ? [{ product, items }] : [];
  });
  if (name === 'price') {
    const prices = found.flatMap(({ items }) =>
      items.flatMap((item) => item.prices[question.currency] ?? []),
    );
    return prices.length > 0
      ? { min: Math.min(...prices) / 100, max: Math.max(...prices) / 100 }
      : { min: null, max: null };
  }
  const counts = new Map<string, number>();
  for (const { product, items } of found) {
    for (const value of new Set(valuesOf({ name, currency: question.currency }, product, items)))
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const label = (value: string): string => {
    if (name === 'in_stock') return value === 'true' ? 'In stock' : 'Out of stock';
    if (name === 'category') return categoryNames.get(Number(value)) ?? '';
    return spelling(products, { name, value, status: question.status });
  };
  return [...counts]
    .map(([value, count]) => ({ label: label(value), count, value }))
    .sort((a, b) => b.count - a.count || compare([fold(a.label)], [fold(b.label)]))
    .map(({ value, label: text, count }) => ({
      value: name === 'in_stock' || name === 'category' ? value : text.replaceAll(',', '\\,'),
      label: text,
      count,
    }));
}

/** Returns a value as the oldest product spells it: an active one, if inactive ones are listed too. */
function spelling(
  products: readonly ModelProduct[],
  { name, value, status }: { readonly name: string; readonly value: string; readonly status: string },
): string {
  const sides = status === 'all' ? ['active', 'inactive'] : [status];
  for (const side of sides) {
    const oldest = [...products].sort((a, b) => a.id - b.id).filter((product) => product.status === side);
    for (const product of oldest) {
      const found = spelled(product, name, product.items).find((one) => fold(one) === value);
      if (found !== undefined) return found;
    }
  }
  return '';
}
