import { and, asc, sql } from 'drizzle-orm';
import { commit } from '../../events/index.ts';
import { now } from '../../kernel/core/clock.ts';
import { slicesBySize } from '../../kernel/core/lists.ts';
import { log } from '../../kernel/core/log.ts';
import { type Chore, stepsOfTenants } from '../../kernel/data/chore.ts';
import { assertInBatch, guardFailed, jsonList, ofTenant, violation } from '../../kernel/data/database.ts';
import { type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import { moveStock, newCause } from '../stock-moves.ts';
import { type Reservation, reservations } from '../tables.ts';
import { type CartVersion, reservationsOf, stockEffect } from './status-change.ts';

/**
 * Releases held reservations of one tenant in one batch, with one movement and one event for each item. When
 * the batch is rolled back, each half is retried on its own. A reservation that changed concurrently is
 * skipped; one that can't be released is logged and does not block the others.
 */
async function release(ctx: TenantContext, held: readonly Reservation[], reason: string): Promise<void> {
  const { tenantId, db } = ctx;
  if (held.length === 0) return;
  const cause = newCause(ctx, reason);
  const lines = held.flatMap((one) => one.lines);
  const effect = stockEffect(ctx, lines, { from: 'held', to: 'released' });
  const ids = held.map((one) => one.id);
  const known = JSON.stringify(held.map((one) => [one.id, one.revision]));
  try {
    const unchanged = sql`(SELECT count(*) FROM json_each(${known}) k CROSS JOIN reservations r
      ON r.id = k.value ->> 0 AND r.revision = k.value ->> 1
      WHERE r.tenant_id = ${tenantId} AND r.status = 'held') = ${held.length}`;
    await commit(ctx, {
      batches: [cause.batch],
      guards: [assertInBatch(db, unchanged)],
      statements: [
        db
          .update(reservations)
          .set({ status: 'released', revision: sql`revision + 1` })
          .where(and(ofTenant(reservations.tenantId, tenantId), sql`id IN (${jsonList(ids)})`)),
        ...effect.statements,
        ...moveStock(ctx, cause, effect),
      ],
    });
  } catch (error) {
    if (!violation(error)) throw error;
    if (held.length > 1) {
      const half = Math.ceil(held.length / 2);
      await release(ctx, held.slice(0, half), reason);
      await release(ctx, held.slice(half), reason);
    } else if (!guardFailed(error)) {
      log('reservation_not_released', { tenant: tenantId, id: ids[0] });
    }
  }
}

/**
 * Releases the held reservations of each cart's versions before `version`, which a cart change made void, in one
 * batch.
 */
export async function releaseCarts(ctx: TenantContext, carts: readonly CartVersion[]): Promise<void> {
  const versions = new Map<string, number>();
  for (const { cartId, version } of carts) {
    versions.set(cartId, Math.max(version, versions.get(cartId) ?? 0));
  }
  const newest = [...versions].map(([cartId, version]) => ({ cartId, version }));
  const found = await reservationsOf(ctx, newest);
  const isVoid = ({ status, cartId, cartVersion }: Reservation) =>
    status === 'held' && cartVersion < (versions.get(cartId) ?? 0);
  await release(ctx, found.filter(isVoid), 'cart_changed');
}

/** Largest number of reservations and lines that one step releases. */
const MAX_RESERVATIONS_PER_STEP = 100;
const MAX_LINES_PER_STEP = 1_000;

/**
 * Chore that releases expired holds. Reservations with an order are not touched.
 * Each tenant has messages of its own, so that no tenant waits for another.
 */
export const expireReservations: Chore = async (runtime, step) => {
  const { tenantId, after = 0 } = step;
  // Every order keeps its reservation: an index by tenant has them all.
  const due = sql`reservations INDEXED BY reservations_due WHERE status = 'held' AND expires_at <= ${now()}`;
  if (tenantId === undefined) return stepsOfTenants(runtime.db, due, step);
  const ctx = tenantContext(runtime, tenantId);
  const expired = await ctx.db
    .select()
    .from(reservations)
    .where(
      sql`${reservations.id} IN (SELECT id FROM ${due} AND tenant_id = ${tenantId} AND id > ${after}
        ORDER BY id LIMIT ${MAX_RESERVATIONS_PER_STEP})`,
    )
    .orderBy(asc(reservations.id));
  const [slice = []] = slicesBySize(expired, MAX_LINES_PER_STEP, ({ lines }) => lines.length);
  await release(ctx, slice, 'reservation_expired');
  const all = slice.length === expired.length && expired.length < MAX_RESERVATIONS_PER_STEP;
  return { more: all ? undefined : { tenantId, after: slice.at(-1)?.id } };
};
