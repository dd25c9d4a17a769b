import { type SQL, sql } from 'drizzle-orm';
import { outboxRows, type WriteBatch } from '../events/index.ts';
import { now } from '../kernel/core/clock.ts';
import { MAX_LINE_QUANTITY } from '../kernel/core/limits.ts';
import { id } from '../kernel/crypto/crypto.ts';
import { type Database, jsonList, ofTenant, run, type Statement } from '../kernel/data/database.ts';
import { EACH_ROW, nextPosition } from '../kernel/data/ids.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { advanceStockClock, clockTick } from '../tenants/index.ts';

/**
 * Change of one item: on-hand stock by `delta` or to an available quantity `stock`, and `reserved` by
 * `reserve`.
 */
export interface StockMove {
  readonly itemId: number;
  readonly delta?: number;
  readonly stock?: number;
  readonly reserve?: number;
  /** Overrides the cause's reason. */
  readonly reason?: string;
}

/** The write that moves stock: its batch, and the reason that movements and events carry. */
export interface WriteCause extends WriteBatch {
  readonly reason: string;
}

/** Returns the cause of a new write. */
export const newCause = ({ tenantId }: TenantDatabase, reason: string): WriteCause => ({
  tenantId,
  batch: id('bat'),
  reason,
});

/** The stock moves of a write, and the items whose derived stock it computes again. */
interface StockMoves {
  readonly moves: readonly StockMove[];
  /** Ids of items whose derived stock must be computed again. */
  readonly follow?: readonly number[];
}

/**
 * Computes the stock of a derived item `i` from the rows it depends on. A group or bundle sells active members only,
 * whose items are `live`. A bundle's member that may be sold on backorder counts as at least the largest quantity of a
 * cart line, which is no parameter: D1 binds numbers as REAL, and the quotient would have decimals. A slot that has
 * begun by another clock never counts again: nothing would subtract it a second time.
 */
const derivedStockSql = (at: number): SQL => sql`CASE i.derived
  WHEN 'configurable' THEN (SELECT coalesce(sum(max(0, v.on_hand - v.reserved)), 0) FROM inventory_items v
    WHERE v.tenant_id = i.tenant_id AND v.product_id = i.id AND v.id <> i.id AND v.deleted = 0)
  WHEN 'grouped' THEN (SELECT coalesce(sum(max(0, m.on_hand - m.reserved)), 0) FROM stock_components c
    JOIN inventory_items m ON m.id = c.member_id AND m.deleted = 0 AND m.feed = 'live'
    WHERE c.tenant_id = i.tenant_id AND c.parent_id = i.id)
  WHEN 'bundled' THEN (SELECT coalesce(min(most), 0) FROM (SELECT max(CASE WHEN m.id IS NULL OR m.deleted = 1 OR m.feed <> 'live' THEN 0
      WHEN m.policy = 'deny' THEN m.on_hand - m.reserved ELSE max(${sql.raw(String(MAX_LINE_QUANTITY))}, m.on_hand - m.reserved) END
      / c.quantity) AS most FROM stock_components c LEFT JOIN inventory_items m ON m.id = c.member_id
    WHERE c.tenant_id = i.tenant_id AND c.parent_id = i.id GROUP BY c.group_id))
  WHEN 'booking' THEN (SELECT coalesce(sum(s.capacity - s.reserved), 0) FROM slots s
    WHERE s.tenant_id = i.tenant_id AND s.product_id = i.id AND s.begun = 0 AND s.starts_at > ${at})
  ELSE i.on_hand END`;

/**
 * Sets the derived stock of new items. It records no movement or event, since the items had no stock before.
 */
export const deriveStock = ({ db, tenantId }: TenantDatabase, itemIds: readonly number[]): Statement =>
  run(
    db,
    sql`UPDATE inventory_items AS i SET on_hand = ${derivedStockSql(now())}
      WHERE ${ofTenant('i.tenant_id', tenantId)} AND i.id IN (${jsonList(itemIds)})`,
  );

/**
 * Returns the statements that move stock, update stock derived from it or from the items in `follow`, and add
 * a `stock.changed` event for each item whose available stock changed, unless it is deleted: another product may have
 * its SKU by then. They also advance the tenant's clock.
 * A batch may contain them once for each cause; a CHECK rolls it back on a shortage.
 */
export function moveStock(
  { db }: Pick<TenantDatabase, 'db'>,
  cause: WriteCause,
  { moves, follow = [] }: StockMoves,
): Statement[] {
  const { tenantId, batch, reason } = cause;
  const merged = mergeMoves(moves);
  const touched = [...merged.map((move) => move.itemId), ...follow];
  if (touched.length === 0) return [];
  // CROSS JOIN keeps the order of the tables: an item for each move, not all of the tenant's.
  const moved = sql`json_each(${JSON.stringify(merged)}) m CROSS JOIN inventory_items i
    ON i.id = m.value ->> 'itemId' AND i.tenant_id = ${tenantId} AND i.derived = 'none'`;
  const onHand = sql`coalesce((m.value ->> 'stock') + i.reserved, i.on_hand + coalesce(m.value ->> 'delta', 0))`;
  const reserved = sql`i.reserved + coalesce(m.value ->> 'reserve', 0)`;
  const statements = [
    run(
      db,
      sql`INSERT INTO stock_movements (id, tenant_id, item_id, batch, reason, old_stock, new_stock, at)
        SELECT ${nextPosition('stock_movements', EACH_ROW)}, i.tenant_id, i.id, ${batch}, coalesce(m.value ->> 'reason', ${reason}),
          max(0, i.on_hand - i.reserved), max(0, ${onHand} - (${reserved})), ${now()} FROM ${moved}`,
    ),
    run(
      db,
      sql`UPDATE inventory_items SET on_hand = n.on_hand, reserved = n.reserved
        FROM (SELECT i.id, ${onHand} AS on_hand, ${reserved} AS reserved FROM ${moved}) n
        WHERE inventory_items.id = n.id`,
    ),
  ];
  return [
    ...(merged.length > 0 ? statements : []),
    ...updateDerivedStock(db, cause, { moves: merged, itemIds: touched }),
    ...recordStockChanges(db, cause),
  ];
}

