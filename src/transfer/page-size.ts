import { ROWS_PER_PAGE, type TransferredTable } from './transferred-tables.ts';

/** The most bytes of the large columns of a page with {@link ROWS_PER_PAGE} rows. */
const MAX_SIZED_BYTES = 4 * 1024 * 1024;

/** The rows of a page where some are large, and how many pages are read at once. */
export interface PageSize {
  readonly limit: number;
  readonly pages?: number;
}

/**
 * Returns the number of rows that these pages have, as SQL: where the large columns are small, as many as of a table
 * without such columns. `from` selects the rows that the pages begin with.
 */
export function rowLimit(
  { sized }: Pick<TransferredTable, 'sized'>,
  { limit, pages = 1 }: PageSize,
  from: string,
): string {
  if (sized === undefined) return String(limit);
  const bytes = largeBytes(sized);
  const rows = pages * ROWS_PER_PAGE;
  return `(SELECT iif(coalesce(sum(bytes), 0) <= ${pages * MAX_SIZED_BYTES}, ${rows}, ${limit})
    FROM (SELECT ${bytes} AS bytes ${from} LIMIT ${rows}))`;
}

/** Returns the bytes of a row's large columns, as SQL. */
export const largeBytes = (sized: readonly string[]): string =>
  sized.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ');

/**
 * Returns how many small rows a row counts for, whose large columns have so many bytes, where rows of several tables
 * make up a page: at most as many as if its page had `limit` rows.
 */
export const smallRowsFor = (
  { sized, limit }: Pick<TransferredTable, 'sized' | 'limit'>,
  bytes: number,
): number =>
  sized === undefined
    ? 1
    : Math.min(ROWS_PER_PAGE / limit, Math.max(1, (bytes / MAX_SIZED_BYTES) * ROWS_PER_PAGE));

/** Returns whether a page may have rows behind it. */
export const isFull = ({ sized, limit }: TransferredTable, rows: number): boolean =>
  rows === limit || (sized !== undefined && rows === ROWS_PER_PAGE);
