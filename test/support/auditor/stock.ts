import { type SQL, sql } from 'drizzle-orm';
import { rule } from './rule.ts';

/** The reasons of movements that sell units, hold them for a cart or an order, or return them. */
const OF_SALES = sql`('checkout', 'cart_changed', 'reservation_expired', 'sale', 'order', 'order_cancelled', 'order_refunded')`;

/** Units that an order's lines took of each item: `order_id`, `item`, `units`. */
const unitsOfLines = (tenantId: number): SQL => sql`
  SELECT l.order_id, d.value ->> 'itemId' AS item, sum(d.value ->> 'quantity') AS units
  FROM order_lines l CROSS JOIN json_each(l.stock) d WHERE l.tenant_id = ${tenantId} GROUP BY 1, 2`;

/**
 * Units that requested refunds took off what their order sold: `order_id`, `item`, `restock`, `units`. A refund returns
 * units when it is requested, whatever becomes of its money, and never more than those before it have left; units that
 * it doesn't return are sold again when it fails. `failed`: whether they were until now, for all refunds after it.
 */
const takenOff = (tenantId: number, failed: SQL): SQL => sql`
  SELECT order_id, item, restock, max(0, min(units, sold - before)) AS units FROM (
    SELECT r.order_id, r.status, d.value ->> 'itemId' AS item, i.value ->> 'restock' AS restock, s.units AS sold,
      (d.value ->> 'quantity') * (i.value ->> 'quantity') / l.quantity AS units,
      coalesce(sum((d.value ->> 'quantity') * (i.value ->> 'quantity') / l.quantity) OVER (
        PARTITION BY r.order_id, d.value ->> 'itemId'
        ORDER BY r.created_at, r.rowid, i.value ->> 'restock' DESC, l.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM refunds r CROSS JOIN json_each(r.items) i
    JOIN order_lines l ON l.order_id = r.order_id AND l.id = i.value ->> 'lineId'
    CROSS JOIN json_each(l.stock) d
    JOIN (${unitsOfLines(tenantId)}) s ON s.order_id = r.order_id AND s.item = d.value ->> 'itemId'
    WHERE r.tenant_id = ${tenantId} AND r.source = 'request'
      AND (i.value ->> 'restock' OR r.status <> 'failed' OR ${failed}))
  WHERE restock OR status <> 'failed'`;

/** Units that each order has out of stock after its refunds: `order_id`, `item`, `units`. */
const stillSold = (tenantId: number, failed: SQL): SQL => sql`
  SELECT o.id AS order_id, l.item, CASE o.status
    WHEN 'paid' THEN l.units - coalesce(t.restocked, 0) ELSE coalesce(t.written_off, 0) END AS units
  FROM (${unitsOfLines(tenantId)}) l JOIN orders o ON o.id = l.order_id
  LEFT JOIN (SELECT order_id, item, sum(iif(restock, units, 0)) AS restocked,
      sum(iif(restock, 0, units)) AS written_off FROM (${takenOff(tenantId, failed)}) GROUP BY 1, 2) t
    ON t.order_id = l.order_id AND t.item = l.item
  WHERE o.status <> 'pending'`;

