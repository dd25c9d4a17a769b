import type { StockMove } from '../../inventory/index.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import type { ProductPatch } from '../products/input-schemas.ts';
import type { StoredProduct } from '../products/load-product.ts';
import type { ProductState, VariantState } from '../products/product-state.ts';
import { displayedPrices, pricesDiffer, withSalesAt } from '../sales/displayed-prices.ts';
import type { Sale } from '../tables.ts';

/** Wire names of the fields that `changed` in an event can name, with their values in a state. */
const FIELDS: Readonly<Record<string, (state: ProductState) => unknown>> = {
  sku: (s) => s.sku,
  name: (s) => s.name,
  slug: (s) => s.slug,
  type: (s) => s.type,
  status: (s) => s.status,
  price: (s) => [displayedPrices(s), s.prices],
  sale: (s) => terms(s.sale),
  regular_price: (s) => [s.regularPrice, ownRegularPrices(s)],
  description: (s) => s.description,
  images: (s) => [s.images, s.imageAlts],
  seo: (s) => s.seo,
  barcode: (s) => s.barcode,
  tags: (s) => s.tags,
  vendor: (s) => s.vendor,
  tax_class: (s) => s.taxClass,
  weight: (s) => s.weight,
  attributes: (s) => s.attributes,
  metadata: (s) => s.metadata,
  inventory_policy: (s) => s.policy,
  category_ids: (s) => s.categoryIds,
  variants: (s) => s.variants.map(({ stock: _, sale, ...variant }) => ({ ...variant, sale: terms(sale) })),
  links: (s) => s.details.links,
  grouped: (s) => s.details.grouped,
  bundle_groups: (s) => s.details.bundle_groups,
  booking: (s) => [s.details.timezone, s.slots],
};

/** Returns the regular prices of variants that have one. */
const ownRegularPrices = ({ variants }: ProductState) =>
  variants.flatMap(({ id, regularPrice }) => (regularPrice === null ? [] : [[id, regularPrice]]));

/** Returns a sale without whether it runs. */
const terms = (sale: Sale | null) => sale && { ...sale, running: undefined };

/** Returns the wire names of the fields in which two states differ. Stock is not compared. */
export const changedFields = (before: ProductState, after: ProductState): string[] =>
  Object.entries(FIELDS)
    .filter(([, read]) => canonicalJson(read(before)) !== canonicalJson(read(after)))
    .map(([field]) => field);

/**
 * Returns the wire names of the fields that a write at `at` (ms) changes: those that differ, and `price` when a
 * sale of the product or a variant has begun or ended by then.
 */
export function fieldsChangedAt(before: ProductState, after: ProductState, at: number): string[] {
  const current = withSalesAt(before, at);
  const switched = pricesDiffer(before, current) ? ['price'] : [];
  return [...new Set([...switched, ...changedFields(current, after)])];
}

/** Returns the stock moves that bring the product and its existing variants to their target stock. */
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

/** Returns whether a patch sets the stock of the product or of an existing variant to another value. */
export const changesStock = (before: StoredProduct, after: ProductState, { stock }: ProductPatch): boolean =>
  // If the patch omits `stock`, the product's own stock moves only because its type changes.
  stockMoves(before, after).some(({ itemId }) => itemId !== before.id || stock !== undefined);

/** Returns the variants that `after` no longer has. */
export const removedVariants = (before: StoredProduct | null, after: ProductState): readonly VariantState[] =>
  before?.state.variants.filter(({ id }) => !after.variants.some((variant) => variant.id === id)) ?? [];
