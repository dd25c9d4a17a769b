import { type SQL, sql } from 'drizzle-orm';
import { type NamedResults, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Include, StatusFilter } from '../products/query-schemas.ts';
import { categoriesOf, PRODUCT_COLUMNS, type ProductRow, tenantSellsIn, variantsOf } from './rows.ts';

/** What the rows of a page depend on besides its products. */
export interface PageScope {
  readonly include: readonly Include[];
  readonly currency: string;
  readonly status: StatusFilter;
}

/** Returns the queries for the rows of products, in no order, with those of their includes. */
export function pageQueries(ctx: TenantDatabase, ids: SQL, { include, currency, status }: PageScope) {
  const { db, tenantId } = ctx;
  const idsFor = (one: Include) => (include.includes(one) ? ids : sql`NULL`);
  return {
    sells: rows<{ sells: 0 | 1 }>(db, sql`SELECT ${tenantSellsIn(tenantId, currency)} AS sells`),
    products: rows<ProductRow>(
      db,
      sql`WITH asked(id) AS (${ids}) SELECT ${PRODUCT_COLUMNS} FROM asked CROSS JOIN products p ON p.id = asked.id
        JOIN inventory_items i ON i.id = p.id WHERE p.tenant_id = ${tenantId} AND p.deleted_at IS NULL`,
    ),
    variants: variantsOf(ctx, idsFor('variants')),
    categories: categoriesOf(ctx, { ids: idsFor('categories'), hidden: status !== 'active' }),
  };
}

/** The rows of a page, or of more products. */
export type PageRows = NamedResults<ReturnType<typeof pageQueries>>;
