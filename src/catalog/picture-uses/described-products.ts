import { type SQL, sql } from 'drizzle-orm';
import { MAX_PAGE_BYTES } from '../reads/page-rows.ts';

/**
 * Returns the query for the name and the alternative texts (`alts`: JSON by URL) of the products whose `id` a subquery
 * selects, newest first, up to the one with which the texts have more than {@link MAX_PAGE_BYTES}.
 */
export const describedProducts = (
  tenantId: number,
  ids: SQL,
): SQL => sql`SELECT p.id, p.name, p.image_alts AS alts
  FROM (SELECT s.id, coalesce(sum(octet_length(s.image_alts)) OVER earlier, 0) AS bytes_before
    FROM (${ids}) asked CROSS JOIN products s ON s.id = asked.id AND s.tenant_id = ${tenantId} AND s.deleted_at IS NULL
    WINDOW earlier AS (ORDER BY s.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) fitting
  CROSS JOIN products p ON p.id = fitting.id AND p.tenant_id = ${tenantId}
  WHERE fitting.bytes_before <= ${MAX_PAGE_BYTES}`;
