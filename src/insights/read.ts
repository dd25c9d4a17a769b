import { type SQL, sql } from 'drizzle-orm';
import { DAY } from '../kernel/core/clock.ts';
import { namedBatch, rows } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { dayOf, type Period, type Window } from './period.ts';

/** Best sellers of a period. */
const MAX_BEST_SELLERS = 5;
/** The most applications whose calls are listed, those with the most calls. */
const MAX_APPLICATIONS = 20;

/** The number of the part that stands for the whole period before. */
export const PREVIOUS = -1;

/** What one currency brought in within a part of the period; amounts in minor units. */
export interface SalesPart {
  readonly currency: string;
  readonly part: number;
  readonly orders: number;
  readonly sales: number;
  readonly abandoned: number;
}

/** The calls of all applications within a part of the period. */
export interface CallsPart {
  readonly part: number;
  readonly calls: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
}

/** The calls of one application within the period. */
export interface ApplicationCalls extends Omit<CallsPart, 'part'> {
  readonly applicationId: number;
}

/** A SKU and how often it was sold within the period. */
export interface BestSeller {
  readonly sku: string;
  readonly productId: number;
  readonly name: string;
  readonly units: number;
}

/** The number of an hour's part: from 0 on, or {@link PREVIOUS} in the period before. D1 may bind numbers as reals. */
const partOf = ({ from, width }: Window): SQL =>
  sql`iif(start < ${from}, ${PREVIOUS}, cast((start - ${from}) / ${width} AS integer))`;

/** The hours of the period, and of the one before. */
const inWindow = ({ from, lastHour, shift }: Window): SQL =>
  sql`(start BETWEEN ${from} AND ${lastHour} OR start BETWEEN ${from - shift} AND ${lastHour - shift})`;

/**
 * The calls of the period and of the one before: of the last 24 hours by the hour, of longer periods by the day, but for
 * the day in which the compared period ends.
 */
function countedCalls(tenantId: number, period: Period, window: Window): SQL {
  const hours = sql`SELECT * FROM call_hours WHERE tenant_id = ${tenantId}`;
  if (period === '24h') return sql`${hours} AND ${inWindow(window)}`;
  const { from, lastHour, shift } = window;
  const lastDay = dayOf(lastHour - shift);
  return sql`SELECT * FROM call_days WHERE tenant_id = ${tenantId}
      AND (start BETWEEN ${from} AND ${lastHour} OR start BETWEEN ${from - shift} AND ${lastDay - 1})
    UNION ALL ${hours} AND start BETWEEN ${lastDay} AND ${lastHour - shift}`;
}

/** Reads the counts of a period and of the one before, in one round trip. */
export function readCounts({ db, tenantId }: TenantDatabase, period: Period, window: Window) {
  const span = period === '24h' ? 'hour' : 'day';
  const ofTenant = sql`tenant_id = ${tenantId}`;
  const sums = sql`sum(calls) AS calls, sum(client_errors) AS clientErrors, sum(server_errors) AS serverErrors`;
  const counted = countedCalls(tenantId, period, window);
  return namedBatch(db, {
    sales: rows<SalesPart>(
      db,
      sql`SELECT currency, ${partOf(window)} AS part, sum(orders) AS orders, sum(sales) AS sales,
          sum(abandoned_carts) AS abandoned
        FROM sales_hours WHERE ${ofTenant} AND ${inWindow(window)} GROUP BY currency, part`,
    ),
    // A bare column beside max() is of the row with the maximum.
    bestSellers: rows<BestSeller & { latest: number }>(
      db,
      sql`SELECT sku, product_id AS productId, name, sum(units) AS units, max(start) AS latest FROM item_sales
        WHERE ${ofTenant} AND span = ${span} AND start BETWEEN ${window.from} AND ${window.lastHour + DAY}
        GROUP BY sku HAVING sum(units) > 0 ORDER BY units DESC, sku LIMIT ${MAX_BEST_SELLERS}`,
    ),
    calls: rows<CallsPart>(
      db,
      sql`SELECT ${partOf(window)} AS part, ${sums} FROM (${counted}) GROUP BY part`,
    ),
    applications: rows<ApplicationCalls>(
      db,
      sql`SELECT application_id AS applicationId, ${sums} FROM (${counted}) WHERE start >= ${window.from}
        GROUP BY application_id ORDER BY 2 DESC, 1 LIMIT ${MAX_APPLICATIONS}`,
    ),
  });
}

/** The counts of a period. */
export type Counts = Awaited<ReturnType<typeof readCounts>>;
