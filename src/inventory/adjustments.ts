import { type SQL, sql } from 'drizzle-orm';
import { batchEventIds, relayLater } from '../events/index.ts';
import { now } from '../kernel/core/clock.ts';
import { type Failed, fail, invalid, ok, type Result } from '../kernel/core/result.ts';
import { id } from '../kernel/crypto/crypto.ts';
import { type Chore, tenantSteps } from '../kernel/data/chore.ts';
import {
  assertInBatch,
  batch,
  type Database,
  database,
  guardFailed,
  jsonList,
  rows,
  run,
  type Statement,
  violation,
} from '../kernel/data/database.ts';
import type { IdempotencyScope, Runtime } from '../kernel/http/context.ts';
import { type CatalogPosition, catalogPosition, notifyCatalogMoved } from '../tenants/index.ts';
import { type AdjustmentsCreate, MAX_STOCK } from './schemas.ts';
import { moveStock, type StockMove, type WriteCause } from './stock-moves.ts';
import type { Derived, Policy } from './tables.ts';

/** One item as checks of stock need it. */
export interface StockItem {
  readonly id: number;
  readonly product_id: number;
  readonly sku: string;
  readonly policy: Policy;
  readonly derived: Derived;
  /** What can be sold. */
  readonly stock: number;
}

const COLUMNS = sql.raw('id, product_id, sku, policy, derived, max(0, on_hand - reserved) AS stock');

/** The tenant's items with these SKUs; what is deleted has none. */
export const itemsBySku = (db: Database, tenantId: number, skus: readonly string[]) =>
  rows<StockItem>(
    db,
    sql`SELECT ${COLUMNS} FROM inventory_items WHERE tenant_id = ${tenantId} AND deleted = 0
      AND sku IN (${jsonList(skus)})`,
  );

/** Items after an adjustment, in the order in which they were named, and the catalogue version then. */
export interface Adjustment {
  readonly items: readonly StockItem[];
  readonly version: number;
}

/**
 * Moves stock by SKU, all or nothing. 422 names unknown SKUs, those whose stock is derived, and deltas that would
 * make it more than {@link MAX_STOCK}; 409 when there is not enough. With an earlier run of the same Idempotency-Key, only answers.
 */
export async function adjust(
  runtime: Runtime,
  db: Database,
  tenantId: number,
  input: AdjustmentsCreate,
  once: IdempotencyScope,
): Promise<Result<Adjustment>> {
  const skus = [...new Set(input.items.map((item) => item.sku))];
  const found = new Map((await itemsBySku(db, tenantId, skus)).map((item) => [item.sku, item]));
  if (once.ref === null) {
    const errors = unfit(input, found);
    if (Object.keys(errors).length > 0) return fail('validation_error', { errors });
    const written = await write(runtime, db, tenantId, movesOf(input, found), once);
    if (!written.ok) return short(written, input, found);
  }
  const [items, [moved]] = await db.batch([itemsBySku(db, tenantId, skus), catalogPosition(db, tenantId)]);
  items.sort((a, b) => skus.indexOf(a.sku) - skus.indexOf(b.sku));
  return ok({ items, version: moved?.version ?? 0 });
}

const TOO_MUCH = `would make the stock more than ${MAX_STOCK}`;

function unfit(input: AdjustmentsCreate, found: ReadonlyMap<string, StockItem>): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const seen = new Set<string>();
  input.items.forEach(({ sku, delta = 0 }, n) => {
    const item = found.get(sku);
    if (!item) errors[`items.${n}.sku`] = ['is not a SKU of this catalogue'];
    else if (item.derived !== 'none') errors[`items.${n}.sku`] = ['has a stock that follows from others'];
    else if (seen.has(sku)) errors[`items.${n}.sku`] = ['is named twice'];
    else if (delta > 0 && item.stock + delta > MAX_STOCK) errors[`items.${n}.delta`] = [TOO_MUCH];
    seen.add(sku);
  });
  return errors;
}

const movesOf = (input: AdjustmentsCreate, found: ReadonlyMap<string, StockItem>): StockMove[] =>
  input.items.flatMap(({ sku, delta, stock, reason }) => {
    const item = found.get(sku);
    if (!item) return [];
    return [{ itemId: item.id, reason, ...(stock === undefined ? { delta: delta ?? 0 } : { stock }) }];
  });

