import { sql } from 'drizzle-orm';
import { rule } from './rule.ts';

/** What was paid, kept and refunded. */
export const MONEY_RULES = [
  rule(
    'no more of an order is refunded than was paid, and its payment status says how much',
    // A payment that a paid order couldn't use doesn't count; one of a cancelled order does.
    (tenantId) => sql`
      WITH counted AS (
        SELECT p.id, p.order_id, p.amount,
          (SELECT coalesce(sum(amount), 0) FROM refunds r
            WHERE r.tenant_id = ${tenantId} AND r.payment_id = p.id AND r.status = 'succeeded') AS refunded,
          (SELECT coalesce(sum(amount), 0) FROM refunds r
            WHERE r.tenant_id = ${tenantId} AND r.payment_id = p.id AND r.status <> 'failed') AS taken
        FROM payments p JOIN orders o ON o.id = p.order_id
        WHERE p.tenant_id = ${tenantId} AND p.state IN ('paid', 'refund_due', 'refunded')
          AND (o.status = 'cancelled' OR NOT EXISTS (SELECT 1 FROM refunds s
            WHERE s.tenant_id = ${tenantId} AND s.payment_id = p.id AND s.source = 'surplus')))
      SELECT o.id, o.payment_status, count(c.id) AS payments, coalesce(sum(c.amount), 0) AS received,
        coalesce(sum(c.refunded), 0) AS returned, coalesce(sum(c.taken), 0) AS due
      FROM orders o LEFT JOIN counted c ON c.order_id = o.id
      WHERE o.tenant_id = ${tenantId} GROUP BY o.id
      HAVING due > received OR (o.payment_status = 'unpaid') <> (payments = 0)
        OR (received > 0 AND o.payment_status <> CASE WHEN returned = 0 THEN 'paid'
          WHEN returned < received THEN 'partially_refunded' ELSE 'refunded' END)`,
  ),
  rule(
    'an order for which nothing was paid is refunded once all of its units are',
    (tenantId) => sql`
      WITH named AS (
        SELECT r.order_id, i.value ->> 'lineId' AS line_id, sum(i.value ->> 'quantity') AS units
        FROM refunds r CROSS JOIN json_each(r.items) i
        WHERE r.tenant_id = ${tenantId} AND r.status = 'succeeded' GROUP BY 1, 2)
      SELECT o.id, o.payment_status, sum(l.quantity) AS bought, coalesce(sum(n.units), 0) AS refunded
      FROM orders o JOIN order_lines l ON l.tenant_id = ${tenantId} AND l.order_id = o.id
      LEFT JOIN named n ON n.order_id = o.id AND n.line_id = l.id
      WHERE o.tenant_id = ${tenantId} AND o.status = 'paid' AND o.grand_total = 0 GROUP BY o.id
      HAVING o.payment_status <> iif(refunded = bought, 'refunded', 'paid')`,
  ),
  rule(
    'the lines of an order, its shipping and its tax add up to what was paid',
    (tenantId) => sql`
      SELECT o.id, o.grand_total, o.subtotal, o.discount, o.shipping, o.tax, sum(l.subtotal) AS lines
      FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE o.tenant_id = ${tenantId} GROUP BY o.id
      HAVING sum(l.subtotal) <> o.subtotal OR sum(l.discount) <> o.discount OR o.discount > o.subtotal
        OR sum(l.tax) > o.tax
        OR o.grand_total <> o.subtotal - o.discount + o.shipping + CASE o.tax_included WHEN 1 THEN 0 ELSE o.tax END`,
  ),
  rule(
    'what promotions deduct adds up to the discount of an order and of each of its lines',
    (tenantId) => sql`
      SELECT o.id, o.discount, o.promotions, NULL AS line FROM orders o WHERE o.tenant_id = ${tenantId}
        AND o.discount <> (SELECT coalesce(sum(value ->> 'amount'), 0) FROM json_each(o.promotions))
      UNION ALL
      SELECT l.order_id, l.discount, l.discounts, l.id FROM order_lines l WHERE l.tenant_id = ${tenantId}
        AND l.discount <> (SELECT coalesce(sum(value ->> 'amount'), 0) FROM json_each(l.discounts))`,
  ),
  rule(
    'each event of an order says the total that was charged',
    // In euros, in which the shops of these tests sell.
    (tenantId) => sql`
      SELECT e.id, e.type, o.grand_total, e.data ->> '$.totals.grand_total' AS said FROM orders o
      JOIN outbox e ON e.tenant_id = ${tenantId} AND e.resource = 'order:' || o.id
      WHERE o.tenant_id = ${tenantId} AND o.currency = 'EUR'
        AND coalesce(round(100 * (e.data ->> '$.totals.grand_total')), -1) <> o.grand_total`,
  ),
  rule(
    'a payment allows as much to be refunded as refunds take, and a line as many units',
    (tenantId) => sql`
      WITH taking AS (SELECT * FROM refunds WHERE tenant_id = ${tenantId} AND status <> 'failed'),
      taken AS (
        SELECT payment_id AS subject, order_id, sum(amount) AS used FROM taking GROUP BY 1, 2
        UNION ALL
        SELECT 'line_' || (i.value ->> 'lineId'), order_id, sum(i.value ->> 'quantity')
        FROM taking CROSS JOIN json_each(items) i WHERE source <> 'surplus' GROUP BY 1, 2),
      allowed AS (SELECT * FROM refund_allowances WHERE tenant_id = ${tenantId})
      SELECT t.order_id, t.subject, t.used AS taken, a.used AS allowed FROM taken t
      LEFT JOIN allowed a ON a.order_id = t.order_id AND a.subject = t.subject WHERE coalesce(a.used, 0) <> t.used
      UNION ALL
      SELECT a.order_id, a.subject, 0, a.used FROM allowed a WHERE a.used > 0 AND NOT EXISTS (
        SELECT 1 FROM taken t WHERE t.order_id = a.order_id AND t.subject = a.subject)`,
  ),
  rule(
    'each refund that succeeded has one event, and no refund has two',
    (tenantId) => sql`
      SELECT r.id, r.order_id, r.status, count(o.id) AS events FROM refunds r
      LEFT JOIN outbox o ON o.tenant_id = ${tenantId} AND o.resource = 'order:' || r.order_id
        AND o.type = 'order.refunded' AND o.data ->> '$.refund.id' = r.id
      WHERE r.tenant_id = ${tenantId} AND NOT EXISTS (SELECT 1 FROM refunds s
        WHERE s.tenant_id = ${tenantId} AND s.payment_id = r.payment_id AND s.source = 'surplus') GROUP BY r.id
      HAVING events > 1 OR (r.status = 'succeeded' AND events = 0)`,
  ),
];