/**
 * Recomputes derived stock of these items, of their products, and of groups and bundles that contain them. A change
 * has the reason that its variants or members share, or that of the cause where theirs differ.
 */
function updateDerivedStock(
  db: Database,
  { tenantId, batch, reason }: WriteCause,
  { moves, itemIds }: { readonly moves: readonly StockMove[]; readonly itemIds: readonly number[] },
): Statement[] {
  const at = now();
  const ids = jsonList(itemIds);
  const parents = sql`SELECT i.id, max(0, i.on_hand) AS old_stock, ${derivedStockSql(at)} AS new_stock
    FROM (${ids} UNION SELECT product_id FROM inventory_items WHERE id IN (${ids})
      UNION SELECT parent_id FROM stock_components INDEXED BY stock_components_member
        WHERE tenant_id = ${tenantId} AND member_id IN (${ids})) one
    CROSS JOIN inventory_items i ON i.id = one.value
    WHERE i.tenant_id = ${tenantId} AND i.derived <> 'none' AND i.deleted = 0`;
  const moved = sql`s.tenant_id = ${tenantId} AND s.batch = ${batch} AND s.old_stock <> s.new_stock`;
  // Orders move stock most, and have one reason for all: theirs are not read again for each bundle.
  const haveReasons = moves.some((move) => move.reason !== undefined && move.reason !== reason);
  const shared = haveReasons ? sql`LEFT JOIN (${sharedReasons(moved)}) r ON r.parent_id = p.id` : sql``;
  return [
    run(
      db,
      sql`INSERT INTO stock_movements (id, tenant_id, item_id, batch, reason, old_stock, new_stock, at)
        SELECT ${nextPosition('stock_movements', EACH_ROW)}, ${tenantId}, p.id, ${batch}, ${haveReasons ? sql`coalesce(r.reason, ${reason})` : reason},
          p.old_stock, p.new_stock, ${at} FROM (${parents}) p ${shared}
        WHERE p.old_stock <> p.new_stock`,
    ),
    // From the movements: a bundle of 5,000 items is not computed twice.
    run(
      db,
      sql`UPDATE inventory_items SET on_hand = s.new_stock FROM stock_movements s
        WHERE ${moved} AND inventory_items.id = s.item_id AND inventory_items.derived <> 'none'`,
    ),
  ];
}

/**
 * Returns the query for the reason that the moved variants or members of each product share, null where theirs differ.
 * CROSS JOIN keeps the order of the tables: what depends on the items that moved.
 */
const sharedReasons = (moved: SQL): SQL =>
  sql`SELECT parent_id, CASE WHEN min(reason) = max(reason) THEN min(reason) END AS reason
    FROM (SELECT i.product_id AS parent_id, s.reason FROM stock_movements s
        CROSS JOIN inventory_items i ON i.id = s.item_id WHERE ${moved}
      UNION ALL SELECT c.parent_id, s.reason FROM stock_movements s
        CROSS JOIN stock_components c INDEXED BY stock_components_member
          ON c.tenant_id = s.tenant_id AND c.member_id = s.item_id WHERE ${moved})
    GROUP BY parent_id`;

/**
 * Gives each changed item an instant of the tenant's clock and an event. Moves the catalogue version when an
 * item sells out or is in stock again.
 */
function recordStockChanges(db: Database, cause: WriteCause): Statement[] {
  const { tenantId, batch } = cause;
  const changed = sql`stock_movements s
    WHERE s.tenant_id = ${tenantId} AND s.batch = ${batch} AND s.old_stock <> s.new_stock`;
  const instant = sql`${clockTick(tenantId, 1, 0)} + 1 - row_number() OVER (ORDER BY s.item_id)`;
  return [
    advanceStockClock(
      { db, tenantId },
      {
        changed,
        visible: sql`${changed} AND (s.old_stock > 0) <> (s.new_stock > 0)`,
      },
    ),
    run(
      db,
      sql`UPDATE inventory_items SET updated_at = n.instant
        FROM (SELECT s.item_id, ${instant} AS instant FROM ${changed}) n
        WHERE inventory_items.id = n.item_id AND inventory_items.deleted = 0`,
    ),
    outboxRows(db, cause, {
      type: 'stock.changed',
      events: sql`SELECT 'item:' || i.id AS resource, i.updated_at AS sequence,
          json_object('product_id', i.product_id, 'variant_id', CASE WHEN i.id <> i.product_id THEN i.id END,
            'sku', i.sku, 'old_stock', s.old_stock, 'new_stock', s.new_stock, 'reason', s.reason) AS data
        FROM inventory_items i JOIN ${changed} AND s.item_id = i.id AND i.deleted = 0`,
    }),
  ];
}

/** Merges the moves of each item: deltas add up, the last `stock` wins. */
function mergeMoves(moves: readonly StockMove[]): StockMove[] {
  const byItem = new Map<number, StockMove>();
  for (const move of moves) {
    const before = byItem.get(move.itemId);
    const delta = (before?.delta ?? 0) + (move.delta ?? 0);
    const reserve = (before?.reserve ?? 0) + (move.reserve ?? 0);
    byItem.set(move.itemId, { ...before, ...move, delta, reserve });
  }
  return [...byItem.values()];
}
