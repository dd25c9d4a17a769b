import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { type ListPage, rowsBefore } from '../../kernel/core/pagination.ts';
import { namedBatch, ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { orderFulfilments } from '../fulfilments/tables.ts';
import { refunds } from '../refunds/tables.ts';
import type { OrderKey, OrderListQuery } from '../schemas.ts';
import type { StoredOrder } from '../store.ts';
import { orderLines, orders } from '../tables.ts';
import { type Matching, matching, totalOf } from './matching.ts';
import { afterKey, orderTermsOf, placeColumn, sortOf } from './sorting.ts';

/** A page of orders with their lines. */
export interface OrderPage {
  readonly orders: readonly StoredOrder[];
  /** The number of orders on this page, plus those left out as too large together, plus one if a page follows. */
  readonly found: number;
  /** The number of orders on all pages. */
  readonly total: number;
}

/** The most bytes of the parts of a page's orders, all of which are in memory at once. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** So many orders fit whatever parts they have: those of an order have hardly more than 2 MiB. */
const MAX_LARGE_ORDERS = 8;

/**
 * Returns a page of the tenant's orders in one round trip. If their parts are too large together, a second round trip
 * reads only the first few.
 */
export async function listOrders(
  ctx: TenantDatabase,
  query: OrderListQuery,
  asked: ListPage<OrderKey>,
): Promise<OrderPage> {
  const found = await matching(ctx, query);
  const { page, matches } = await nearPage(ctx, query, { page: asked, matches: found });
  if (page.limit <= MAX_LARGE_ORDERS) return readOrders(ctx, query, { page, matches, most: page.limit });
  const whole = await readOrders(ctx, query, { page, matches, most: null });
  // Every order has lines, unless those of the page were not read.
  const isTooLarge = whole.orders.length > 0 && whole.orders.every(({ lines }) => lines.length === 0);
  return isTooLarge ? readOrders(ctx, query, { page, matches, most: MAX_LARGE_ORDERS }) : whole;
}

/** Orders that the queries for a page and its parts, up to seven, may each pass over before it. */
const MAX_PASSED_OVER = 1_000;

/** A page of the orders that match. */
interface MatchingPage {
  readonly page: ListPage<OrderKey>;
  readonly matches: Matching;
}

/**
 * Returns a page as it is, or one that is far down the list as what follows the order before it, so that only one query
 * passes over all orders before the page. Behind the end of the list nothing matches.
 */
async function nearPage(
  { db }: TenantDatabase,
  query: OrderListQuery,
  { page, matches }: MatchingPage,
): Promise<MatchingPage> {
  if (rowsBefore(page) < MAX_PASSED_OVER) return { page, matches };
  const sort = sortOf(query);
  const [before] = await rows<{ value: number; number: number }>(
    db,
    sql`SELECT ${placeColumn(sort)} AS value, number FROM orders WHERE ${matches.listed}
      ORDER BY ${sql.join(orderTermsOf(sort), sql`, `)} LIMIT 1 OFFSET ${rowsBefore(page) - 1}`,
  );
  return before
    ? { page: { ...page, after: [before.value, before.number] }, matches }
    : { page: { ...page, page: 1 }, matches: { ...matches, listed: sql`FALSE` } };
}

/** What {@link readOrders} reads. */
interface Reading extends MatchingPage {
  /** The most orders; null for all of the page, without their parts where these are too large together. */
  readonly most: number | null;
}

async function readOrders(
  ctx: TenantDatabase,
  query: OrderListQuery,
  { page, matches, most }: Reading,
): Promise<OrderPage> {
  const { db } = ctx;
  const sort = sortOf(query);
  const sorted = orderTermsOf(sort);
  const { after } = page;
  const limit = (most ?? page.limit) + 1;
  const shown = and(matches.listed, after === null ? undefined : afterKey(sort, after));
  const ids = sql`(SELECT id FROM orders WHERE ${shown} ORDER BY ${sql.join(sorted, sql`, `)}
    LIMIT ${limit} OFFSET ${rowsBefore(page)})`;
  const { listed, lines, fulfilments, refunded, counted } = await namedBatch(db, {
    listed: db
      .select()
      .from(orders)
      .where(shown)
      .orderBy(...sorted)
      .limit(limit)
      .offset(rowsBefore(page)),
    ...partsOf(ctx, ids, most === null ? fits(ctx, ids) : sql`TRUE`),
    counted: totalOf(ctx, query, matches.counted),
  });
  const byOrder = <Part extends { orderId: string }>(parts: readonly Part[]) =>
    Map.groupBy(parts, ({ orderId }) => orderId);
  const [linesBy, fulfilmentsBy, refundsBy] = [byOrder(lines), byOrder(fulfilments), byOrder(refunded)];
  return {
    orders: listed.slice(0, limit - 1).map((row) => ({
      row,
      lines: linesBy.get(row.id) ?? [],
      fulfilments: fulfilmentsBy.get(row.id) ?? [],
      refunds: refundsBy.get(row.id) ?? [],
    })),
    found: listed.length,
    total: counted[0]?.total ?? 0,
  };
}

/** Returns the condition that the orders that a subquery selects are not too large together, with their parts. */
const fits = ({ tenantId }: TenantDatabase, ids: SQL): SQL => {
  const lengths = (columns: readonly string[]) =>
    sql.raw(columns.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + '));
  const bytes = (table: string, columns: readonly string[]) =>
    sql`(SELECT coalesce(sum(${lengths(columns)}), 0) FROM ${sql.raw(table)}
      WHERE tenant_id = ${tenantId} AND order_id = listed.id)`;
  const own = sql`(SELECT ${lengths(['metadata', 'tags', 'promotions', 'note'])} FROM orders
    WHERE id = listed.id AND ${ofTenant('tenant_id', tenantId)})`;
  return sql`(SELECT coalesce(sum(${own} + ${bytes('order_lines', ['options', 'links', 'selected', 'stock', 'image'])}
    + ${bytes('order_fulfilments', ['items', 'tracking'])} + ${bytes('refunds', ['items', 'reason'])}), 0)
    FROM ${ids} listed) <= ${MAX_PAGE_BYTES}`;
};

/** Returns the queries for the lines, fulfilments and refunds, if they fit, of the orders that a subquery selects. */
const partsOf = ({ db, tenantId }: TenantDatabase, ids: SQL, fit: SQL) => ({
  lines: db
    .select()
    .from(orderLines)
    .where(and(eq(orderLines.tenantId, tenantId), sql`${orderLines.orderId} IN ${ids}`, fit))
    .orderBy(asc(orderLines.id)),
  fulfilments: db
    .select()
    .from(orderFulfilments)
    .where(and(eq(orderFulfilments.tenantId, tenantId), sql`${orderFulfilments.orderId} IN ${ids}`, fit))
    .orderBy(asc(orderFulfilments.position)),
  refunded: db
    .select()
    .from(refunds)
    .where(and(eq(refunds.tenantId, tenantId), sql`${refunds.orderId} IN ${ids}`, fit))
    .orderBy(asc(refunds.createdAt), asc(refunds.id)),
});
