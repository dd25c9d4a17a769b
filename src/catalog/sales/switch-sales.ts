import { sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { newCause, touchItems, type WriteCause } from '../../inventory/index.ts';
import { MINUTE, now } from '../../kernel/core/clock.ts';
import { type Chore, stepsOfTenants } from '../../kernel/data/chore.ts';
import {
  assertInBatch,
  guardFailed,
  jsonList,
  jsonLists,
  ofTenant,
  rows,
  run,
  type Statement,
} from '../../kernel/data/database.ts';
import { type TenantContext, type TenantDatabase, tenantContext } from '../../kernel/data/tenant-context.ts';
import { advanceClock, requireTenant } from '../../tenants/index.ts';
import { listProductStatements } from '../indexing/listing-index.ts';
import { loadProducts, STORED_BYTES } from '../products/load-product.ts';
import { MAX_PAGE_BYTES } from '../reads/page-rows.ts';
import { productEvents } from '../writes/product-event.ts';
import { jsonColumn, type ProductWrite } from '../writes/product-rows.ts';
import { nextSwitch, pricesDiffer, withSalesAt } from './displayed-prices.ts';
import { type PriceColumns, priceColumns } from './price-columns.ts';
import { priceHistoryStatements } from './price-history.ts';
import { wakeSaleSchedule } from './wake-schedule.ts';

/** Largest number of products in one batch, and of rows of products and variants that it reads, with their bytes. */
const MAX_PRODUCTS_PER_BATCH = 100;
const MAX_ROWS_PER_BATCH = 2_000;
const MAX_BYTES_PER_BATCH = MAX_PAGE_BYTES;
/** Largest number of batches that one call writes. */
const MAX_BATCHES_PER_CALL = 20;

/**
 * Switches the prices of products whose sale has begun or ended, in order of the instants and at most 2,000
 * products. Idempotent and safe to run concurrently. Returns when to continue (ms), or null for no further switch.
 */
export async function switchSales(ctx: TenantContext): Promise<number | null> {
  for (let batches = 0; batches < MAX_BATCHES_PER_CALL; batches++) {
    const { ids, next } = await dueProducts(ctx);
    if (ids.length === 0) return next;
    await switchProducts(ctx, ids);
  }
  return now();
}

/** Returns the products to switch in the next batch, due for `lateMs`; and the next instant (ms) or null. */
async function dueProducts({ db, tenantId }: TenantDatabase, lateMs = 0) {
  const at = now() - lateMs;
  const scheduled = await rows<{ id: number; switch_at: number; size: number; bytes: number }>(
    db,
    sql`SELECT p.id, p.switch_at, 1 + (SELECT count(*) FROM variants v
        WHERE v.tenant_id = p.tenant_id AND v.product_id = p.id) AS size,
        ${STORED_BYTES} AS bytes
      FROM products p WHERE p.tenant_id = ${tenantId} AND p.switch_at IS NOT NULL
      ORDER BY p.switch_at LIMIT ${MAX_PRODUCTS_PER_BATCH}`,
  );
  const ids: number[] = [];
  let [size, bytes] = [0, 0];
  for (const one of scheduled) {
    size += one.size;
    bytes += one.bytes;
    const isTooLarge = size > MAX_ROWS_PER_BATCH || bytes > MAX_BYTES_PER_BATCH;
    if (one.switch_at > at || (ids.length > 0 && isTooLarge)) break;
    ids.push(one.id);
  }
  return { ids, next: scheduled[0]?.switch_at ?? null };
}

/** Switches these products in one batch. Does nothing if one of them was changed concurrently. */
async function switchProducts(ctx: TenantContext, ids: readonly number[]): Promise<void> {
  const [{ currency }, stored] = await Promise.all([
    requireTenant(ctx),
    loadProducts(ctx, sql`p.id IN (${jsonList(ids)})`),
  ]);
  const at = now();
  const writes = stored.map((before): ProductWrite => {
    const { id, createdAt } = before;
    // A stored product has all its ids.
    const after = withSalesAt(before.state as ProductWrite['after'], at);
    return { id, before, after, createdAt, changed: ['price'], currency };
  });
  const cause = newCause(ctx, 'sale');
  try {
    await commit(ctx, {
      batches: [cause.batch],
      guards: [unchanged(ctx, writes)],
      statements: switchStatements(ctx, cause, writes),
      catalogChanged: true,
    });
  } catch (error) {
    if (!guardFailed(error)) throw error;
  }
}

/** Rolls the batch back when one of the products changed after it was read. */
const unchanged = ({ db, tenantId }: TenantDatabase, writes: readonly ProductWrite[]): Statement =>
  assertInBatch(
    db,
    sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(writes.map(({ id, before }) => [id, before?.revision]))}) w
      LEFT JOIN products p ON p.tenant_id = ${tenantId} AND p.id = w.value ->> 0 AND p.deleted_at IS NULL
      WHERE p.revision IS NOT w.value ->> 1)`,
  );

/** Returns the statements of a switch, with an event for each product whose prices change. */
function switchStatements(
  ctx: TenantDatabase,
  cause: WriteCause,
  writes: readonly ProductWrite[],
): Statement[] {
  const columns = writes.map(switchedColumns);
  const all = columns.flat();
  const items = all.map(({ id }) => id);
  return [
    advanceClock(ctx, items.length),
    touchItems(ctx, items),
    ...updateProducts(ctx, writes, columns),
    ...updateVariants(
      ctx,
      all.filter(({ table }) => table === 'variants'),
    ),
    ...priceHistoryStatements(ctx, all),
    ...listProductStatements(ctx, jsonList(writes.map(({ id }) => id))),
    ...productEvents(
      ctx,
      cause,
      writes.filter(({ before, after }) => before && pricesDiffer(before.state, after)),
    ),
  ];
}

/** Returns the columns of the product, and of the variants whose sale begins or ends. */
function switchedColumns(write: ProductWrite): readonly PriceColumns[] {
  const before = new Map(write.before?.state.variants.map(({ id, sale }) => [id, JSON.stringify(sale)]));
  return priceColumns(write).filter(
    ({ table, id, sale }) => table === 'products' || before.get(id) !== JSON.stringify(sale),
  );
}

function updateProducts(
  { db, tenantId }: TenantDatabase,
  writes: readonly ProductWrite[],
  columns: readonly (readonly PriceColumns[])[],
): Statement[] {
  const products = writes.map(({ after }, n) => ({ ...columns[n]?.[0], switchAt: nextSwitch(after) }));
  return jsonLists(products).map((list) =>
    run(
      db,
      sql`UPDATE products SET prices = n.prices, sale = n.sale, ordinary_prices = n.ordinary,
        reduced_from = n.reduced, lowest_prices = n.lowest, switch_at = n.switch_at,
        variant_summary = n.summary, revision = revision + 1,
        updated_at = (SELECT i.updated_at FROM inventory_items i WHERE i.id = products.id)
      FROM (SELECT value ->> 'id' AS id, value -> 'prices' AS prices, ${jsonColumn('sale')} AS sale,
          ${jsonColumn('ordinaryPrices')} AS ordinary, ${jsonColumn('reducedFrom')} AS reduced,
          ${jsonColumn('lowestPrices')} AS lowest, ${jsonColumn('variantSummary')} AS summary,
          value ->> 'switchAt' AS switch_at
        FROM json_each(${list})) n
      WHERE ${ofTenant('products.tenant_id', tenantId)} AND products.id = n.id`,
    ),
  );
}

const updateVariants = ({ db, tenantId }: TenantDatabase, variants: readonly PriceColumns[]): Statement[] =>
  jsonLists(variants).map((list) =>
    run(
      db,
      sql`UPDATE variants SET prices = n.prices, sale = n.sale, ordinary_prices = n.ordinary, lowest_prices = n.lowest
      FROM (SELECT value ->> 'id' AS id, value -> 'prices' AS prices, ${jsonColumn('sale')} AS sale,
          ${jsonColumn('ordinaryPrices')} AS ordinary, ${jsonColumn('lowestPrices')} AS lowest
        FROM json_each(${list})) n
      WHERE ${ofTenant('variants.tenant_id', tenantId)} AND variants.id = n.id`,
    ),
  );

/** A switch that is this late (ms) has lost its alarm; one this near is announced again. */
const LATE_AFTER_MS = 5_000;
const ANNOUNCED_AHEAD_MS = 2 * MINUTE;

/** Chore that switches prices whose alarm was lost, and sets the alarms of the next minutes again. */
export const resumeSales: Chore = async (runtime, step) => {
  const { tenantId } = step;
  if (tenantId !== undefined) {
    const ctx = tenantContext(runtime, tenantId);
    const { ids, next } = await dueProducts(ctx, LATE_AFTER_MS);
    await wakeSaleSchedule(ctx, ids.length > 0 ? await switchSales(ctx) : next);
    return {};
  }
  const due = sql`products INDEXED BY products_switch WHERE switch_at < ${now() + ANNOUNCED_AHEAD_MS}`;
  return stepsOfTenants(runtime.db, due, step);
};
