import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm';
import { type ListPage, rowsBefore, totalIn, unlessCounted } from '../../kernel/core/pagination.ts';
import { jsonList, namedBatch, ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { orderFulfilments } from '../fulfilments/tables.ts';
import { refunds } from '../refunds/tables.ts';
import type { OrderKey, OrderListQuery, OrderSort } from '../schemas.ts';
import type { StoredOrder } from '../store.ts';
import { orderLines, orders } from '../tables.ts';
import { type Matching, matching, totalOf } from './matching.ts';
import { afterKey, orderTermsOf, sortOf } from './sorting.ts';
import { firstOfStates } from './state-access.ts';

/** A page of orders with their lines. */
interface OrderPage {
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
 * Returns a page of the tenant's orders: in one round trip where it is soon found, see {@link matching}. If their parts are
 * too large together, another round trip reads only the first few.
 */
export async function listOrders(
  ctx: TenantDatabase,
  query: OrderListQuery,
  asked: ListPage<OrderKey>,
): Promise<OrderPage> {
  const near = await nearPage(ctx, query, { page: asked, matches: await matching(ctx, query) });
  if (asked.limit <= MAX_LARGE_ORDERS) return readOrders(ctx, query, { ...near, most: asked.limit });
  const whole = await readOrders(ctx, query, { ...near, most: null });
  // Every order has lines, unless those of the page were not read.
  const isTooLarge = whole.orders.length > 0 && whole.orders.every(({ lines }) => lines.length === 0);
  return isTooLarge ? readOrders(ctx, query, { ...near, most: MAX_LARGE_ORDERS }) : whole;
}

/** Orders that the queries for a page and its parts, up to seven, may each pass over before it. */
const MAX_PASSED_OVER = 1_000;

/** A page of the orders that match. */
interface MatchingPage {
  readonly page: ListPage<OrderKey>;
  readonly matches: Matching;
  /** The number of orders on it, plus one if a page follows; undefined until that is known. */
  readonly found?: number;
}

/**
 * Returns a page as it is, or one that takes passing over many orders as the ids of its orders, so that only one query
 * passes over them. In the order of changes, one that changes meanwhile leaves the page: it is after others now.
 */
async function nearPage(
  { db, tenantId }: TenantDatabase,
  query: OrderListQuery,
  { page, matches }: MatchingPage,
): Promise<MatchingPage> {
  if (rowsBefore(page) < MAX_PASSED_OVER && !matches.isFar) return { page, matches };
  const sort = sortOf(query);
  const found = await rows<{ id: string; at: number }>(
    db,
    matches.pairs === null
      ? placesOf(sort, { page, matches, most: null }, sql`id, updated_at AS at`)
      : firstOfStates(matches.pairs, {
          tenantId,
          shown: shownOf(sort, { page, matches }),
          order: orderBy(sort),
          offset: rowsBefore(page),
          limit: page.limit + 1,
        }),
  );
  const listed = and(
    ofTenant(orders.tenantId, tenantId),
    sql`orders.id IN (${jsonList(found.map(({ id }) => id))})`,
    sort === 'updated' ? lte(orders.updatedAt, Math.max(0, ...found.map(({ at }) => at))) : undefined,
  );
  return {
    page: { ...page, page: 1, after: null },
    matches: { ...matches, listed },
    found: found.length,
  };
}

/** What {@link readOrders} reads. */
interface Reading extends MatchingPage {
  /** The most orders; null for all of the page, without their parts where these are too large together. */
  readonly most: number | null;
}

async function readOrders(
  ctx: TenantDatabase,
  query: OrderListQuery,
  { page, matches, most, found }: Reading,
): Promise<OrderPage> {
  const { db } = ctx;
  const sort = sortOf(query);
  const limit = (most ?? page.limit) + 1;
  const ids = sql`(${placesOf(sort, { page, matches, most }, sql`id`)})`;
  const { listed, lines, fulfilments, refunded, counted } = await namedBatch(db, {
    listed: db
      .select()
      .from(orders)
      .where(shownOf(sort, { page, matches }))
      .orderBy(...orderTermsOf(sort))
      .limit(limit)
      .offset(rowsBefore(page)),
    ...partsOf(ctx, ids, most === null ? fits(ctx, ids) : sql`TRUE`),
    ...unlessCounted(page, totalOf(ctx, query, matches)),
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
    found: found ?? listed.length,
    total: totalIn(page, counted),
  };
}

/** Returns the condition for the orders from the first of a page on, or from the first of the list. */
const shownOf = (sort: OrderSort, { page: { after }, matches }: MatchingPage): SQL | undefined =>
  and(matches.listed, after === null ? undefined : afterKey(sort, after));

const orderBy = (sort: OrderSort): SQL => sql.join(orderTermsOf(sort), sql`, `);

/** Returns the query for columns of a page's orders, and of the one behind it. */
const placesOf = (sort: OrderSort, { page, matches, most }: Reading, columns: SQL): SQL =>
  sql`SELECT ${columns} FROM orders WHERE ${shownOf(sort, { page, matches })}
    ORDER BY ${orderBy(sort)} LIMIT ${(most ?? page.limit) + 1} OFFSET ${rowsBefore(page)}`;

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
