import { sql } from 'drizzle-orm';
import { DAY, now, secondsToNextDay } from '../../kernel/core/clock.ts';
import { fail } from '../../kernel/core/result.ts';
import { type Database, rows, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { WriteCause } from '../stock-moves.ts';

/**
 * The most stock movements of a tenant's started checkouts in a day (UTC). Each also raises an event, and giving the stock
 * back does both again: about 2 GiB that stay for 30 days and more, which whoever knows a storefront's token may cause.
 */
export const MAX_MOVEMENTS_PER_DAY = 1_000_000;

/** Returns the failure of a claim once the movements of the day are used up. It says to retry on the next day. */
export const tooManyMovements = () =>
  fail('rate_limited', {
    message: 'The shop has started too many checkouts today.',
    retryAfter: secondsToNextDay(),
  });

const today = (): number => Math.floor(now() / DAY);

/** Returns the query for the movements that the tenant's started checkouts made today; no row: none. */
export const movementsToday = ({ db, tenantId }: TenantDatabase) =>
  rows<{ readonly movements: number }>(
    db,
    sql`SELECT movements FROM reservation_usage WHERE tenant_id = ${tenantId} AND day = ${today()}`,
  );

/** Returns the statement that counts the movements of a batch of reservations. It follows those that move the stock. */
export const countMovements = (db: Database, { tenantId, batch }: WriteCause): Statement =>
  run(
    db,
    sql`INSERT INTO reservation_usage (tenant_id, day, movements)
      SELECT ${tenantId}, ${today()}, count(*) FROM stock_movements WHERE tenant_id = ${tenantId} AND batch = ${batch}
      ON CONFLICT (tenant_id) DO UPDATE SET movements = iif(day < excluded.day, 0, movements) + excluded.movements,
        day = max(day, excluded.day)`,
  );
