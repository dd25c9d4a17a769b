import { sql } from 'drizzle-orm';
import { rule } from './rule.ts';

/** Orders with their reservations, payments, redemptions and events. */
export const ORDER_RULES = [
  rule(
    'orders are numbered from 1001 on without gaps',
    (tenantId) => sql`
      SELECT number FROM (SELECT number, row_number() OVER (ORDER BY number) AS n FROM orders
        WHERE tenant_id = ${tenantId}) WHERE number <> 1000 + n`,
  ),
  rule(
    'an order that stands has sold its own reservation, and each sold reservation has one order',
    (tenantId) => sql`
      SELECT r.id, r.status, r.cart_id, count(o.id) AS orders FROM reservations r
      LEFT JOIN orders o ON o.tenant_id = ${tenantId} AND o.reservation_id = r.id AND o.status <> 'cancelled'
        AND o.cart_id = r.cart_id AND o.cart_version = r.cart_version
      WHERE r.tenant_id = ${tenantId}
      GROUP BY r.id HAVING orders <> (r.status IN ('consumed', 'ordered'))
      UNION ALL
      SELECT NULL, o.status, o.id, 0 FROM orders o WHERE o.tenant_id = ${tenantId} AND o.status = 'paid'
        AND NOT EXISTS (SELECT 1 FROM reservations r WHERE r.id = o.reservation_id AND r.status = 'consumed')`,
  ),
  rule(
    'a cart has at most one order that stands',
    (tenantId) => sql`
      SELECT cart_id, count(*) AS orders FROM orders WHERE tenant_id = ${tenantId} AND status <> 'cancelled'
      GROUP BY 1 HAVING orders > 1`,
  ),
  rule(
    'a paid order has one payment, of its amount, and a cancelled one keeps nothing',
    (tenantId) => sql`
      SELECT o.id, o.status, o.payment_status, count(p.id) AS payments FROM orders o
      LEFT JOIN payments p ON p.tenant_id = ${tenantId} AND p.order_id = o.id AND p.amount = o.grand_total
        AND p.state = CASE o.payment_status WHEN 'refunded' THEN 'refunded' ELSE 'paid' END
        AND NOT EXISTS (SELECT 1 FROM refunds s WHERE s.payment_id = p.id AND s.source = 'surplus')
      WHERE o.tenant_id = ${tenantId} GROUP BY o.id
      HAVING CASE o.status WHEN 'cancelled' THEN payments > 1 OR o.payment_status NOT IN ('unpaid', 'refunded')
        ELSE payments <> (o.status = 'paid') END`,
  ),
  rule(
    'each change of an order has one event, and each event a change',
    (tenantId) => sql`
      WITH counted AS (
        SELECT o.id, o.status, o.paid_at IS NOT NULL AS was_paid,
          sum(e.type = 'order.created') AS created, sum(e.type = 'order.paid') AS paid,
          sum(e.type = 'order.cancelled') AS cancelled, sum(e.type = 'order.fulfilled') AS fulfilled,
          (SELECT type FROM outbox l WHERE l.tenant_id = ${tenantId} AND l.resource = 'order:' || o.id
            AND l.type IN ('order.created', 'order.paid', 'order.cancelled')
            ORDER BY sequence DESC, position DESC LIMIT 1) AS last,
          (SELECT count(*) FROM order_fulfilments f WHERE f.tenant_id = ${tenantId}
            AND f.order_id = o.id) AS parcels
        FROM orders o LEFT JOIN outbox e ON e.tenant_id = ${tenantId} AND e.resource = 'order:' || o.id
        WHERE o.tenant_id = ${tenantId} GROUP BY o.id)
      SELECT * FROM counted WHERE created <> 1 OR paid <> was_paid
        OR (status = 'cancelled') > cancelled OR cancelled > 1 OR fulfilled <> parcels
        OR last <> CASE status WHEN 'pending' THEN 'order.created' ELSE 'order.' || status END`,
  ),
  rule(
    'an order has redeemed the promotions that it shows, unless it is cancelled',
    (tenantId) => sql`
      SELECT * FROM (
        SELECT o.id, o.status,
          CASE o.status WHEN 'cancelled' THEN '[]' ELSE (SELECT json_group_array(id) FROM
            (SELECT p.value ->> 'id' AS id FROM json_each(o.promotions) p ORDER BY 1)) END AS shown,
          (SELECT json_group_array(promotion_id) FROM (SELECT promotion_id FROM promotion_redemptions r
            WHERE r.tenant_id = ${tenantId} AND r.order_id = o.id ORDER BY 1)) AS redeemed
        FROM orders o WHERE o.tenant_id = ${tenantId})
      WHERE shown <> redeemed`,
  ),
  rule(
    'a promotion is used as often as it is redeemed, and no more often than it may be',
    (tenantId) => sql`
      SELECT p.id, p.uses, p.max_uses, count(r.order_id) AS redeemed FROM promotions p
      LEFT JOIN promotion_redemptions r ON r.tenant_id = ${tenantId} AND r.promotion_id = p.id
      WHERE p.tenant_id = ${tenantId} GROUP BY p.id
      HAVING p.uses <> redeemed OR redeemed > coalesce(p.max_uses, redeemed)`,
  ),
  rule(
    'no more of a line is sent than was bought, and as much as its parcels hold',
    (tenantId) => sql`
      SELECT l.order_id, l.id, l.quantity, l.fulfilled, coalesce(p.units, 0) AS in_parcels FROM order_lines l
      LEFT JOIN (SELECT f.order_id, i.value ->> 'lineId' AS line_id, sum(i.value ->> 'quantity') AS units
        FROM order_fulfilments f CROSS JOIN json_each(f.items) i
        WHERE f.tenant_id = ${tenantId} AND f.state <> 'cancelled' GROUP BY 1, 2) p
        ON p.order_id = l.order_id AND p.line_id = l.id
      WHERE l.tenant_id = ${tenantId} AND (l.fulfilled > l.quantity OR l.fulfilled <> coalesce(p.units, 0))`,
  ),
];
