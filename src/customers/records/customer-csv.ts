import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { csvPage } from '../../kernel/http/csv.ts';
import type { CustomerRecord } from '../schemas.ts';

/** The names of the columns. */
export const CSV_COLUMNS = ['id', 'name', 'email', 'phone', 'created_at', 'updated_at'] as const;

/** Responds with a page of customers as CSV, and the address of the next page in `Link` (RFC 8288). */
export const csvResponse = (
  c: Context<App>,
  customers: readonly CustomerRecord[],
  nextCursor: string | null,
): Response =>
  csvPage(c, {
    filename: 'customers.csv',
    columns: CSV_COLUMNS,
    rows: customers.map((customer) => CSV_COLUMNS.map((column) => customer[column] ?? null)),
    next: nextCursor === null ? null : ['cursor', nextCursor],
  });
