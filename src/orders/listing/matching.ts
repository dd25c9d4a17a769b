/** Which orders a list has, as SQL. */
import { type AnyColumn, and, count, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { ofTenant, rows } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { redeemedBy } from '../../promotions/index.ts';
import type { OrderListQuery } from '../schemas.ts';
import { type OrderStatus, orders, type PaymentStatus } from '../tables.ts';
import { tagged } from './order-terms.ts';
import { MAX_MATCHES, searchOf } from './search-orders.ts';
import { sortOf } from './sorting.ts';
import { countsOf, openOrders, stateAccess, WALKED } from './state-access.ts';
import { orderCounts } from './tables.ts';

/** The conditions for the orders of a list: for reading some of them in their order, and for counting them all. */
export interface Matching {
  readonly listed: SQL | undefined;
  readonly counted: SQL | undefined;
  /** The query for the orders of the only filter; null if it is another one, or there are more. */
  readonly named: SQL | null;
  /** Whether a page may take reading many orders that are not on it. */
  readonly isFar: boolean;
  /** The query for pairs of states whose first orders are the list's: see {@link stateAccess}. */
  readonly pairs: SQL | null;
}

/** The orders that a filter by tag or promotion names, and whether they are few. */
interface Named {
  readonly ids: SQL;
  readonly areFew: boolean;
}

const among = (ids: SQL): SQL => sql`orders.id IN (${ids})`;
const isNamed = ({ ids }: Named): SQL =>
  sql`EXISTS (SELECT 1 FROM (${ids}) named WHERE named.order_id = orders.id)`;

/**
 * Returns the conditions for the orders that a query asks for. Those that a few rows of another table name, or that are
 * in rare states, are read by these; otherwise the list is walked in its order, in which a page is found soon.
 */
export async function matching(ctx: TenantDatabase, query: OrderListQuery): Promise<Matching> {
  const { q } = query;
  const named = await namedBy(ctx, query);
  const narrow = await isNarrow(ctx, query);
  const areNamed = q !== undefined || narrow || named.some(({ areFew }) => areFew);
  const states = areNamed ? WALKED : await stateAccess(ctx, query);
  const search = q === undefined ? null : await searchOf(ctx, q);
  const others = [
    ...(search === null ? [] : [search.condition]),
    ...(states.rare === null ? [] : [among(states.rare)]),
    ...conditionsOf(query, narrow),
  ];
  // No index of the list's order may compete with what is to be read first.
  const isFound = search !== null || states.rare !== null || named.some(({ areFew }) => areFew);
  const own = isFound ? ofTenant(orders.tenantId, ctx.tenantId) : eq(orders.tenantId, ctx.tenantId);
  const counted =
    named.length === 0
      ? [own]
      : [ofTenant(orders.tenantId, ctx.tenantId), ...(await counting(ctx, query, named))];
  return {
    listed: and(own, ...named.map((one) => (one.areFew ? among(one.ids) : isNamed(one))), ...others),
    counted: and(...counted, ...others),
    named: filtersOf(query).length === 1 ? (named[0]?.ids ?? null) : null,
    pairs: named.length === 0 ? states.pairs : null,
    isFar: search?.isFar === true || states.isFar || named.some(({ areFew }) => !areFew) || mayBeFar(query),
  };
}

/** Returns what the filters by tag and promotion name. */
function namedBy(ctx: TenantDatabase, { tag, promotion_id }: OrderListQuery): Promise<Named[]> {
  const naming = [
    ...(tag === undefined ? [] : [tagged(ctx.tenantId, tag)]),
    ...(promotion_id === undefined ? [] : [redeemedBy(ctx.tenantId, promotion_id)]),
  ];
  return Promise.all(naming.map(async (ids) => ({ ids, areFew: await hasAtMost(ctx, ids) })));
}

/** So many open orders are looked up one by one rather than all orders of a frequent tag or promotion. */
const MAX_OPEN_LOOKED_UP = 10_000;

/** Returns the conditions by which named orders are counted: from these, or from the open ones if these are fewer. */
async function counting(
  ctx: TenantDatabase,
  { archived }: OrderListQuery,
  named: readonly Named[],
): Promise<SQL[]> {
  const byName = named.map(({ ids }) => among(ids));
  if (archived !== false || named.some(({ areFew }) => areFew)) return byName;
  const [open] = await statesTotal(ctx, { archived });
  const most = open?.total ?? 0;
  if (most > MAX_OPEN_LOOKED_UP) return byName;
  const areFewer = await Promise.all(named.map(({ ids }) => hasAtMost(ctx, ids, most)));
  return areFewer.includes(true) ? byName : [among(openOrders(ctx.tenantId)), ...named.map(isNamed)];
}

/** Returns whether a list's filters may be met by few of the orders that are read in its order. */
const mayBeFar = (query: OrderListQuery): boolean =>
  query.updated_since === undefined ? isSortedApart(query) : query.sort !== undefined || hasState(query);

/** Returns whether a list is of a time and not in the order of time. */
const isSortedApart = (query: OrderListQuery): boolean =>
  hasTime(query) && !['newest', 'oldest'].includes(sortOf(query));

/** Returns whether a list is of a time. */
const hasTime = ({ from, to, created_from, created_to }: OrderListQuery): boolean =>
  [from, to, created_from, created_to].some((value) => value !== undefined);

/** Returns whether a list is limited to orders in some states. */
const hasState = ({ status, payment_status, fulfilment_status, archived }: OrderListQuery): boolean =>
  [status, payment_status, fulfilment_status, archived].some((value) => value !== undefined);

/** Returns whether a query of orders' ids finds at most so many. */
async function hasAtMost({ db }: TenantDatabase, ids: SQL, most = MAX_MATCHES): Promise<boolean> {
  const [row] = await rows<{ found: number }>(
    db,
    sql`SELECT count(*) AS found FROM (${ids} LIMIT ${most + 1})`,
  );
  return (row?.found ?? 0) <= most;
}

/** Returns the condition for a status. A parameter could not be answered from the index of pending orders. */
const isStatus = (status: OrderStatus): SQL =>
  status === 'pending' ? sql`status = 'pending'` : eq(orders.status, status);

/** Returns whether a list is of a shopper's orders, of one order or of changes, and these are few. */
async function isNarrow(ctx: TenantDatabase, query: OrderListQuery): Promise<boolean> {
  const { updated_since, customer_id, email, number } = query;
  if ([customer_id, email, number].some((value) => value !== undefined)) return true;
  if (updated_since === undefined || !hasState(query)) return updated_since !== undefined;
  return hasAtMost(
    ctx,
    sql`SELECT id FROM orders WHERE tenant_id = ${ctx.tenantId} AND updated_at > ${updated_since}`,
  );
}

/**
 * Returns a condition whose index SQLite prefers. It takes both ends of a time for as selective as a shopper, and would read
 * all orders of that time.
 */
const selective = (condition: SQL): SQL => sql`unlikely(${condition})`;

/** Returns the condition for payments; the index of a single status has its orders in the order of time. */
function isPayment(column: SQL, statuses: readonly PaymentStatus[], isOfTime: boolean): SQL {
  const condition = inArray(column, statuses);
  return isOfTime && statuses.length === 1 ? selective(condition) : condition;
}

/** Returns the conditions of the filters by an order's own columns. */
function conditionsOf(query: OrderListQuery, narrow: boolean): SQL[] {
  const { status, payment_status, fulfilment_status, customer_id, email, number } = query;
  const { from, to, created_from, created_to, archived, updated_since } = query;
  // No index of a state may compete with those of what is few.
  const unindexed = (column: AnyColumn): SQL => (narrow ? sql`+${column}` : sql`${column}`);
  const isOfTime = hasTime(query);
  return [
    ...(fulfilment_status === undefined ? [] : [eq(unindexed(orders.fulfilmentStatus), fulfilment_status)]),
    ...(from === undefined ? [] : [gte(orders.createdAt, from)]),
    ...(to === undefined ? [] : [lt(orders.createdAt, to)]),
    ...(updated_since === undefined ? [] : [gt(orders.updatedAt, updated_since)]),
    ...(status === undefined ? [] : [isStatus(status)]),
    ...(payment_status === undefined
      ? []
      : [isPayment(unindexed(orders.paymentStatus), payment_status, isOfTime)]),
    ...(created_from === undefined ? [] : [gte(orders.createdAt, created_from)]),
    ...(created_to === undefined ? [] : [lt(orders.createdAt, created_to)]),
    ...(archived === undefined ? [] : [sql`archived_at IS ${sql.raw(archived ? 'NOT NULL' : 'NULL')}`]),
    ...(customer_id === undefined ? [] : [selective(eq(orders.customerId, customer_id))]),
    ...(email === undefined ? [] : [selective(eq(orders.email, email.toLowerCase()))]),
    ...(number === undefined ? [] : [eq(orders.number, number)]),
  ];
}

/** The filters whose totals are kept: see {@link orderCounts}. */
const STATES: readonly string[] = ['status', 'payment_status', 'fulfilment_status', 'archived'];
/** What a page is, and in which order. */
const PAGING: readonly string[] = ['page', 'limit', 'cursor', 'sort'];

/** Returns the names of the filters of a list. */
const filtersOf = (query: OrderListQuery): string[] =>
  Object.entries(query).flatMap(([name, value]) =>
    value === undefined || PAGING.includes(name) ? [] : [name],
  );

/** Returns the query for the number of orders in the states of a query. */
const statesTotal = ({ db, tenantId }: TenantDatabase, states: Parameters<typeof countsOf>[1]) =>
  db
    .select({ total: sql<number>`coalesce(sum(${orderCounts.total}), 0)` })
    .from(orderCounts)
    .where(countsOf(tenantId, states));

/**
 * Returns the query for the number of orders on all pages, which reads a few rows where the filters are of states alone, and
 * no orders where the only filter is a tag or a promotion.
 */
export function totalOf(
  ctx: TenantDatabase,
  query: OrderListQuery,
  { counted, named }: Pick<Matching, 'counted' | 'named'>,
) {
  if (named !== null) return rows<{ total: number }>(ctx.db, sql`SELECT count(*) AS total FROM (${named})`);
  if (filtersOf(query).every((name) => STATES.includes(name))) return statesTotal(ctx, query);
  return ctx.db.select({ total: count() }).from(orders).where(counted);
}
