import { sql } from 'drizzle-orm';
import { commit } from '../events/index.ts';
import { MINUTE, now } from '../kernel/core/clock.ts';
import { type Chore, stepsOfTenants } from '../kernel/data/chore.ts';
import { jsonList, rows, run, type Statement } from '../kernel/data/database.ts';
import { EACH_ROW, nextId } from '../kernel/data/ids.ts';
import { type TenantDatabase, tenantContext } from '../kernel/data/tenant-context.ts';
import { moveStock, newCause } from './stock-moves.ts';

/** A slot of a booking product, in ms; a new one has no id. */
export interface SlotFields {
  readonly id: number | null;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly capacity: number;
}

/** The most (ms) by which clocks differ. A slot that has begun stays so unless it is moved further ahead than this. */
const MAX_CLOCK_SKEW_MS = MINUTE;

/**
 * Returns the statements that replace a product's slots. Omitting a booked slot that has not begun rolls the
 * batch back, as does moving a booked one: its times are what was bought.
 */
export function slotStatements(
  { db, tenantId }: TenantDatabase,
  { productId, slots }: { readonly productId: number; readonly slots: readonly SlotFields[] },
): Statement[] {
  const given = JSON.stringify(slots);
  const ofProduct = sql`tenant_id = ${tenantId} AND product_id = ${productId}`;
  const unnamed = sql`id NOT IN (SELECT value ->> 'id' FROM json_each(${given}) WHERE value ->> 'id' IS NOT NULL)`;
  return [
    run(
      db,
      sql`DELETE FROM slots WHERE ${ofProduct} AND (reserved = 0 OR starts_at <= ${now()}) AND ${unnamed}`,
    ),
    // These two violate `slot_never_overbooked` on purpose, to roll the batch back: for omitted slots that remain, and
    // for booked ones that move.
    run(db, sql`UPDATE slots SET capacity = -1 WHERE ${ofProduct} AND ${unnamed}`),
    run(
      db,
      sql`UPDATE slots SET capacity = -1 FROM json_each(${given}) n
        WHERE ${ofProduct} AND slots.id = n.value ->> 'id' AND reserved > 0
          AND (starts_at <> n.value ->> 'startsAt' OR ends_at <> n.value ->> 'endsAt')`,
    ),
    // Slots may exchange times; moving all away first keeps the unique index satisfied.
    run(db, sql`UPDATE slots SET starts_at = -id WHERE ${ofProduct}`),
    // One that has begun by a clock that is ahead doesn't count again: the chore would begin it a second time.
    run(
      db,
      sql`UPDATE slots SET starts_at = n.value ->> 'startsAt', ends_at = n.value ->> 'endsAt',
          capacity = n.value ->> 'capacity', begun = (n.value ->> 'startsAt') <= ${now()} + slots.begun * ${MAX_CLOCK_SKEW_MS}
        FROM json_each(${given}) n WHERE ${ofProduct} AND slots.id = n.value ->> 'id'`,
    ),
    run(
      db,
      sql`INSERT INTO slots (id, tenant_id, product_id, starts_at, ends_at, capacity, begun)
        SELECT ${nextId('slot', EACH_ROW)}, ${tenantId}, ${productId}, value ->> 'startsAt', value ->> 'endsAt', value ->> 'capacity',
          (value ->> 'startsAt') <= ${now()}
        FROM json_each(${given}) WHERE value ->> 'id' IS NULL`,
    ),
  ];
}

/** Largest number of one tenant's products that one step of {@link beginSlots} reads. */
const MAX_PRODUCTS_PER_STEP = 100;

/** Chore that subtracts slots that have begun from the stock of their booking products. */
export const beginSlots: Chore = async (runtime, step) => {
  const { tenantId } = step;
  const at = now();
  // Slots that have begun stay with their products: an index by tenant has them all.
  const due = sql`slots INDEXED BY slots_begin WHERE begun = 0 AND starts_at <= ${at}`;
  if (tenantId === undefined) return stepsOfTenants(runtime.db, due, step);
  const ctx = tenantContext(runtime, tenantId);
  const { db } = ctx;
  const found = await rows<{ id: number }>(
    db,
    sql`SELECT DISTINCT product_id AS id FROM ${due} AND tenant_id = ${tenantId} LIMIT ${MAX_PRODUCTS_PER_STEP}`,
  );
  if (found.length === 0) return {};
  const products = found.map(({ id }) => id);
  const cause = newCause(ctx, 'slot_begun');
  const begin = run(
    db,
    sql`UPDATE slots SET begun = 1 WHERE tenant_id = ${tenantId} AND product_id IN (${jsonList(products)})
      AND starts_at <= ${at}`,
  );
  await commit(ctx, {
    batches: [cause.batch],
    statements: [begin, ...moveStock(ctx, cause, { moves: [], follow: products })],
    // The products' pages leave the slots out, also those with no place left, whose beginning moves no stock.
    catalogChanged: true,
  });
  return { more: products.length < MAX_PRODUCTS_PER_STEP ? undefined : { tenantId } };
};
