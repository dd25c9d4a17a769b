import { shopperCategories } from '../../catalog/index.ts';
import { fold } from '../../kernel/text/fold.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { UcpContext } from '../context.ts';
import type { Message } from '../protocol/messages.ts';
import { type Checked, done, fromFailure } from '../protocol/outcome.ts';
import type { ShownProduct } from './present.ts';
import type { Context, Filters, Variant } from './schemas.ts';

/** The ids of the categories that a filter names. */
interface NamedCategories {
  /** The topmost of them: lists include what is below. */
  readonly top: readonly number[];
  /** They and all below them. */
  readonly all: ReadonlySet<number>;
}

/** Filters as the catalogue understands them, and what the agent must know of them. */
export interface AppliedFilters {
  /** The currency of prices: the one asked for if the shop sells in it, else its main one. */
  readonly currency: string;
  /** Null without a filter by category. */
  readonly categories: NamedCategories | null;
  /** The lowest and the highest price in minor units. */
  readonly price: { readonly min?: number | undefined; readonly max?: number | undefined };
  readonly messages: readonly Message[];
}

/**
 * Resolves the filters of a request. Categories match by the `value` that products show, without case and accents. A
 * price in a currency that the shop doesn't sell in is ignored with a message.
 */
export async function applyFilters(
  ctx: UcpContext,
  {
    context = {},
    filters = {},
  }: { readonly context?: Context | undefined; readonly filters?: Filters | undefined },
): Promise<Checked<AppliedFilters>> {
  const { currency: main, currencies } = ctx.tenant;
  const asked = context.currency?.toUpperCase();
  const currency = asked !== undefined && currencies.includes(asked) ? asked : main;
  const isPriced = asked === undefined || asked === currency;
  const categories = await categoriesNamed(ctx, filters.categories);
  if (!categories.ok) return categories;
  const ignored: Message = {
    type: 'warning',
    code: 'price_filter_ignored',
    path: '$.filters.price',
    content: `The filter by price was ignored: this shop has no prices in ${asked}.`,
  };
  return done({
    currency,
    categories: categories.value,
    price: isPriced ? (filters.price ?? {}) : {},
    messages: filters.price && !isPriced ? [ignored] : [],
  });
}

/** Returns the categories with these names and those below them; null if the request names none. */
async function categoriesNamed(
  ctx: UcpContext,
  names: readonly string[] = [],
): Promise<Checked<NamedCategories | null>> {
  if (names.length === 0) return done(null);
  const tree = await shopperCategories(ctx);
  if (!tree.ok) return fromFailure(tree.failure);
  const wanted = new Set(names.map(fold));
  const top: number[] = [];
  const all = new Set<number>();
  const open = tree.value.map((category) => ({ category, isBelow: false }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { isBelow, category } = next;
    const isWanted = isBelow || wanted.has(fold(category.name));
    if (isWanted) all.add(category.id);
    if (isWanted && !isBelow) top.push(category.id);
    open.push(...category.children.map((child) => ({ category: child, isBelow: isWanted })));
  }
  return done({ top, all });
}

/** Returns the filters as parameters of the catalogue's lists: decimal amounts and ids. */
export const asListQuery = ({ currency, categories, price: { min, max } }: AppliedFilters) => ({
  currency,
  ...(categories && { category_id: [...categories.top] }),
  ...(min !== undefined && { price_min: String(toNumber(min, currency)) }),
  ...(max !== undefined && { price_max: String(toNumber(max, currency)) }),
});

/** Returns whether a variant's price passes the filters. */
export const isWithinPrice = ({ price }: Variant, { price: { min = 0, max } }: AppliedFilters): boolean =>
  price.amount >= min && (max === undefined || price.amount <= max);

/** Returns whether a product is in one of the categories of the filter. */
export const isInCategories = (
  { categories = [] }: Pick<ShownProduct, 'categories'>,
  { categories: wanted }: AppliedFilters,
): boolean => wanted === null || categories.some(({ id }) => wanted.all.has(id));