/** Stock, its movements, its events, and what holds it. */
export const STOCK_RULES = [
  rule(
    'an item reserves what its held and ordered reservations name',
    (tenantId) => sql`
      SELECT i.id, i.reserved, coalesce(r.units, 0) AS expected FROM inventory_items i LEFT JOIN (
        SELECT l.value ->> 'itemId' AS item, sum(l.value ->> 'quantity') AS units
        FROM reservations CROSS JOIN json_each(lines) l
        WHERE tenant_id = ${tenantId} AND status IN ('held', 'ordered') GROUP BY 1) r ON r.item = i.id
      WHERE i.tenant_id = ${tenantId} AND i.derived = 'none' AND i.reserved <> coalesce(r.units, 0)`,
  ),
  rule(
    'each movement begins where the last one of its item ended',
    (tenantId) => sql`
      SELECT * FROM (SELECT item_id, id, reason, old_stock,
          lag(new_stock) OVER (PARTITION BY item_id ORDER BY id) AS left_at
        FROM stock_movements WHERE tenant_id = ${tenantId})
      WHERE left_at <> old_stock`,
  ),
  rule(
    'the last movement of an item ends at what is available',
    (tenantId) => sql`
      SELECT i.id, s.new_stock, i.on_hand, i.reserved FROM inventory_items i
      JOIN stock_movements s ON s.id = (SELECT max(id) FROM stock_movements
        WHERE tenant_id = ${tenantId} AND item_id = i.id)
      WHERE i.tenant_id = ${tenantId} AND i.deleted = 0 AND s.new_stock <> max(0, i.on_hand - i.reserved)`,
  ),
  rule(
    'each change of stock has one event that says the same, but for what was deleted before it',
    (tenantId) => sql`
      SELECT s.id, s.item_id, s.reason, count(o.id) AS events FROM stock_movements s
      LEFT JOIN inventory_items i ON i.id = s.item_id
      LEFT JOIN outbox o ON o.tenant_id = ${tenantId} AND o.batch = s.batch AND o.type = 'stock.changed'
        AND o.resource = 'item:' || s.item_id AND o.data ->> '$.old_stock' = s.old_stock
        AND o.data ->> '$.new_stock' = s.new_stock AND o.data ->> '$.reason' = s.reason
      WHERE s.tenant_id = ${tenantId} AND s.old_stock <> s.new_stock
      GROUP BY s.id HAVING events > 1 OR (events = 0 AND coalesce(i.deleted, 1) = 0)`,
  ),
  rule(
    'an item has what it began with, and was adjusted by, less what is sold',
    (tenantId) => sql`
      WITH sold AS (
        -- When a refund failed is not stored: before or after those that followed it.
        SELECT early.item, sum(min(early.units, late.units)) AS least, sum(max(early.units, late.units)) AS most
        FROM (${stillSold(tenantId, sql`false`)}) early JOIN (${stillSold(tenantId, sql`true`)}) late
          ON late.order_id = early.order_id AND late.item = early.item GROUP BY 1),
      adjusted AS (
        SELECT item_id AS item, sum(new_stock - old_stock) AS units FROM stock_movements
        WHERE tenant_id = ${tenantId} AND reason NOT IN ${OF_SALES} GROUP BY 1),
      opened AS (
        SELECT i.id, coalesce(
          (SELECT old_stock FROM stock_movements WHERE tenant_id = ${tenantId} AND item_id = i.id
            ORDER BY id LIMIT 1), i.on_hand) AS units
        FROM inventory_items i WHERE i.tenant_id = ${tenantId})
      SELECT i.id, i.on_hand, o.units AS opened, a.units AS adjusted, s.least, s.most FROM inventory_items i
      JOIN opened o ON o.id = i.id LEFT JOIN adjusted a ON a.item = i.id LEFT JOIN sold s ON s.item = i.id
      WHERE i.tenant_id = ${tenantId} AND i.derived = 'none' AND i.policy = 'deny' AND i.deleted = 0
        AND i.on_hand NOT BETWEEN o.units + coalesce(a.units, 0) - coalesce(s.most, 0)
          AND o.units + coalesce(a.units, 0) - coalesce(s.least, 0)`,
  ),
  rule(
    'the sales of a product are the units that were paid for, less those refunded',
    (tenantId) => sql`
      WITH refunded AS (
        SELECT r.order_id, i.value ->> 'lineId' AS line_id, i.value ->> 'quantity' AS units
        FROM refunds r CROSS JOIN json_each(r.items) i
        WHERE r.tenant_id = ${tenantId} AND r.status = 'succeeded'),
      lines AS (
        SELECT l.product_id AS product, iif(o.status = 'paid', l.quantity - coalesce((
          SELECT sum(units) FROM refunded r WHERE r.order_id = l.order_id AND r.line_id = l.id), 0), 0) AS units
        FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE l.tenant_id = ${tenantId}),
      expected AS (SELECT product, sum(units) AS units FROM lines GROUP BY 1),
      counted AS (SELECT product_id AS product, sum(quantity) AS units FROM product_sales
        WHERE tenant_id = ${tenantId} GROUP BY 1)
      SELECT e.product, e.units AS expected, c.units AS counted FROM expected e
      LEFT JOIN counted c ON c.product = e.product WHERE e.units <> coalesce(c.units, 0)`,
  ),
];
