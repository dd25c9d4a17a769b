import {
  type FoundViews,
  findSellableViews,
  type SellableProduct,
  type SellableView,
} from '../../catalog/index.ts';
import { requestedVersion } from '../../kernel/cache/versioned-cache.ts';
import { now } from '../../kernel/core/clock.ts';
import { ownEntry } from '../../kernel/core/records.ts';
import { fail, invalid, ok, type Result } from '../../kernel/core/result.ts';
import type { Call, CatalogReader } from '../../kernel/http/context.ts';
import type { CartAddition } from '../object/messages.ts';
import type { Options } from '../options/offer.ts';
import { resolveOffers } from '../options/resolve.ts';
import { pricingContextAt } from './cart-client.ts';

/** A product that a request adds: named by its id, by a variant's, or by both. */
interface RequestedAddition {
  readonly product_id?: number | undefined;
  readonly variant_id?: number | undefined;
  /** In place of both: a variant, or a product without variants. Their ids are of one sequence. */
  readonly item_id?: number | undefined;
  readonly quantity: number;
  readonly options?: Options | undefined;
}

/**
 * Resolves each requested product and its options to offers, with the catalogue version they were read at.
 * Reads what the cache lacks in one batch.
 */
export async function resolveAdditions(
  call: Call,
  requested: readonly RequestedAddition[],
): Promise<Result<CartAddition>[]> {
  const resolved = await resolveProducts(call, requested, requestedVersion(call));
  return resolved.map(({ addition }) => addition);
}

/** A requested product as the catalogue has it; null if it has none. */
export interface ResolvedAddition {
  readonly product: SellableProduct | null;
  readonly addition: Result<CartAddition>;
}

/** Resolves products as {@link resolveAdditions} does, at this catalogue version or a newer one. */
export async function resolveProducts(
  call: CatalogReader,
  requested: readonly RequestedAddition[],
  asked: number,
): Promise<ResolvedAddition[]> {
  if (requested.length === 0) return [];
  const { version } = await pricingContextAt(call, asked);
  const productIds = new Set(requested.flatMap(({ product_id }) => product_id ?? []));
  const variantIds = new Set(
    requested.flatMap(({ product_id, variant_id = [] }) => (product_id === undefined ? variant_id : [])),
  );
  const itemIds = [...new Set(requested.flatMap(({ item_id }) => item_id ?? []))];
  const selection = { productIds: [...productIds], variantIds: [...variantIds], itemIds };
  const found = await findSellableViews(call, selection, version);
  return requested.map((one) => {
    const named = namedBy(found, one);
    const view = viewOf(found, named);
    return { product: view.ok ? view.value.product : null, addition: additionOf(found, view, named) };
  });
}

/** Returns the addition with the kind of its `item_id` decided. */
function namedBy(
  { productOf }: FoundViews,
  { item_id: itemId, ...one }: RequestedAddition,
): RequestedAddition {
  if (itemId === undefined) return one;
  return productOf.has(itemId) ? { ...one, variant_id: itemId } : { ...one, product_id: itemId };
}

function additionOf(
  found: FoundViews,
  view: Result<SellableView>,
  requested: RequestedAddition,
): Result<CartAddition> {
  const { quantity, options = {} } = requested;
  if (!view.ok) return view;
  const variant = withVariant(view.value, requested.variant_id, options);
  if (!variant.ok) return variant;
  const wanted = resolveOffers(view.value, { options: variant.value, quantity, at: now() });
  return wanted.ok ? ok({ version: found.version, wanted: wanted.value }) : wanted;
}

const UNKNOWN_VARIANT = invalid(
  'variant_id',
  'must be a variant on sale; a product without variants takes product_id',
);

function viewOf(
  { views, productOf }: FoundViews,
  { product_id, variant_id = 0 }: RequestedAddition,
): Result<SellableView> {
  const view = views.get(product_id ?? productOf.get(variant_id) ?? 0);
  if (product_id !== undefined) return view ? ok(view) : fail('product_not_found');
  return view?.product.status === 'active' ? ok(view) : UNKNOWN_VARIANT;
}

/** Returns the options with the variant in them; fails if it is another product's or contradicts them. */
function withVariant(
  { variants }: SellableView,
  variantId: number | undefined,
  options: Options,
): Result<Options> {
  if (variantId === undefined) return ok(options);
  const chosen = ownEntry(options, 'variant_id');
  if (chosen !== undefined && chosen !== variantId) {
    return invalid('variant_id', 'must be the same as options.variant_id');
  }
  if (!variants.some(({ id }) => id === variantId)) {
    return invalid('variant_id', 'must be a variant of this product');
  }
  return ok({ ...options, variant_id: variantId });
}
