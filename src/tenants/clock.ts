import { type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { type Database, run, type Statement } from '../kernel/data/database.ts';
import { tenants } from './tables.ts';

/**
 * Returns the catalogue version after the current one, as an SQL expression over `tenants`: an instant in ms, so
 * that no version is ever given out twice, although the database be set back to an earlier point in time.
 */
export const nextVersion = (): SQL => sql`max(catalog_version + 1, ${now()})`;

/**
 * Gives the batch `ticks` instants of the tenant's clock, unique and rising: the later of now and the
 * last one plus 1 ms. Put it first; later statements of the batch take theirs with {@link clockTick}.
 * With `version` the catalogue version moves as well.
 */
export const advanceClock = (db: Database, tenantId: number, ticks: number, version: boolean): Statement =>
  run(
    db,
    sql`UPDATE ${tenants}
    SET clock = ${ticks > 0 ? sql`max(clock, ${now() - 1}) + ${ticks}` : sql`clock`},
        catalog_version = ${version ? nextVersion() : sql`catalog_version`}
    WHERE id = ${tenantId}`,
  );

/** The `nth` (from 0) of the `ticks` that {@link advanceClock} gave this batch, as an SQL expression. */
export const clockTick = (tenantId: number, ticks: number, nth: number) =>
  sql`(SELECT clock - ${ticks - 1 - nth} FROM tenants WHERE id = ${tenantId})`;
