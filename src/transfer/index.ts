export { isFull, type PageSize, rowLimit } from './page-size.ts';
export { ROWS_PER_PAGE, TRANSFERRED_TABLES, type TransferredTable } from './transferred-tables.ts';
