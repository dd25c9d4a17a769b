import { type SQL, sql } from 'drizzle-orm';
import { beginsWith, ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { orders } from '../tables.ts';
import { readingsOf } from './order-terms.ts';

/** The most words of a `q` that count. */
const MAX_QUERY_TERMS = 8;
/** A word, tag or promotion with more matches than this is too frequent to start from. */
export const MAX_MATCHES = 1_000;
/** How many of the newest orders are searched when all words are too frequent. */
const MAX_ORDERS_WALKED = 2_000;

/** SQL that holds for terms of which `prefix` is a prefix. */
const startsWith = (prefix: SQL | string): SQL => beginsWith(sql`t.term`, prefix);

/** A word of `q`, and in how many terms it was found, at most one more than {@link MAX_MATCHES}. */
interface FoundTerm {
  readonly term: string;
  readonly found: number;
}

/** Returns the words of `q`, the rarest first. */
async function countTerms({ db, tenantId }: TenantDatabase, terms: readonly string[]): Promise<FoundTerm[]> {
  const counted = await rows<FoundTerm>(
    db,
    sql`SELECT w.value AS term, (SELECT count(*) FROM (SELECT 1 FROM order_terms t
        WHERE t.tenant_id = ${tenantId} AND ${startsWith(sql`w.value`)} LIMIT ${MAX_MATCHES + 1})) AS found
      FROM json_each(${JSON.stringify(terms)}) w`,
  );
  return counted.sort((a, b) => a.found - b.found);
}

/**
 * Returns the condition that each word of `q` is a prefix of a term of the order: its number, e-mail address,
 * name or SKUs. A part such as "j.smith" may also be the beginning of the e-mail address as a whole. With it, whether a
 * page may take reading many orders that are not on it.
 */
export async function searchOf(
  ctx: TenantDatabase,
  q: string,
): Promise<{ readonly condition: SQL; readonly isFar: boolean }> {
  const { tenantId } = ctx;
  const readings = readingsOf(q).map((terms) => terms.slice(0, MAX_QUERY_TERMS));
  const terms = new Set(readings.flat());
  const counted = terms.size > 0 ? await countTerms(ctx, [...terms]) : [];
  const possible = readings
    .map((reading) => counted.filter(({ term }) => reading.includes(term)))
    .filter((found, n) => n === 0 || found.every((one) => one.found > 0));
  const conditions = possible.flatMap((found) => conditionOf(tenantId, found));
  const isFar = possible.some(([rarest]) => rarest !== undefined && rarest.found > MAX_MATCHES);
  if (conditions.length < 2) return { condition: conditions[0] ?? sql`FALSE`, isFar };
  const each = conditions.map(
    (condition) =>
      sql`SELECT orders.id FROM orders WHERE ${ofTenant(orders.tenantId, tenantId)} AND ${condition}`,
  );
  return { condition: sql`orders.id IN (${sql.join(each, sql` UNION ALL `)})`, isFar };
}

/**
 * Returns the condition that an order has all of these terms, the rarest first. It starts from the orders of the
 * rarest one, or where all are frequent from the tenant's newest orders, so that the number of rows read is bounded.
 */
function conditionOf(tenantId: number, [rarest, ...others]: readonly FoundTerm[]): SQL[] {
  if (!rarest) return [];
  const rare = rarest.found <= MAX_MATCHES;
  const start = rare
    ? sql`SELECT t.order_id FROM order_terms t WHERE t.tenant_id = ${tenantId} AND ${startsWith(rarest.term)}`
    : sql`SELECT o.id FROM orders o WHERE o.tenant_id = ${tenantId}
        ORDER BY o.created_at DESC LIMIT ${MAX_ORDERS_WALKED}`;
  const held = (rare ? others : [rarest, ...others]).map(
    ({ term }) => sql`AND EXISTS (SELECT 1 FROM order_terms t
      WHERE t.tenant_id = ${tenantId} AND t.order_id = orders.id AND ${startsWith(term)})`,
  );
  return [sql`orders.id IN (${start}) ${sql.join(held, sql` `)}`];
}
