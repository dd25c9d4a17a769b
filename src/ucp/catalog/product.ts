import { shopperProduct } from '../../catalog/index.ts';
import type { UcpContext } from '../context.ts';
import { operation } from '../protocol/operation.ts';
import { done, fromFailure, type Rejected, rejected } from '../protocol/outcome.ts';
import { type AppliedFilters, applyFilters, isInCategories, isWithinPrice } from './filters.ts';
import { readItemId } from './item-id.ts';
import { resolveProductIds } from './lookup.ts';
import { presentProduct, presentVariants, type ShownProduct } from './present.ts';
import { ProductRequest, ProductResponse, type SelectedOption, type Variant } from './schemas.ts';
import { effectiveSelection, selectedVariants, withAvailability } from './selection.ts';

/** Returns all of one product: the variants that match a selection, and what each other choice would mean. */
export const getProduct = operation(
  {
    name: 'get_product',
    capability: 'dev.ucp.shopping.catalog.lookup',
    method: 'post',
    path: '/catalog/product',
    summary: 'Get one product with the variants that match a selection',
    argument: 'catalog',
    input: ProductRequest,
    identity: 'optional',
    key: 'none',
    output: ProductResponse,
  },
  async (ctx, { input }) => {
    const filters = await applyFilters(ctx, input);
    if (!filters.ok) return filters;
    const productId = (await resolveProductIds(ctx, [input.id])).get(input.id);
    if (productId === undefined) return notFound(input.id);
    const read = await shopperProduct(ctx, productId, filters.value.currency);
    if (!read.ok) {
      return read.failure.code === 'product_not_found' ? notFound(input.id) : fromFailure(read.failure);
    }
    const shown = isInCategories(read.value, filters.value)
      ? detailOf(ctx, read.value, { input, filters: filters.value })
      : null;
    if (!shown) return notFound(input.id);
    const { messages } = filters.value;
    return done({ product: shown, ...(messages.length > 0 && { messages: [...messages] }) });
  },
);

const notFound = (id: string): Rejected => rejected('not_found', `Product not found: ${id}`);

/** What was asked for of a product. */
interface DetailRequest {
  readonly input: ProductRequest;
  readonly filters: AppliedFilters;
}

/** Returns the product, or null if it has no such variant, or none within the filter by price. */
function detailOf(ctx: UcpContext, product: ShownProduct, { input, filters }: DetailRequest) {
  const all = presentVariants(ctx.tenant, product);
  const named = readItemId(input.id)?.kind === 'variant' ? all.find(({ id }) => id === input.id) : undefined;
  if (readItemId(input.id)?.kind === 'variant' && !named) return null;
  const { selected = [], preferences = [] } = input;
  const effective = selectionFor(all, { named, selected, preferences });
  const matching = named ? [named] : selectedVariants(all, effective);
  const variants = matching.filter((variant) => isWithinPrice(variant, filters));
  if (variants.length === 0) return null;
  const { options, ...base } = presentProduct(ctx.tenant, product, variants);
  return options
    ? { ...base, selected: [...effective], options: withAvailability(options, all, effective) }
    : base;
}

/** A variant that was named by its id, or else what was selected. */
interface Choice {
  readonly named: Variant | undefined;
  readonly selected: readonly SelectedOption[];
  readonly preferences: readonly string[];
}

/**
 * Returns the selection that counts: that of the named variant, else what was selected as far as a variant has it, else
 * the featured variant's.
 */
function selectionFor(all: readonly Variant[], { named, ...requested }: Choice): readonly SelectedOption[] {
  if (named) return named.options ?? [];
  return requested.selected.length > 0 ? effectiveSelection(all, requested) : (all[0]?.options ?? []);
}
