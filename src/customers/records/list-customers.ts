import { and, asc, count, desc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { type ListPage, rowsBefore, totalIn, unlessCounted } from '../../kernel/core/pagination.ts';
import { jsonList, namedBatch } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type CustomerRow, customerCounts, customers } from '../tables.ts';
import type { CustomerKey, CustomerListQuery, CustomerSort } from './schemas.ts';
import { searchOf } from './search-customers.ts';

/** Customers of a page and the row after it, and the number of those on all pages. */
interface CustomerPage {
  readonly rows: readonly CustomerRow[];
  readonly total: number;
}

/** Returns the place of a customer in the list. */
export function customerKey(sort: CustomerSort, { id, updatedAt }: CustomerRow): CustomerKey {
  if (sort === 'newest') return id;
  return sort === 'oldest' ? [id, sort] : [id, sort, updatedAt];
}

/** Returns the sort of a list: newest first by default, or by change where changes are asked for. */
export const sortOf = ({ sort, updated_since }: Pick<CustomerListQuery, 'sort' | 'updated_since'>) =>
  sort ?? (updated_since === undefined ? 'newest' : 'updated');

/** The terms of ORDER BY of each sort. */
const TERMS = {
  newest: [desc(customers.id)],
  oldest: [asc(customers.id)],
  updated: [asc(customers.updatedAt), asc(customers.id)],
} as const satisfies Record<CustomerSort, unknown>;

/** Returns the sort that a place belongs to. */
export const sortOfKey = (key: CustomerKey): CustomerSort => (typeof key === 'number' ? 'newest' : key[1]);

/** Returns the condition for the customers after a place. */
function afterKey(key: CustomerKey): SQL {
  if (typeof key === 'number') return lt(customers.id, key);
  const [id, sort, updatedAt] = key;
  return sort === 'oldest'
    ? gt(customers.id, id)
    : sql`(${customers.updatedAt}, ${customers.id}) > (${updatedAt}, ${id})`;
}

/** Returns the condition on `customer_id` of a term for the customers after a page's cursor. */
function termsAfter({ after, counted }: ListPage<CustomerKey>): SQL {
  // The total, if it is counted, is of all pages.
  if (after === null || counted === undefined) return sql`TRUE`;
  // Without the index on it.
  if (typeof after === 'number') return sql`+customer_id < ${after}`;
  return after[1] === 'oldest' ? sql`+customer_id > ${after[0]}` : sql`TRUE`;
}

/** Returns a page of the tenant's customers; with `ids` and `q`, of those whom they name. */
export async function listCustomers(
  ctx: TenantDatabase,
  query: CustomerListQuery,
  page: ListPage<CustomerKey>,
): Promise<CustomerPage> {
  const { db, tenantId } = ctx;
  const { ids, q, sort, updated_since } = query;
  const found = and(
    eq(customers.tenantId, tenantId),
    isNull(customers.erasedAt),
    ids && sql`${customers.id} IN (${jsonList(ids)})`,
    q === undefined ? undefined : await searchOf(ctx, q, { page, after: termsAfter(page) }),
    updated_since === undefined ? undefined : gt(customers.updatedAt, updated_since),
  );
  const { rows, counted } = await namedBatch(db, {
    rows: db
      .select()
      .from(customers)
      .where(and(found, page.after === null ? undefined : afterKey(page.after)))
      .orderBy(...TERMS[sortOf({ sort, updated_since })])
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    ...unlessCounted(page, totalOf(ctx, query, found)),
  });
  return { rows, total: totalIn(page, counted) };
}

/** Returns the query for the number of customers on all pages, which reads one row where there is no filter. */
const totalOf = (
  { db, tenantId }: TenantDatabase,
  { ids, q, updated_since }: CustomerListQuery,
  found: SQL | undefined,
) =>
  ids === undefined && q === undefined && updated_since === undefined
    ? db
        .select({ total: customerCounts.total })
        .from(customerCounts)
        .where(eq(customerCounts.tenantId, tenantId))
    : db.select({ total: count() }).from(customers).where(found);