async function write(
  { env, ctx }: Runtime,
  db: Database,
  tenantId: number,
  moves: readonly StockMove[],
  once: IdempotencyScope,
): Promise<Result<void>> {
  const cause = { tenantId, batch: id('bat'), reason: 'adjustment' };
  try {
    const results = await batch(db, [
      ...once.mark(cause.batch),
      ...moveStock(db, cause, moves),
      withinLargest(db, tenantId, moves),
      ...outcome(db, cause),
    ]);
    await publishStock({ env, ctx }, tenantId, results);
    return ok(undefined);
  } catch (error) {
    if (violation(error)?.name === 'stock_never_oversold') return fail('insufficient_stock');
    // Others have added to the same stock meanwhile, unless it was the key's guard that broke.
    if (guardFailed(error) && (await overfull(db, tenantId, moves))) return invalid('items', TOO_MUCH);
    throw error;
  }
}

/** The items that these deltas have made, or would make by now, more than {@link MAX_STOCK}. */
const tooMuch = (tenantId: number, moves: readonly StockMove[], added: SQL) =>
  sql`SELECT i.id FROM json_each(${JSON.stringify(moves)}) m JOIN inventory_items i ON i.id = m.value ->> 'itemId'
    WHERE i.tenant_id = ${tenantId} AND m.value ->> 'delta' > 0 AND i.on_hand - i.reserved + ${added} > ${MAX_STOCK}`;

const withinLargest = (db: Database, tenantId: number, moves: readonly StockMove[]): Statement =>
  assertInBatch(db, sql`NOT EXISTS (${tooMuch(tenantId, moves, sql`0`)})`);

const overfull = async (db: Database, tenantId: number, moves: readonly StockMove[]): Promise<boolean> =>
  (await rows(db, tooMuch(tenantId, moves, sql`(m.value ->> 'delta')`))).length > 0;

/** The two statements that end the batch of a write, or of several for one tenant, for {@link publishStock}. */
export const outcome = (db: Database, cause: WriteCause, ...more: readonly WriteCause[]): Statement[] => [
  batchEventIds(
    db,
    cause.tenantId,
    [cause, ...more].map(({ batch: name }) => name),
  ),
  catalogPosition(db, cause.tenantId),
];

/**
 * Tells queues and tenant of a batch that ended with {@link outcome}, or with the like of it for many writes
 * at once (imports); answers the catalogue version.
 */
export async function publishStock(
  { env, ctx }: Runtime,
  tenantId: number,
  results: unknown[],
): Promise<number> {
  // The last two statements, in their order: the ids of events, and where the catalogue is.
  const [events, [moved]] = results.slice(-2) as [{ id: string }[], CatalogPosition[]];
  relayLater(env, ctx, tenantId, events);
  await notifyCatalogMoved(env, tenantId, moved?.version ?? 0, moved?.stockMovedAt);
  return moved?.version ?? 0;
}

/** Says of which SKU there was too little; the failure as it is when others took it meanwhile. */
function short(failed: Failed, input: AdjustmentsCreate, found: ReadonlyMap<string, StockItem>): Failed {
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

/** So many tenants, and so many of a tenant's products, are looked up in one step. */
const TENANTS_AT_ONCE = 100;
const PRODUCTS_AT_ONCE = 100;

/** The chore that lowers the stock of booking products by the slots that have begun, which can't be sold any more. */
export const beginSlots: Chore = async (runtime, { tenantId, after }) => {
  const db = database(runtime.env);
  const at = now();
  const due = sql`slots WHERE begun = 0 AND starts_at <= ${at}`;
  if (tenantId === undefined) {
    const found = await rows<{ id: number }>(
      db,
      sql`SELECT DISTINCT tenant_id AS id FROM ${due} AND tenant_id > ${after ?? 0}
        ORDER BY 1 LIMIT ${TENANTS_AT_ONCE}`,
    );
    return tenantSteps(
      found.map(({ id }) => id),
      TENANTS_AT_ONCE,
    );
  }
  const found = await rows<{ id: number }>(
    db,
    sql`SELECT DISTINCT product_id AS id FROM ${due} AND tenant_id = ${tenantId} LIMIT ${PRODUCTS_AT_ONCE}`,
  );
  if (found.length === 0) return {};
  const products = found.map(({ id }) => id);
  const cause = { tenantId, batch: id('bat'), reason: 'slot_begun' };
  const results = await batch(db, [
    run(
      db,
      sql`UPDATE slots SET begun = 1 WHERE tenant_id = ${tenantId} AND product_id IN (${jsonList(products)})
        AND starts_at <= ${at}`,
    ),
    ...moveStock(db, cause, [], products),
    ...outcome(db, cause),
  ]);
  await publishStock(runtime, tenantId, results);
  return { more: products.length < PRODUCTS_AT_ONCE ? undefined : { tenantId } };
};
