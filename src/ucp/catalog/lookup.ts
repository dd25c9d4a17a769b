import { findSellableViews, shopperProducts } from '../../catalog/index.ts';
import type { UcpContext } from '../context.ts';
import type { Message } from '../protocol/messages.ts';
import { operation } from '../protocol/operation.ts';
import { type Checked, done, fromFailure, refused } from '../protocol/outcome.ts';
import { learnProducts } from '../response-memory.ts';
import { type AppliedFilters, applyFilters, isInCategories, isWithinPrice } from './filters.ts';
import { readItemId } from './item-id.ts';
import { inList, presentProduct, presentVariants, type ShownProduct } from './present.ts';
import { LookupRequest, LookupResponse, MAX_LOOKUPS, type Variant } from './schemas.ts';

/** Returns products by ids of products and variants. Unknown ones are named in a message. */
export const lookupCatalog = operation(
  {
    name: 'lookup_catalog',
    capability: 'dev.ucp.shopping.catalog.lookup',
    method: 'post',
    path: '/catalog/lookup',
    summary: 'Look up products by the ids of products or variants',
    argument: 'catalog',
    input: LookupRequest,
    identity: 'optional',
    key: 'none',
    output: LookupResponse,
  },
  async (ctx, { input }) => {
    const ids = [...new Set(input.ids)];
    if (ids.length > MAX_LOOKUPS) {
      return refused(400, 'request_too_large', `A look-up takes at most ${MAX_LOOKUPS} ids.`);
    }
    const filters = await applyFilters(ctx, input);
    if (!filters.ok) return filters;
    const resolved = await resolveProductIds(ctx, ids);
    const found = await productsOf(ctx, resolved, filters.value);
    if (!found.ok) return found;
    const products = found.value.flatMap((product) =>
      presentFound(ctx, { product, resolved, filters: filters.value }),
    );
    const answered = new Set(
      products.flatMap(({ variants }) => variants.flatMap(({ inputs }) => inputs.map(({ id }) => id))),
    );
    const missing = ids.filter((id) => !answered.has(id));
    const messages = [...filters.value.messages, ...missing.map(notFound)];
    return done({
      products,
      ...(messages.length > 0 && { messages }),
    });
  },
);

const notFound = (id: string): Message => ({ type: 'info', code: 'not_found', content: id });

/** Returns the product that each id leads to; ids that can't be ours, and unknown variants, are absent. */
export async function resolveProductIds(
  ctx: UcpContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const names = ids.flatMap((text) => {
    const name = readItemId(text);
    return name ? [{ text, ...name }] : [];
  });
  const variantIds = names.filter(({ kind }) => kind === 'variant').map(({ id }) => id);
  const owners =
    variantIds.length > 0
      ? (await findSellableViews(ctx, { productIds: [], variantIds }, ctx.caller.catalogVersion)).productOf
      : new Map<number, number>();
  // The variant of a product without variants has the product's own number.
  return new Map(
    names.map(({ text, kind, id }) => [text, (kind === 'variant' ? owners.get(id) : undefined) ?? id]),
  );
}

/** Returns the products that the ids lead to, each once, that pass the filter by category. */
async function productsOf(
  ctx: UcpContext,
  resolved: ReadonlyMap<string, number>,
  filters: AppliedFilters,
): Promise<Checked<readonly ShownProduct[]>> {
  const productIds = [...new Set(resolved.values())];
  if (productIds.length === 0) return done([]);
  const read = await shopperProducts(ctx, productIds, filters.currency);
  if (!read.ok) return fromFailure(read.failure);
  learnProducts({ tenantId: ctx.tenantId, operation: 'lookup_catalog' }, read.value.data);
  return done(read.value.data.filter((product) => isInCategories(product, filters)));
}

/** A product that was found, the ids that lead to products, and the filters. */
interface FoundProduct {
  readonly product: ShownProduct;
  readonly resolved: ReadonlyMap<string, number>;
  readonly filters: AppliedFilters;
}

/** Returns the product with the variants that the ids name; the featured one stands for the product's own id. */
function presentFound(ctx: UcpContext, { product, resolved, filters }: FoundProduct) {
  const asked = [...resolved].filter(([, productId]) => productId === product.id).map(([id]) => id);
  const all = presentVariants(ctx.tenant, product).filter((variant) => isWithinPrice(variant, filters));
  const [featured] = all;
  const matchOf = (input: string, { id }: Variant): 'exact' | 'featured' | null => {
    if (input === id) return 'exact';
    return readItemId(input)?.kind === 'product' && id === featured?.id ? 'featured' : null;
  };
  const inputsOf = (variant: Variant) =>
    asked.flatMap((id) => {
      const match = matchOf(id, variant);
      return match ? [{ id, match }] : [];
    });
  const variants = all
    .map((variant) => ({ ...variant, inputs: inputsOf(variant) }))
    .filter(({ inputs }) => inputs.length > 0);
  return variants.length > 0 ? [inList({ ...presentProduct(ctx.tenant, product, variants), variants })] : [];
}
