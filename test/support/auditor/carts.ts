import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { checkoutPort } from '../../../src/cart/index.ts';
import { database, rows } from '../../../src/kernel/data/database.ts';
import type { Fault } from './rule.ts';

/**
 * Returns the carts that are locked by another order than the one that stands, or in another state. That of an agent
 * stands once it was paid, also if it is cancelled.
 */
export async function cartFaults(tenantId: number): Promise<Fault[]> {
  const found = await rows<{ cart: string; id: string | null; status: string | null }>(
    database(env, tenantId),
    sql`SELECT c.cart_id AS cart, o.id, iif(o.status = 'cancelled', 'paid', o.status) AS status FROM (
        SELECT cart_id FROM orders WHERE tenant_id = ${tenantId}
        UNION SELECT cart_id FROM reservations WHERE tenant_id = ${tenantId}) c
      LEFT JOIN orders o ON o.tenant_id = ${tenantId} AND o.cart_id = c.cart_id
        AND (o.status <> 'cancelled' OR (o.agent IS NOT NULL AND o.paid_at IS NOT NULL))`,
  );
  const broken = await Promise.all(
    found.map(async ({ cart, id, status }) => {
      const standing = await checkoutPort({ env, tenantId }, cart).standing();
      if (!standing.ok) return [{ cart, failure: standing.failure.code }];
      const { order } = standing.value;
      const agrees = order?.id === (id ?? undefined) && order?.state === (status ?? undefined);
      return agrees ? [] : [{ cart, ordered: [id, status], locked: order }];
    }),
  );
  const faults = broken.flat();
  return faults.length > 0 ? [{ rule: 'a cart is locked by the order that stands', rows: faults }] : [];
}
