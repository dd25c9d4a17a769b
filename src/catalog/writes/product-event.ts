import { type SQL, sql } from 'drizzle-orm';
import { outboxRow, outboxRows } from '../../events/index.ts';
import type { WriteCause } from '../../inventory/index.ts';
import { iso } from '../../kernel/core/clock.ts';
import { jsonLists, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { clockTick } from '../../tenants/index.ts';
import type { ProductUpdated } from '../products/schemas.ts';
import { saleEnds } from '../sales/displayed-prices.ts';
import { presentDisplayedPrice } from '../sales/present-sale.ts';
import { priceColumns } from '../sales/price-columns.ts';
import { IN_STOCK } from '../sellable/in-stock.ts';
import type { ProductWrite } from './product-rows.ts';

/** Returns the data of a `product.updated` event, in the main currency; {@link completed} adds the rest. */
function eventData(write: ProductWrite): ProductUpdated {
  const { id, before, after, createdAt, changed, currency } = write;
  const [own] = priceColumns(write);
  return {
    id,
    sku: after.sku,
    name: after.name,
    slug: after.slug,
    description: after.description,
    type: after.type,
    ...presentDisplayedPrice(
      {
        prices: own.prices,
        regularPrice: after.regularPrice,
        from: own.reducedFrom ?? {},
        lowest: null,
        highest: own.variantSummary?.highest,
        ends:
          own.variantSummary?.saleEnds ??
          saleEnds({ prices: own.prices, ordinary: own.ordinaryPrices, sale: own.sale }),
      },
      { currency, mainCurrency: currency },
    ),
    currency,
    stock: 0,
    in_stock: false,
    options: [...(own.variantSummary?.optionsIn[currency] ?? own.variantSummary?.options ?? [])],
    image: after.images[0] ?? null,
    images: [...after.images],
    status: after.status,
    created_at: iso(createdAt),
    category_ids: [...new Set([...(before?.state.categoryIds ?? []), ...after.categoryIds])],
    changed: [...changed],
    ...(before && before.state.slug !== after.slug && { former_slug: before.state.slug }),
  };
}

/**
 * Returns the statement that adds the `product.updated` event of a deletion, with the product as it was. It must
 * follow `advanceClock` in the batch.
 */
export const deletionEvent = (
  { db, tenantId }: TenantDatabase,
  cause: WriteCause,
  write: ProductWrite,
): Statement =>
  outboxRow(db, cause, {
    type: 'product.updated',
    resource: `product:${write.id}`,
    sequence: clockTick(tenantId, 1, 0),
    data: completed(tenantId, sql`${JSON.stringify(eventData(write))}`, sql`${write.id}`),
  });

/** Returns the statements that add the events of several writes, with the instants of the stored products. */
export const productEvents = (
  { db, tenantId }: TenantDatabase,
  cause: WriteCause,
  writes: readonly ProductWrite[],
): Statement[] =>
  jsonLists(writes.map(eventData)).map((list) =>
    outboxRows(db, cause, {
      type: 'product.updated',
      events: sql`SELECT 'product:' || p.id AS resource, p.updated_at AS sequence,
          ${completed(tenantId, sql`e.value`, sql`p.id`)} AS data
        FROM json_each(${list}) e
        CROSS JOIN products p ON p.tenant_id = ${tenantId} AND p.id = e.value ->> 'id'`,
    }),
  );

/** Returns the event's data with a product's available stock, and with the ancestors of its categories. */
const completed = (tenantId: number, data: SQL, productId: SQL): SQL => sql`(SELECT json_set(${data},
    '$.stock', max(0, i.on_hand - i.reserved), '$.in_stock', json(iif(${sql.raw(IN_STOCK)}, 'true', 'false')),
    '$.category_ids', json((SELECT json_group_array(id) FROM (SELECT DISTINCT a.ancestor_id AS id
      FROM json_each(${data}, '$.category_ids') c CROSS JOIN category_ancestors a
        ON a.tenant_id = ${tenantId} AND a.category_id = c.value
      ORDER BY a.ancestor_id))))
  FROM inventory_items i WHERE i.tenant_id = ${tenantId} AND i.id = ${productId})`;
