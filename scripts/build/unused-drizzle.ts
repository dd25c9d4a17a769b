/**
 * Stands in the bundle for drizzle's relational queries, which need a schema that the databases here are opened without:
 * 1 KiB of it, gzipped.
 */

export const createTableRelationsHelpers = undefined;
export const extractTablesRelationalConfig = undefined;
export const getOperators = undefined;
export const getOrderByOperators = undefined;
export const Many = undefined;
export const mapRelationalRow = undefined;
export const normalizeRelation = undefined;
export const One = undefined;
export const RelationalQueryBuilder = undefined;
