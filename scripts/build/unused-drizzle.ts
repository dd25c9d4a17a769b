/** Stands in the bundle for drizzle's relational queries, which need a schema that the databases here are opened without. */

export const RelationalQueryBuilder = undefined;
export const SQLiteRelationalQuery = undefined;
export const SQLiteSyncRelationalQuery = undefined;
