import { type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { type Database, run, type Statement } from '../kernel/data/database.ts';
import { tenants } from './tables.ts';

/**
 * Returns the next catalogue version as an SQL expression over `tenants`. Based on the current time in ms, so
 * that no version is reused even after the database is restored to an earlier point in time.
 */
export const nextVersion = (): SQL => sql`max(catalog_version + 1, ${now()})`;

/**
 * Returns the statement that reserves `ticks` timestamps (ms) of the tenant's clock, unique and increasing.
 * It must come first in its batch; later statements read their timestamp with {@link clockTick}. With
 * `version` it also increments the catalogue version.
 */
export const advanceClock = (db: Database, tenantId: number, ticks: number, version: boolean): Statement =>
  run(
    db,
    sql`UPDATE ${tenants}
    SET clock = ${ticks > 0 ? sql`max(clock, ${now() - 1}) + ${ticks}` : sql`clock`},
        catalog_version = ${version ? nextVersion() : sql`catalog_version`}
    WHERE id = ${tenantId}`,
  );

/** Returns the `nth` (from 0) of the `ticks` that {@link advanceClock} reserved, as an SQL expression. */
export const clockTick = (tenantId: number, ticks: number, nth: number) =>
  sql`(SELECT clock - ${ticks - 1 - nth} FROM tenants WHERE id = ${tenantId})`;
