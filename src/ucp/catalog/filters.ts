import { shopperCategories } from '../../catalog/index.ts';
import { fold } from '../../kernel/text/fold.ts';
import { toNumber } from '../../kernel/values/money.ts';
import type { UcpContext } from '../context.ts';
import type { Message } from '../protocol/messages.ts';
import { type Checked, done, fromFailure } from '../protocol/outcome.ts';
import type { ShownProduct } from './present.ts';
import type { Context, Filters, Variant } from './schemas.ts';

/** Filters as the catalogue understands them, and what the agent must know of them. */
export interface AppliedFilters {
  /** The currency of prices: the one asked for if the shop sells in it, else its main one. */
  readonly currency: string;
  /** The ids of the categories; null without a filter by category. */
  readonly categoryIds: readonly number[] | null;
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
  const categoryIds = await categoriesNamed(ctx, filters.categories);
  if (!categoryIds.ok) return categoryIds;
  const ignored: Message = {
    type: 'warning',
    code: 'price_filter_ignored',
    path: '$.filters.price',
    content: `The filter by price was ignored: this shop has no prices in ${asked}.`,
  };
  return done({
    currency,
    categoryIds: categoryIds.value,
    price: isPriced ? (filters.price ?? {}) : {},
    messages: filters.price && !isPriced ? [ignored] : [],
  });
}

/** Returns the ids of the categories with these names and of those below them; null if the request names none. */
async function categoriesNamed(
  ctx: UcpContext,
  names: readonly string[] = [],
): Promise<Checked<readonly number[] | null>> {
  if (names.length === 0) return done(null);
  const tree = await shopperCategories(ctx);
  if (!tree.ok) return fromFailure(tree.failure);
  const wanted = new Set(names.map(fold));
  const found: number[] = [];
  const open = tree.value.map((category) => ({ category, isWanted: false }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { id, name, children } = next.category;
    const isWanted = next.isWanted || wanted.has(fold(name));
    if (isWanted) found.push(id);
    open.push(...children.map((category) => ({ category, isWanted })));
  }
  return done(found);
}

/** Returns the filters as parameters of the catalogue's lists: decimal amounts and ids. */
export const asListQuery = ({ currency, categoryIds, price: { min, max } }: AppliedFilters) => ({
  currency,
  ...(categoryIds && { category_id: [...categoryIds] }),
  ...(min !== undefined && { price_min: String(toNumber(min, currency)) }),
  ...(max !== undefined && { price_max: String(toNumber(max, currency)) }),
});

/** Returns whether a variant's price passes the filters. */
export const isWithinPrice = ({ price }: Variant, { price: { min = 0, max } }: AppliedFilters): boolean =>
  price.amount >= min && (max === undefined || price.amount <= max);

/** Returns whether a product is in one of the categories of the filter. */
export const isInCategories = (
  { categories = [] }: Pick<ShownProduct, 'categories'>,
  { categoryIds }: AppliedFilters,
): boolean => categoryIds === null || categories.some(({ id }) => categoryIds.includes(id));
