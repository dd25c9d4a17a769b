import { ok, type Result } from '../../kernel/core/result.ts';
import { namedBatch } from '../../kernel/data/database.ts';
import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { catalogPosition, versionOf } from '../../tenants/index.ts';
import type { Adjustment } from '../adjustments/adjust.ts';
import { itemsBySku } from '../adjustments/items.ts';
import type { StockClaim } from '../reservations/shortage.ts';
import type { AdjustmentsCreate } from '../schemas.ts';
import type { Reservation } from '../tables.ts';

const writerOf = ({ env, tenantId }: TenantContext) => tenantObject(env.STOCK_WRITER, { tenantId });

/**
 * Adjusts stock by SKU, all items or none. Fails with 422 for unknown SKUs, derived stock and sums above
 * {@link MAX_STOCK}, and with 409 on a shortage. A repeated Idempotency-Key only returns the current items.
 */
export async function adjust(
  ctx: TenantContext,
  { items }: AdjustmentsCreate,
  once: IdempotencyScope,
): Promise<Result<Adjustment>> {
  if (once.ref !== null) return currentStock(ctx, items);
  return writerOf(ctx).adjust(ctx.tenantId, { items, key: once.claimed });
}

/** Returns the items as they are now. */
async function currentStock(
  ctx: TenantContext,
  asked: AdjustmentsCreate['items'],
): Promise<Result<Adjustment>> {
  const skus = asked.map(({ sku }) => sku);
  const { items, position } = await namedBatch(ctx.db, {
    items: itemsBySku(ctx, skus),
    position: catalogPosition(ctx),
  });
  items.sort((a, b) => skus.indexOf(a.sku) - skus.indexOf(b.sku));
  return ok({ items, version: versionOf(position) });
}

/**
 * Reserves stock for a cart version, and releases the cart's other versions in the same batch. Fails with
 * `insufficient_stock` or `slot_unavailable`, whose details name the shortage, or with `cart_locked` when the
 * version has an order. A repeated call keeps the reservation and its expiry.
 */
export async function reserve(ctx: TenantContext, claim: StockClaim): Promise<Result<Reservation>> {
  return writerOf(ctx).reserve(ctx.tenantId, claim);
}

/** Releases the held reservations of the cart's versions before `version`, which a cart change made void. */
export async function releaseCart(ctx: TenantContext, cartId: string, version: number): Promise<void> {
  const released = await writerOf(ctx).release(ctx.tenantId, { cartId, version });
  if (!released.ok) throw new Error('The stock writer did not release the reservation');
}
