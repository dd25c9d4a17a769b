export { TRANSFERRED_TABLES, type TransferredTable } from './transferred-tables.ts';
