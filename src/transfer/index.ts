export { isFull, largeBytes, type PageSize, rowLimit, smallRowsFor } from './page-size.ts';
export { ROWS_PER_PAGE, TRANSFERRED_TABLES, type TransferredTable } from './transferred-tables.ts';
