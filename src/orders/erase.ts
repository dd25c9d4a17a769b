import { type SQL, sql } from 'drizzle-orm';
import { redactEvents } from '../events/index.ts';
import type { Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';

/** Returns the query for the ids of a customer's orders. */
export const ordersOf = (tenantId: number, customerId: number): SQL =>
  sql`SELECT id FROM orders WHERE tenant_id = ${tenantId} AND customer_id = ${customerId}`;

/**
 * Returns the statement that removes a customer's personal data from the events of their orders. The address
 * keeps only its country.
 */
export const redactOrderEvents = (ctx: TenantDatabase, customerId: number): Statement =>
  redactEvents(
    ctx,
    sql`SELECT 'order:' || id FROM (${ordersOf(ctx.tenantId, customerId)})`,
    sql`json_set(data, '$.customer', json('{"id":null,"name":null,"email":null,"phone":null}'),
      '$.addresses.shipping', CASE WHEN data -> '$.addresses.shipping' = 'null' THEN NULL
        ELSE json_object('country', data ->> '$.addresses.shipping.country') END)`,
  );
