import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { database, rows } from '../../../src/kernel/data/database.ts';
import { tenantIndex } from '../../../src/search/database.ts';
import type { Fault } from './rule.ts';

interface Indexed {
  readonly id: number;
  readonly name: string;
}

/** Returns the products that search shows otherwise than the catalogue. Only for a shop whose queue is empty. */
export async function searchFaults(tenantId: number): Promise<Fault[]> {
  const [sold, found] = await Promise.all([
    rows<Indexed>(
      database(env, tenantId),
      sql`SELECT id, name FROM products
        WHERE tenant_id = ${tenantId} AND status = 'active' AND deleted_at IS NULL`,
    ),
    tenantIndex({ env, tenantId })
      .db.prepare(
        `SELECT product_id AS id, item ->> '$.name' AS name FROM search_documents
        WHERE tenant_id = ? AND place IS NOT NULL`,
      )
      .bind(tenantId)
      .all<Indexed>(),
  ]);
  const names = new Map(found.results.map(({ id, name }) => [id, name]));
  const stale = sold.filter(({ id, name }) => names.get(id) !== name);
  const ids = new Set(sold.map(({ id }) => id));
  const gone = found.results.filter(({ id }) => !ids.has(id));
  const faults = [...stale, ...gone];
  return faults.length > 0 ? [{ rule: 'search shows the products that are sold', rows: faults }] : [];
}
