import { type SQL, sql } from 'drizzle-orm';
import { commit } from '../events/index.ts';
import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import {
  assertInBatch,
  guardFailed,
  jsonList,
  namedBatch,
  rows,
  type Statement,
  violation,
} from '../kernel/data/database.ts';
import type { TenantContext, TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { catalogPosition } from '../tenants/index.ts';
import { type AdjustmentsCreate, MAX_STOCK } from './schemas.ts';
import { moveStock, newCause, type StockMove } from './stock-moves.ts';
import type { Derived, Policy } from './tables.ts';

/** An item as stock checks read it. */
export interface StockItem {
  readonly id: number;
  readonly product_id: number;
  readonly sku: string;
  readonly policy: Policy;
  readonly derived: Derived;
  /** Available stock, never below 0. */
  readonly stock: number;
}

const COLUMNS = sql.raw('id, product_id, sku, policy, derived, max(0, on_hand - reserved) AS stock');

/** Returns the query for the tenant's items with these SKUs, deleted ones excluded. */
export const itemsBySku = ({ db, tenantId }: TenantDatabase, skus: readonly string[]) =>
  rows<StockItem>(
    db,
    sql`SELECT ${COLUMNS} FROM inventory_items WHERE tenant_id = ${tenantId} AND deleted = 0
      AND sku IN (${jsonList(skus)})`,
  );

/** Items after an adjustment, in the order of the request, and the catalogue version. */
export interface Adjustment {
  readonly items: readonly StockItem[];
  readonly version: number;
}

/**
 * Adjusts stock by SKU, all items or none. Fails with 422 for unknown SKUs, derived stock and sums above
 * {@link MAX_STOCK}, and with 409 on a shortage. A repeated Idempotency-Key only returns the current items.
 */
export async function adjust(
  ctx: TenantContext,
  input: AdjustmentsCreate,
  once: IdempotencyScope,
): Promise<Result<Adjustment>> {
  const skus = [...new Set(input.items.map((item) => item.sku))];
  const found = new Map((await itemsBySku(ctx, skus)).map((item) => [item.sku, item]));
  if (once.ref === null) {
    const errors = validationErrors(input, found);
    if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
    const written = await write(ctx, toStockMoves(input, found), once);
    if (!written.ok) return describeShortage(written, input, found);
  }
  const { items, position } = await namedBatch(ctx.db, {
    items: itemsBySku(ctx, skus),
    position: catalogPosition(ctx),
  });
  items.sort((a, b) => skus.indexOf(a.sku) - skus.indexOf(b.sku));
  return ok({ items, version: position[0]?.version ?? 0 });
}

const EXCEEDS_MAX_STOCK = `must not raise the stock above ${MAX_STOCK}`;

function validationErrors(
  input: AdjustmentsCreate,
  found: ReadonlyMap<string, StockItem>,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const seen = new Set<string>();
  input.items.forEach(({ sku, delta = 0 }, n) => {
    const item = found.get(sku);
    if (!item) errors[`items.${n}.sku`] = ['must be a SKU of this catalogue'];
    else if (item.derived !== 'none') errors[`items.${n}.sku`] = ['must not be a SKU whose stock is derived'];
    else if (seen.has(sku)) errors[`items.${n}.sku`] = ['must not be repeated'];
    else if (delta > 0 && item.stock + delta > MAX_STOCK) errors[`items.${n}.delta`] = [EXCEEDS_MAX_STOCK];
    seen.add(sku);
  });
  return errors;
}

const toStockMoves = (input: AdjustmentsCreate, found: ReadonlyMap<string, StockItem>): StockMove[] =>
  input.items.flatMap(({ sku, delta, stock, reason }) => {
    const item = found.get(sku);
    if (!item) return [];
    return [{ itemId: item.id, reason, ...(stock === undefined ? { delta: delta ?? 0 } : { stock }) }];
  });

async function write(
  ctx: TenantContext,
  moves: readonly StockMove[],
  once: IdempotencyScope,
): Promise<Result<void>> {
  const cause = newCause(ctx, 'adjustment');
  try {
    await commit(ctx, {
      batches: [cause.batch],
      statements: [
        ...once.mark(cause.batch),
        ...moveStock(ctx, cause, { moves }),
        assertWithinMaxStock(ctx, moves),
      ],
    });
    return ok(undefined);
  } catch (error) {
    if (violation(error)?.name === 'stock_never_oversold') return fail('insufficient_stock');
    // Either concurrent additions reached the maximum, or the idempotency key's guard failed.
    if (guardFailed(error) && (await exceedsMaxStock(ctx, moves))) return invalid('items', EXCEEDS_MAX_STOCK);
    throw error;
  }
}

/** Selects the items whose available stock plus `added` exceeds {@link MAX_STOCK}. */
const itemsOverMaxStock = (tenantId: number, moves: readonly StockMove[], added: SQL) =>
  sql`SELECT i.id FROM json_each(${JSON.stringify(moves)}) m CROSS JOIN inventory_items i ON i.id = m.value ->> 'itemId'
    WHERE i.tenant_id = ${tenantId} AND m.value ->> 'delta' > 0 AND i.on_hand - i.reserved + ${added} > ${MAX_STOCK}`;

const assertWithinMaxStock = ({ db, tenantId }: TenantDatabase, moves: readonly StockMove[]): Statement =>
  assertInBatch(db, sql`NOT EXISTS (${itemsOverMaxStock(tenantId, moves, sql`0`)})`);

const exceedsMaxStock = async (
  { db, tenantId }: TenantDatabase,
  moves: readonly StockMove[],
): Promise<boolean> =>
  (await rows(db, itemsOverMaxStock(tenantId, moves, sql`(m.value ->> 'delta')`))).length > 0;

/**
 * Adds the SKU that is short to the failure. Returns it unchanged when only a concurrent sale explains it.
 */
function describeShortage(
  failed: Failed,
  input: AdjustmentsCreate,
  found: ReadonlyMap<string, StockItem>,
): Failed {
  const item = input.items.find(({ sku, delta = 0 }) => {
    const { policy, stock } = found.get(sku) ?? {};
    return policy === 'deny' && (stock ?? 0) + delta < 0;
  });
  const known = item && found.get(item.sku);
  if (!item || !known) return failed;
  const variantId = known.id === known.product_id ? null : known.id;
  return fail('insufficient_stock', {
    details: {
      sku: item.sku,
      product_id: known.product_id,
      variant_id: variantId,
      requested: -(item.delta ?? 0),
      in_cart: 0,
      available: known.stock,
    },
  });
}
