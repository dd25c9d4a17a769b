import { sql } from 'drizzle-orm';
import { DAY, HOUR, now } from '../kernel/core/clock.ts';
import { type Database, jsonList, rows, run, type Statement } from '../kernel/data/database.ts';
import { settled } from '../kernel/data/fences.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';

/** Number of days, today included, whose sales count. */
const SALES_WINDOW_DAYS = 30;
/** How long a ranking of a tenant's best sellers stays as it is (ms). */
const RANKING_INTERVAL_MS = HOUR;

const dayOf = (ms: number): number => Math.floor(ms / DAY);

/** The last day whose sales no longer count. */
const lastPastDay = (): number => dayOf(now()) - SALES_WINDOW_DAYS;

/** The units that an order sells; negative for those that are taken back. */
interface Sale {
  readonly items: readonly { readonly productId: number; readonly units: number }[];
  readonly paidAt: number;
}

/**
 * Returns the statements that count a sale on the day of its payment, or take it back. They belong in the batch
 * of the order's change, which makes sure that each happens once.
 */
export function countSale({ db, tenantId }: TenantDatabase, { items, paidAt }: Sale): Statement[] {
  const day = dayOf(paidAt);
  const sold = items.flatMap(({ productId, units }) => (units === 0 ? [] : [[productId, units]]));
  if (sold.length === 0 || day <= lastPastDay()) return [];
  return [
    run(
      db,
      sql`INSERT INTO product_sales (tenant_id, product_id, day, quantity)
        SELECT ${tenantId}, value ->> 0, ${day}, sum(value ->> 1) FROM json_each(${JSON.stringify(sold)})
        WHERE true GROUP BY value ->> 0
        ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity`,
    ),
    run(
      db,
      sql`INSERT INTO sales_rankings (tenant_id, due_at) VALUES (${tenantId}, ${now()}) ON CONFLICT DO NOTHING`,
    ),
  ];
}

/** Returns the query for at most `limit` tenants whose best sellers have to be ranked. */
export const dueRankings = (db: Database, limit: number) =>
  rows<{ tenantId: number }>(
    db,
    sql`SELECT tenant_id AS tenantId FROM sales_rankings WHERE due_at <= ${now()} AND ${settled()} ORDER BY due_at LIMIT ${limit}`,
  );

/** A product of a ranking, and the quantity sold within the window. */
interface RecentSales {
  readonly id: number;
  readonly sold: number;
}

/** Returns the query for the next products of the tenant's ranking that is due, in the order of their ids. */
export const nextToRank = ({ db, tenantId }: TenantDatabase, limit: number) =>
  rows<RecentSales>(
    db,
    sql`SELECT product_id AS id, max(0, sum(iif(day > ${lastPastDay()}, quantity, 0))) AS sold FROM product_sales
      WHERE tenant_id = ${tenantId} AND product_id > (SELECT cursor FROM sales_rankings
        WHERE tenant_id = ${tenantId} AND due_at <= ${now()})
      GROUP BY product_id ORDER BY product_id LIMIT ${limit}`,
  );

/**
 * Returns the statements that note these products as ranked, and delete their sales that no longer count.
 * Without products the ranking is complete: it is due again later, or ends when nothing was sold.
 */
export function noteRanked({ db, tenantId }: TenantDatabase, ids: readonly number[]): Statement[] {
  const last = ids.at(-1);
  const own = sql`tenant_id = ${tenantId}`;
  if (last === undefined) {
    return [
      run(
        db,
        sql`UPDATE sales_rankings SET cursor = 0, due_at = ${now() + RANKING_INTERVAL_MS} WHERE ${own}`,
      ),
      run(
        db,
        sql`DELETE FROM sales_rankings WHERE ${own}
          AND NOT EXISTS (SELECT 1 FROM product_sales WHERE ${own})`,
      ),
    ];
  }
  return [
    run(
      db,
      sql`DELETE FROM product_sales WHERE ${own} AND product_id IN (${jsonList(ids)})
        AND (day <= ${lastPastDay()} OR quantity = 0)`,
    ),
    // A step that is written after another run ended the ranking must not advance the next one.
    run(db, sql`UPDATE sales_rankings SET cursor = max(cursor, ${last}) WHERE ${own} AND due_at <= ${now()}`),
  ];
}
