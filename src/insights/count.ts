import { type SQL, sql } from 'drizzle-orm';
import { DAY, HOUR, now } from '../kernel/core/clock.ts';
import { type Database, run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { dayOf, hourOf } from './period.ts';

/**
 * How long (ms) counts are kept: two periods of 30 days, and a margin for the time of day and for chores that run
 * late.
 */
export const HOURS_KEPT_MS = 62 * DAY;
/** How long (ms) calls by the hour are kept: until the day in which the longest compared period ends, and a margin. */
export const CALL_HOURS_KEPT_MS = 32 * DAY;
/** How long (ms) units by SKU are kept: one period each. */
export const ITEM_HOURS_KEPT_MS = 25 * HOUR;
export const ITEM_DAYS_KEPT_MS = 31 * DAY;

/** Units of a SKU; negative for those that are taken back. */
export interface SoldItem {
  readonly sku: string;
  readonly productId: number;
  readonly name: string;
  readonly units: number;
}

/** What a change of an order adds to its sale; amounts in minor units. All of it may be negative. */
export interface SaleChange {
  /** When the order was paid (ms): its sale counts for that hour, refunds too. */
  readonly paidAt: number;
  readonly currency: string;
  readonly orders: number;
  readonly sales: number;
  readonly items: readonly SoldItem[];
}

/** Returns the statements that count a change of a sale. They belong in the batch of the order's change. */
export function saleStatements(ctx: TenantDatabase, change: SaleChange): Statement[] {
  const { paidAt, currency, orders, sales } = change;
  if (paidAt <= now() - HOURS_KEPT_MS) return [];
  const counted = orders !== 0 || sales !== 0;
  return [
    ...(counted ? [countHour(ctx, { start: hourOf(paidAt), currency, orders, sales, abandoned: 0 })] : []),
    ...itemStatements(ctx, change),
  ];
}

/** Returns the statement that counts a cart that was abandoned now. */
export const abandonedStatement = (ctx: TenantDatabase, currency: string): Statement =>
  countHour(ctx, { start: hourOf(now()), currency, orders: 0, sales: 0, abandoned: 1 });

interface HourChange {
  readonly start: number;
  readonly currency: string;
  readonly orders: number;
  readonly sales: number;
  readonly abandoned: number;
}

const countHour = ({ db, tenantId }: TenantDatabase, hour: HourChange): Statement =>
  run(
    db,
    sql`INSERT INTO sales_hours (tenant_id, start, currency, orders, sales, abandoned_carts)
      VALUES (${tenantId}, ${hour.start}, ${hour.currency}, ${hour.orders}, ${hour.sales}, ${hour.abandoned})
      ON CONFLICT DO UPDATE SET orders = orders + excluded.orders, sales = sales + excluded.sales,
        abandoned_carts = abandoned_carts + excluded.abandoned_carts`,
  );

function itemStatements({ db, tenantId }: TenantDatabase, { paidAt, items }: SaleChange): Statement[] {
  const changed = items.filter(({ units }) => units !== 0);
  const spans = [
    ...(paidAt > now() - ITEM_HOURS_KEPT_MS ? [['hour', hourOf(paidAt)]] : []),
    ...(paidAt > now() - ITEM_DAYS_KEPT_MS ? [['day', dayOf(paidAt)]] : []),
  ];
  if (changed.length === 0 || spans.length === 0) return [];
  const field = (name: string): SQL => sql`item.value ->> ${name}`;
  return [
    run(
      db,
      sql`INSERT INTO item_sales (tenant_id, span, start, sku, product_id, name, units)
        SELECT ${tenantId}, span.value ->> 0, span.value ->> 1, ${field('sku')}, min(${field('productId')}),
          min(${field('name')}), sum(${field('units')})
        FROM json_each(${JSON.stringify(changed)}) AS item, json_each(${JSON.stringify(spans)}) AS span
        WHERE true GROUP BY 2, 4
        ON CONFLICT DO UPDATE SET units = units + excluded.units,
          name = iif(excluded.units > 0, excluded.name, name),
          product_id = iif(excluded.units > 0, excluded.product_id, product_id)`,
    ),
  ];
}

/** All calls of an application in an hour; `start` is its beginning (ms). */
export interface CallCount {
  readonly start: number;
  readonly calls: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
}

/** How often an application called in some hours. */
interface ApplicationHours {
  readonly tenantId: number;
  readonly applicationId: number;
  readonly hours: readonly CallCount[];
}

/**
 * Returns the statements that store how often an application called in each hour, and the sums of those days. Repeating
 * them changes nothing.
 */
export const callStatements = (db: Database, counted: ApplicationHours): Statement[] => [
  run(
    db,
    sql`INSERT INTO call_hours (tenant_id, start, application_id, calls, client_errors, server_errors)
      SELECT ${counted.tenantId}, value ->> 'start', ${counted.applicationId}, value ->> 'calls',
        value ->> 'clientErrors', value ->> 'serverErrors'
      FROM json_each(${JSON.stringify(counted.hours)}) WHERE true ${KEEP_LARGER}`,
  ),
  sumDays(db, counted),
];

/** Sums up the stored hours of the days in which the given hours lie, each hour found by the table's key. */
function sumDays(db: Database, { tenantId, applicationId, hours }: ApplicationHours): Statement {
  const days = [...new Set(hours.map(({ start }) => dayOf(start)))];
  const starts = days.flatMap((day) => Array.from({ length: DAY / HOUR }, (_, n) => day + n * HOUR));
  return run(
    db,
    sql`INSERT INTO call_days (tenant_id, start, application_id, calls, client_errors, server_errors)
      SELECT ${tenantId}, start - start % ${DAY}, ${applicationId}, sum(calls), sum(client_errors),
        sum(server_errors)
      FROM json_each(${JSON.stringify(starts)}) AS hour CROSS JOIN call_hours
        ON tenant_id = ${tenantId} AND start = hour.value AND application_id = ${applicationId}
      WHERE true GROUP BY 2 ${KEEP_LARGER}`,
  );
}

/** A count never falls: what is written late, or again, does not replace what has been added since. */
const KEEP_LARGER = sql`ON CONFLICT DO UPDATE SET calls = max(calls, excluded.calls),
  client_errors = max(client_errors, excluded.client_errors),
  server_errors = max(server_errors, excluded.server_errors)`;
