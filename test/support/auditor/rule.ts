import { type SQL, sql } from 'drizzle-orm';

/** Something that stored data must hold, as a query for the rows of a tenant that break it. */
export interface Rule {
  /** What holds, as a sentence. */
  readonly name: string;
  readonly broken: (tenantId: number) => SQL;
}

/** Returns a rule whose query is a template in which the only parameter is the tenant. */
export const rule = (name: string, broken: (tenantId: number) => SQL): Rule => ({ name, broken });

/** Units of a refunded line by order and line, of refunds that succeeded: `order_id`, `line_id`, `units`, `restock`. */
export const refundedUnits = (tenantId: number): SQL => sql`
  SELECT r.order_id, i.value ->> 'lineId' AS line_id, i.value ->> 'quantity' AS units,
    i.value ->> 'restock' AS restock, r.source
  FROM refunds r CROSS JOIN json_each(r.items) i WHERE r.tenant_id = ${tenantId} AND r.status = 'succeeded'`;
