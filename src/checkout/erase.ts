import { type SQL, sql } from 'drizzle-orm';
import { type Database, run, type Statement } from '../kernel/data/database.ts';

/** Whose sessions they are: queries of the ids of the customer's carts and orders. */
interface Whose {
  readonly customerId: number;
  readonly carts: SQL;
  readonly orders: SQL;
}

/** The statements that take a customer's person out of checkout sessions; a cart of somebody else's stays. */
export function forgetBuyers(
  db: Database,
  tenantId: number,
  { customerId, carts, orders }: Whose,
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
