import { type SQL, sql } from 'drizzle-orm';
import { run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';

/** The customer to erase, with queries for the ids of their carts and orders. */
interface ErasureScope {
  readonly customerId: number;
  readonly carts: SQL;
  readonly orders: SQL;
}

/**
 * Returns the statements that remove a customer's personal data from checkout sessions. Another customer's
 * sessions of the same carts stay unchanged.
 */
export function forgetBuyers(
  { db, tenantId }: TenantDatabase,
  { customerId, carts, orders }: ErasureScope,
): Statement[] {
  const forget = (condition: SQL) =>
    run(
      db,
      sql`UPDATE checkout_sessions SET buyer = '{}',
          snapshot = json_set(snapshot, '$.customerId', NULL, '$.email', NULL, '$.address', NULL)
        WHERE tenant_id = ${tenantId} AND ${condition}`,
    );
  return [
    forget(sql`order_id IN (${orders})`),
    forget(sql`cart_id IN (${carts}) AND coalesce(snapshot ->> 'customerId', ${customerId}) = ${customerId}`),
  ];
}
