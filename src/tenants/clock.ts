import { type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { run, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { tenants } from './tables.ts';

/**
 * Returns the next catalogue version as an SQL expression over `tenants`. Based on the current time in ms, so
 * that no version is reused even after the database is restored to an earlier point in time.
 */
export const nextVersion = (): SQL => sql`max(catalog_version + 1, ${now()})`;

/** Returns the statement that increments the tenant's catalogue version, if `condition` holds at that point. */
export const advanceVersion = ({ db, tenantId }: TenantDatabase, condition: SQL = sql`TRUE`): Statement =>
  run(
    db,
    sql`UPDATE ${tenants} SET catalog_version = ${nextVersion()} WHERE id = ${tenantId} AND ${condition}`,
  );

/**
 * Returns the statement that reserves `ticks` timestamps (ms) of the tenant's clock, unique and increasing.
 * Later statements of the batch read them with {@link clockTick}.
 */
export const advanceClock = ({ db, tenantId }: TenantDatabase, ticks: number): Statement =>
  run(db, sql`UPDATE ${tenants} SET clock = max(clock, ${now() - 1}) + ${ticks} WHERE id = ${tenantId}`);

/**
 * Returns the statement that records a change of stock: reserves as many timestamps as `changed` has rows, and
 * moves the catalogue version if `visible` has any. It does nothing if `changed` has none.
 */
export const advanceStockClock = (
  { db, tenantId }: TenantDatabase,
  { changed, visible }: { readonly changed: SQL; readonly visible: SQL },
): Statement =>
  run(
    db,
    sql`UPDATE ${tenants}
    SET clock = max(clock, ${now() - 1}) + (SELECT count(*) FROM ${changed}),
        stock_moved_at = coalesce(stock_moved_at, ${now()}),
        catalog_version = iif(EXISTS (SELECT 1 FROM ${visible}), ${nextVersion()}, catalog_version)
    WHERE id = ${tenantId} AND EXISTS (SELECT 1 FROM ${changed})`,
  );

/** Returns the `nth` (from 0) of the `ticks` that {@link advanceClock} reserved, as an SQL expression. */
export const clockTick = (tenantId: number, ticks: number, nth: number) =>
  sql`(SELECT clock - ${ticks - 1 - nth} FROM tenants WHERE id = ${tenantId})`;
