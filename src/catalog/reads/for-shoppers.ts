/** Reads of the catalogue for other modules, as a caller with `catalog:read` sees it, through the catalogue cache. */

import { cachedValue, type Filled } from '../../kernel/cache/versioned-cache.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { CatalogReader } from '../../kernel/http/context.ts';
import type { Category } from '../categories/schemas.ts';
import type { ProductListQuery } from '../products/query-schemas.ts';
import type { Product, ProductList } from '../products/schemas.ts';
import { listByIds } from './list-by-ids.ts';
import { listFiltered } from './list-filtered.ts';
import { listQueryOf } from './list-products.ts';
import { readCategories } from './read-categories.ts';
import { readProduct } from './read-product.ts';

/** Returns a value through the cache at the caller's catalogue version. */
async function read<T>(
  reader: CatalogReader,
  key: string,
  fill: (from: TenantDatabase) => Promise<Filled<T>>,
): Promise<Result<T>> {
  const found = await cachedValue<T>(reader, { key, fill }, reader.caller.catalogVersion);
  return found.ok ? ok(found.value.value) : found;
}

/** Returns an active product, from the same cache entry as `GET /v1/products/{id}`; `product_not_found`. */
export function shopperProduct(
  reader: CatalogReader,
  id: number,
  currency: string,
): Promise<Result<Product>> {
  const view = { currency, mainCurrency: reader.caller.currency, forEditor: false };
  return read(reader, `/products/${id}?${currency}&active&false`, (from) =>
    readProduct(from, { id, status: 'active', ...view }),
  );
}

/** Returns the active ones of at most 100 products with variants and categories, in the order of the ids. */
export function shopperProducts(
  reader: CatalogReader,
  ids: readonly number[],
  currency: string,
): Promise<Result<ProductList>> {
  const wanted = {
    asked: { by: 'ids' as const, values: ids },
    page: 1,
    limit: ids.length,
    after: null,
    include: ['variants', 'categories'] as const,
    currency,
    mainCurrency: reader.caller.currency,
    status: 'active' as const,
  };
  return read(reader, `/products?${JSON.stringify(wanted)}`, (from) => listByIds(from, wanted));
}

/** Returns a page of active products by filters, sorted as the query says: by the tenant's index where that can serve it. */
export function browseProducts(reader: CatalogReader, query: ProductListQuery): Promise<Result<ProductList>> {
  const { env, caller } = reader;
  const wanted = listQueryOf(query, { mainCurrency: caller.currency });
  return read(reader, `/products?${JSON.stringify(wanted)}`, (from) =>
    listFiltered({ ...from, env }, wanted, caller.catalogVersion),
  );
}

/** Returns the tree of the categories that are not hidden, from the same cache entry as `GET /v1/categories`. */
export async function shopperCategories(reader: CatalogReader): Promise<Result<readonly Category[]>> {
  const tree = await read(reader, '/categories?', (from) =>
    readCategories(from, { hidden: false, metadata: false }),
  );
  return tree.ok ? ok(tree.value.data) : tree;
}
