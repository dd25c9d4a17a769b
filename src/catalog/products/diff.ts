import type { StockMove } from '../../inventory/index.ts';
import { canonicalJson } from '../../kernel/core/canonical-json.ts';
import type { StoredProduct } from './load-product.ts';
import type { ProductState, VariantState } from './product-state.ts';
import type { ProductPatch } from './schemas.ts';

/** Wire names of fields, with what they say in a state: what `changed` in an event is told from. */
const FIELDS: Readonly<Record<string, (state: ProductState) => unknown>> = {
  sku: (s) => s.sku,
  name: (s) => s.name,
  slug: (s) => s.slug,
  type: (s) => s.type,
  status: (s) => s.status,
  price: (s) => s.prices,
  regular_price: (s) => s.regularPrice,
  description: (s) => s.description,
  images: (s) => s.images,
  seo: (s) => s.seo,
  barcode: (s) => s.barcode,
  tags: (s) => s.tags,
  vendor: (s) => s.vendor,
  tax_class: (s) => s.taxClass,
  inventory_policy: (s) => s.policy,
  category_ids: (s) => s.categoryIds,
  variants: (s) => s.variants.map(({ stock: _, ...variant }) => variant),
  links: (s) => s.details.links,
  grouped: (s) => s.details.grouped,
  bundle_groups: (s) => s.details.bundle_groups,
  booking: (s) => [s.details.timezone, s.slots],
};

/** The fields, stock apart, in which two states differ. */
export const changedFields = (before: ProductState, after: ProductState): string[] =>
  Object.entries(FIELDS)
    .filter(([, read]) => canonicalJson(read(before)) !== canonicalJson(read(after)))
    .map(([field]) => field);

/** What of stock has to move so that what exists already has the stock it shall have. */
export function stockMoves(before: StoredProduct, after: ProductState): StockMove[] {
  const moves: StockMove[] = [];
  if (after.stock !== null && after.stock !== before.state.stock) {
    moves.push({ itemId: before.id, stock: after.stock });
  }
  const old = new Map(before.state.variants.map((variant) => [variant.id, variant]));
  for (const { id, stock } of after.variants) {
    if (id !== null && stock !== null && stock !== old.get(id)?.stock) moves.push({ itemId: id, stock });
  }
  return moves;
}

/** Whether a patch that makes `after` of a product gives it, or a variant that it has, another stock. */
export const changesStock = (before: StoredProduct, after: ProductState, { stock }: ProductPatch): boolean =>
  // Without a word on it, the product's own moves only where its type changes.
  stockMoves(before, after).some(({ itemId }) => itemId !== before.id || stock !== undefined);

/** The variants that `after` has no more. */
export const removedVariants = (before: StoredProduct | null, after: ProductState): readonly VariantState[] =>
  before?.state.variants.filter(({ id }) => !after.variants.some((variant) => variant.id === id)) ?? [];
