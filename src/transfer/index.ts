export { LEFT_OUT, TRANSFERRED_TABLES, type TransferredTable } from './transferred-tables.ts';
