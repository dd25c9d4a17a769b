import { type SQL, sql } from 'drizzle-orm';
import type { Filled } from '../../kernel/cache/versioned-cache.ts';
import { pageMeta } from '../../kernel/core/pagination.ts';
import { invalid, ok } from '../../kernel/core/result.ts';
import { jsonList, namedBatch, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { catalogPosition } from '../../tenants/index.ts';
import { type ListQuery, presentWithIncludes, STATUSES } from './list-products.ts';
import { type FittingRow, fittingPage } from './page-rows.ts';
import { categoriesOf, type ProductRow, productColumnsIn, tenantSellsIn, variantsOf } from './rows.ts';

/** Which products: by their ids, by ids of their variants, by SKUs, or those that a grouped or bundled product contains. */
export type Asked =
  | { readonly by: 'ids' | 'variantIds'; readonly values: readonly number[] }
  | { readonly by: 'skus'; readonly values: readonly string[] }
  | { readonly by: 'memberOf'; readonly id: number };

/** At most 100 products, and how they are shown. */
export interface IdsQuery extends Pick<ListQuery, 'include' | 'currency' | 'mainCurrency' | 'status'> {
  readonly asked: Asked;
  /** At least as many as there are values. */
  readonly limit: number;
}

/** The query parameter of each way to ask for products. */
export const PARAMETERS = {
  ids: 'ids',
  variantIds: 'variant_ids',
  skus: 'skus',
  memberOf: 'member_of',
} as const;

/**
 * Reads the products asked for, in the order asked for, and the version in one batch. Leaves out what is not there.
 * Fails with 422 if they are too large together: there is no next page.
 */
export async function listByIds(ctx: TenantDatabase, query: IdsQuery): Promise<Filled> {
  const { db } = ctx;
  const { include, asked } = query;
  const shown = fittingPage(shownProducts(ctx, query), { order: sql`l.place`, include });
  const idsFor = (one: IdsQuery['include'][number]) =>
    include.includes(one) ? sql`SELECT product_id FROM (${shown})` : sql`NULL`;
  const read = await namedBatch(db, {
    position: catalogPosition(ctx),
    products: rows<ProductRow & FittingRow>(
      db,
      sql`SELECT ${productColumnsIn(query)}, l.follows FROM (${shown}) l CROSS JOIN products p ON p.id = l.product_id
        JOIN inventory_items i ON i.id = p.id ORDER BY l.place`,
    ),
    variants: variantsOf(ctx, idsFor('variants')),
    categories: categoriesOf(ctx, { ids: idsFor('categories'), hidden: query.status !== 'active' }),
  });
  const version = read.position[0]?.version ?? 0;
  if (read.products.at(-1)?.follows != null)
    return {
      version,
      answer: invalid(PARAMETERS[asked.by], 'names products that are too large for one response'),
    };
  const data = read.products.map((row) => presentWithIncludes(row, read, query));
  const meta = pageMeta({ page: 1, limit: query.limit }, data.length);
  return { version, answer: ok({ data, meta }) };
}

/** Returns a subquery of `(value, key)`: the ids of the products asked for, and their order. */
function productIds({ tenantId }: TenantDatabase, { asked, limit }: IdsQuery): SQL {
  switch (asked.by) {
    case 'ids':
      return sql`json_each(${JSON.stringify(asked.values)})`;
    case 'variantIds':
      return sql`(SELECT v.product_id AS value, min(wanted.key) AS key
        FROM json_each(${JSON.stringify(asked.values)}) wanted CROSS JOIN variants v ON v.id = wanted.value
        WHERE v.tenant_id = ${tenantId} AND v.deleted = 0 GROUP BY v.product_id)`;
    case 'skus':
      return sql`(SELECT s.product_id AS value, min(wanted.key) AS key
        FROM json_each(${JSON.stringify(asked.values)}) wanted
        CROSS JOIN inventory_items s ON s.tenant_id = ${tenantId} AND s.sku = wanted.value AND s.deleted = 0
        GROUP BY s.product_id)`;
    case 'memberOf':
      return sql`(SELECT m.value, min(m.id) AS key FROM products g, json_tree(g.details) m
        WHERE g.tenant_id = ${tenantId} AND g.id = ${asked.id} AND g.deleted_at IS NULL
          AND m.key = 'product_id' GROUP BY m.value ORDER BY 2 LIMIT ${limit})`;
  }
}

/** Selects the products asked for that the query shows, as `product_id` and `place`. */
function shownProducts(ctx: TenantDatabase, query: IdsQuery): SQL {
  const { tenantId } = ctx;
  const { currency, status } = query;
  return sql`SELECT p.id AS product_id, asked.key AS place
    FROM ${productIds(ctx, query)} asked CROSS JOIN products p ON p.id = asked.value
    WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL AND p.status IN (${jsonList(STATUSES[status])})
      AND ${tenantSellsIn(tenantId, currency)} AND p.prices ->> ${currency} IS NOT NULL`;
}
