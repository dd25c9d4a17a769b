import { and, asc, count, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { type ListPage, rowsBefore } from '../../kernel/core/pagination.ts';
import { jsonList, namedBatch } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type CustomerRow, customers } from '../tables.ts';
import type { CustomerKey, CustomerListQuery, CustomerSort } from './schemas.ts';
import { matchesWords } from './terms.ts';

/** Customers of a page and the row after it, and the number of those on all pages. */
interface CustomerPage {
  readonly rows: readonly CustomerRow[];
  readonly total: number;
}

/** Returns the place of a customer in the list. */
export const customerKey = (sort: CustomerSort, { id }: CustomerRow): CustomerKey =>
  sort === 'newest' ? id : [id, sort];

/** Returns the sort that a place belongs to. */
export const sortOfKey = (key: CustomerKey): CustomerSort => (typeof key === 'number' ? 'newest' : key[1]);

/** Returns the condition for the customers after a place. */
const afterKey = (key: CustomerKey) =>
  typeof key === 'number' ? lt(customers.id, key) : gt(customers.id, key[0]);

/** Returns a page of the tenant's customers by registration; with `ids` and `q`, of those whom they name. */
export async function listCustomers(
  { db, tenantId }: TenantDatabase,
  { ids, q, sort }: Pick<CustomerListQuery, 'ids' | 'q' | 'sort'>,
  page: ListPage<CustomerKey>,
): Promise<CustomerPage> {
  const found = and(
    eq(customers.tenantId, tenantId),
    isNull(customers.erasedAt),
    ids && sql`${customers.id} IN (${jsonList(ids)})`,
    q === undefined ? undefined : matchesWords(tenantId, q),
  );
  const { rows, counted } = await namedBatch(db, {
    rows: db
      .select()
      .from(customers)
      .where(and(found, page.after === null ? undefined : afterKey(page.after)))
      .orderBy(sort === 'newest' ? desc(customers.id) : asc(customers.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    counted: db.select({ total: count() }).from(customers).where(found),
  });
  return { rows, total: counted[0]?.total ?? 0 };
}
