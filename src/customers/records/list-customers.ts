import { and, count, desc, eq, isNull, lt } from 'drizzle-orm';
import { type ListPage, rowsBefore } from '../../kernel/core/pagination.ts';
import { namedBatch } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { type CustomerRow, customers } from '../tables.ts';
import { matchesWords } from './terms.ts';

/** Customers of a page and the row after it, and the number of those on all pages. */
interface CustomerPage {
  readonly rows: readonly CustomerRow[];
  readonly total: number;
}

/** Returns a page of the tenant's customers, newest first; with `q`, of those whom it finds. */
export async function listCustomers(
  { db, tenantId }: TenantDatabase,
  q: string | undefined,
  page: ListPage<number>,
): Promise<CustomerPage> {
  const found = and(
    eq(customers.tenantId, tenantId),
    isNull(customers.erasedAt),
    q === undefined ? undefined : matchesWords(tenantId, q),
  );
  const { rows, counted } = await namedBatch(db, {
    rows: db
      .select()
      .from(customers)
      .where(and(found, page.after === null ? undefined : lt(customers.id, page.after)))
      .orderBy(desc(customers.id))
      .limit(page.limit + 1)
      .offset(rowsBefore(page)),
    counted: db.select({ total: count() }).from(customers).where(found),
  });
  return { rows, total: counted[0]?.total ?? 0 };
}
