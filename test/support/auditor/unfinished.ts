import { sql } from 'drizzle-orm';
import { rule } from './rule.ts';

/** What an hour of the cron leaves nothing of. */
export const UNFINISHED_RULES = [
  rule(
    'no order waits for its payment, and no cart for its order',
    (tenantId) => sql`
      SELECT id, status, cart_notice FROM orders
      WHERE tenant_id = ${tenantId} AND (status = 'pending' OR cart_notice IS NOT NULL)`,
  ),
  rule(
    'no reservation is held, and none belongs to an order that is not paid',
    (tenantId) => sql`
      SELECT id, cart_id, status FROM reservations
      WHERE tenant_id = ${tenantId} AND status IN ('held', 'ordered')`,
  ),
  rule(
    'no payment and no refund is open',
    (tenantId) => sql`
      SELECT id, order_id, state FROM payments
      WHERE tenant_id = ${tenantId} AND state IN ('open', 'refund_due')
      UNION ALL SELECT id, order_id, status FROM refunds WHERE tenant_id = ${tenantId} AND status = 'pending'`,
  ),
  rule(
    'every event is relayed',
    (tenantId) => sql`
      SELECT id, type, resource FROM outbox WHERE tenant_id = ${tenantId} AND relayed_at IS NULL`,
  ),
  rule(
    'no import runs, and none has left its file',
    (tenantId) => sql`
      SELECT id, status FROM imports WHERE tenant_id = ${tenantId} AND status NOT IN ('done', 'failed', 'cancelled')
      UNION ALL SELECT import_id, 'chunk ' || n FROM import_chunks WHERE tenant_id = ${tenantId}
      UNION ALL SELECT import_id, slug FROM import_products WHERE tenant_id = ${tenantId}`,
  ),
  rule(
    'no message has died',
    (tenantId) => sql`
      SELECT id, queue, error FROM dead_letters WHERE body ->> '$.tenantId' = ${tenantId}`,
  ),
  rule(
    'no category waits to be listed anew',
    (tenantId) => sql`SELECT * FROM relistings WHERE tenant_id = ${tenantId}`,
  ),
];
