import { sql } from 'drizzle-orm';
import { now } from '../kernel/clock.ts';
import { type Database, run, type Statement } from '../kernel/database.ts';
import { tenants } from './tables.ts';

/**
 * Gives the batch `ticks` instants of the tenant's clock, unique and rising: the later of now and the
 * last one plus 1 ms. Put it first; later statements of the batch take theirs with {@link tick}.
 * With `version` the catalogue version moves as well.
 */
export const advance = (db: Database, tenantId: number, ticks: number, version: boolean): Statement =>
  run(
    db,
    sql`UPDATE ${tenants}
    SET clock = ${ticks > 0 ? sql`max(clock, ${now() - 1}) + ${ticks}` : sql`clock`},
        catalog_version = catalog_version + ${version ? 1 : 0}
    WHERE id = ${tenantId}`,
  );

/** The `nth` (from 0) of the `ticks` that {@link advance} gave this batch, as an SQL expression. */
export const tick = (tenantId: number, ticks: number, nth: number) =>
  sql`(SELECT clock - ${ticks - 1 - nth} FROM tenants WHERE id = ${tenantId})`;
