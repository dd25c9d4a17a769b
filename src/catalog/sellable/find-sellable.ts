import { knownValues, storeValues } from '../../kernel/cache/versioned-cache.ts';
import { database } from '../../kernel/data/database.ts';
import { newestDatabase, type TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import {
  readSellableViews,
  type SellableView,
  type SellableViews,
  sellableView,
  viewKey,
} from './sellable-view.ts';

/** Products by id, and configurable products by one of their variants. At most 100 ids in total. */
interface SellableSelection {
  readonly productIds: readonly number[];
  readonly variantIds: readonly number[];
  /** Ids that are a variant's or a product's: both come from one sequence. */
  readonly itemIds?: readonly number[];
}

/** The views found, and the product of each variant that was found. */
export interface FoundViews extends SellableViews {
  readonly productOf: ReadonlyMap<number, number>;
}

/** The cache key of the product that a variant belongs to. */
const ownerKey = (variantId: number): string => `/variant-product/${variantId}`;

/**
 * Returns the cart's views of products at `version` or newer. Reads what the cache lacks in one batch. What
 * does not exist is absent.
 */
export async function findSellableViews(
  call: CatalogReader,
  wanted: SellableSelection,
  version: number,
): Promise<FoundViews> {
  const { productIds, variantIds, itemIds = [] } = wanted;
  const [only] = productIds;
  if (variantIds.length + itemIds.length === 0 && productIds.length === 1 && only !== undefined) {
    return findOne(call, only, version);
  }
  const owners = await knownValues<number>(call, [...variantIds, ...itemIds].map(ownerKey), version);
  const unowned = itemIds.filter((id) => !owners.has(ownerKey(id)));
  const ids = [...new Set([...productIds, ...owners.values(), ...unowned])];
  const views = await knownValues<SellableView>(call, ids.map(viewKey), version);
  const missing = {
    productIds: ids.filter((id) => !views.has(viewKey(id))),
    variantIds: [
      ...variantIds.filter((id) => !owners.has(ownerKey(id))),
      ...unowned.filter((id) => !views.has(viewKey(id))),
    ],
  };
  const isComplete = missing.productIds.length + missing.variantIds.length === 0;
  const read = isComplete ? null : await readMissing(call, missing, version);
  const known = ids.flatMap((id) => views.get(viewKey(id)) ?? []);
  const found = [...known, ...(read?.views.values() ?? [])];
  return {
    version: read ? Math.min(read.version, known.length > 0 ? version : read.version) : version,
    views: new Map(found.map((view) => [view.product.id, view])),
    productOf: new Map(found.flatMap(({ product, variants }) => variants.map(({ id }) => [id, product.id]))),
  };
}

/** Shares the read with concurrent requests for the same product. */
async function findOne(call: CatalogReader, productId: number, version: number): Promise<FoundViews> {
  const found = await sellableView(call, productId, version);
  if (!found.ok) return { version, views: new Map(), productOf: new Map() };
  const { value: view } = found.value;
  return {
    version: found.value.version,
    views: new Map([[productId, view]]),
    productOf: new Map(view.variants.map(({ id }) => [id, productId])),
  };
}

/** Reads views from the nearest database, or from the primary if that is behind, and caches them. */
async function readMissing(
  call: CatalogReader,
  missing: SellableSelection,
  version: number,
): Promise<SellableViews> {
  const { env, caller } = call;
  const { tenantId } = caller;
  const readAt = (place: TenantDatabase) => readSellableViews(place, missing);
  const near = await readAt({ tenantId, db: database(env, tenantId, { since: caller.bookmark }) });
  const read = near.version < version ? await readAt(await newestDatabase(env, tenantId)) : near;
  const wanted = new Set(missing.variantIds);
  const entries = new Map<string, unknown>();
  for (const [id, view] of read.views) {
    entries.set(viewKey(id), view);
    for (const variant of view.variants) if (wanted.has(variant.id)) entries.set(ownerKey(variant.id), id);
  }
  storeValues(call, read.version, entries);
  return read;
}
