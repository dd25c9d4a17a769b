import { sql } from 'drizzle-orm';
import { DAY, now } from '../../kernel/core/clock.ts';
import { deletes } from '../../kernel/data/chore.ts';
import { jsonLists, ofTenant, run, type Statement } from '../../kernel/data/database.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { PriceColumns } from './price-columns.ts';
import { priceHistory } from './tables.ts';

/** The window of `lowest_price_30d` before a reduction (EU Directive 98/6/EC, art. 6a), in ms. */
const WINDOW_MS = 30 * DAY;

/**
 * Returns the statements that record the prices which a write ends, and then set `lowest_prices` of the items
 * whose reduction begins with it. They follow the items' own statements. None for items whose prices stay.
 */
export function priceHistoryStatements(ctx: TenantDatabase, items: readonly PriceColumns[]): Statement[] {
  const ended = items.filter((item) => Object.keys(item.ended).length > 0);
  const beginning = items.filter(({ beginsIn }) => beginsIn.length > 0);
  return [
    ...recordEnded(ctx, ended),
    ...(['products', 'variants'] as const).flatMap((table) =>
      setLowest(
        ctx,
        table,
        beginning.filter((item) => item.table === table),
      ),
    ),
  ];
}

function recordEnded({ db, tenantId }: TenantDatabase, items: readonly PriceColumns[]): Statement[] {
  const at = now();
  return jsonLists(items.map(({ id, ended }) => [id, ended])).map((given) =>
    run(
      db,
      sql`INSERT INTO price_history (tenant_id, item_id, currency, day, price, ended_at)
      SELECT ${tenantId}, item.value ->> 0, price.key, ${Math.floor(at / DAY)}, price.value, ${at}
      FROM json_each(${given}) item, json_each(item.value, '$[1]') price WHERE true
      ON CONFLICT (tenant_id, item_id, currency, day) DO UPDATE SET
        price = min(price, excluded.price), ended_at = max(ended_at, excluded.ended_at)`,
    ),
  );
}

/** Adds to `lowest_prices` the lowest price of the window in each currency in which a reduction begins. */
function setLowest(
  { db, tenantId }: TenantDatabase,
  table: 'products' | 'variants',
  items: readonly PriceColumns[],
): Statement[] {
  const target = sql.raw(table);
  return jsonLists(items.map(({ id, beginsIn }) => [id, beginsIn])).map((given) =>
    run(
      db,
      sql`UPDATE ${target} SET lowest_prices = json_patch(coalesce(lowest_prices, '{}'), found.prices)
      FROM (
        SELECT id, json_group_object(currency, price) AS prices FROM (
          SELECT h.item_id AS id, h.currency, min(h.price) AS price
          FROM json_each(${given}) item, json_each(item.value, '$[1]') one
          CROSS JOIN price_history h ON h.tenant_id = ${tenantId} AND h.item_id = item.value ->> 0
            AND h.currency = one.value AND h.ended_at > ${now() - WINDOW_MS}
          GROUP BY h.item_id, h.currency)
        GROUP BY id) found
      WHERE ${ofTenant(`${table}.tenant_id`, tenantId)} AND ${target}.id = found.id`,
    ),
  );
}

/** Retention of ended prices (ms): the window, and a day because a row is a day's. */
const RETENTION_MS = WINDOW_MS + DAY;

/** Sweep of ended prices that no reduction from now on can refer to. */
export const forgetPrices = deletes(priceHistory, () => sql`ended_at < ${now() - RETENTION_MS}`);
