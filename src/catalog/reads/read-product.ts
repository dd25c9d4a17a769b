import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { fail, ok } from '../../kernel/core/result.ts';
import { namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type ProductView, presentProduct } from '../products/present.ts';
import type { StatusFilter } from '../products/query-schemas.ts';
import type { Product } from '../products/schemas.ts';
import { column, productDetailQueries, tenantSellsIn } from './rows.ts';

/** Parameters of a single product read. */
interface DetailQuery extends ProductView {
  /** The product's id, or a subquery for it. */
  readonly id: number | SQL;
  /** Other values than `active` require `catalog:write`; the caller checks it. */
  readonly status: StatusFilter;
}

/** Reads a product with its variants, categories and slots, and the version, in one batch. */
export async function readProduct(ctx: TenantDatabase, query: DetailQuery): Promise<Filled<Product>> {
  const { db, tenantId } = ctx;
  const read = await namedBatch(db, {
    tenant: rows<{ version: number; sells: 0 | 1 }>(
      db,
      sql`SELECT catalog_version AS version, ${tenantSellsIn(tenantId, query.currency)} AS sells
        FROM tenants WHERE id = ${tenantId}`,
    ),
    ...productDetailQueries(ctx, sql`p.id = ${query.id}`, {
      hidden: query.status !== 'active',
      begunSlots: query.forEditor,
      shown: query,
    }),
  });
  const [tenant] = read.tenant;
  const [product] = read.products;
  const isShown =
    product &&
    tenant?.sells === 1 &&
    (query.status === 'all' || product.status === query.status) &&
    column.prices(product.prices)[query.currency] !== undefined;
  return {
    version: tenant?.version ?? 0,
    answer: isShown ? ok(presentProduct({ ...read, product }, query)) : fail('product_not_found'),
    revision: product?.revision,
  };
}
