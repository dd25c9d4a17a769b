import { type Failed, fail } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { spentFor } from '../../orders/index.ts';
import type { PromotionSource } from '../../pricing/index.ts';
import { type Delivery, deliveryOf, frozenPromotions, priceSession } from '../sessions/purchase.ts';
import { replaceSnapshot } from '../sessions/store.ts';
import type { SessionRow } from '../tables.ts';

/** Who was to get an order, and where it was to go. */
interface RefusedOrder {
  readonly shopper: { readonly customerId: number | null; readonly email: string | null };
  readonly delivery: Delivery;
}

/**
 * Decides what happens to an order that was refused because a promotion can't be redeemed any more, in total, by this
 * shopper, or because it is not their first order. A code fails with `coupon_not_applicable`: the shopper entered it
 * and removes it. Automatic promotions are taken out of the session, the next best ones apply, and the call fails with
 * `price_changed`: a retry at the new total succeeds. Returns null if all that apply can be redeemed again.
 */
export async function refuseSpent(
  ctx: TenantContext,
  session: SessionRow,
  { shopper, delivery }: RefusedOrder,
): Promise<Failed | null> {
  const frozen = frozenPromotions(session.snapshot);
  const ids = frozen.map(({ id }) => id);
  const reasons = new Map((await spentFor(ctx, ids, shopper)).map(({ id, reason }) => [id, reason]));
  const { applied } = priceSession(session, delivery);
  const spent = applied.flatMap(({ promotion }) => (reasons.has(promotion.id) ? [promotion] : []));
  if (spent.length === 0) return null;
  const spentCode = spent.find(({ code }) => code !== null);
  if (spentCode) {
    const { id, code } = spentCode;
    const message = `The code ${code} can no longer be used for this order.`;
    return fail('coupon_not_applicable', { message, details: { code, reason: reasons.get(id) } });
  }
  const others = frozen.filter(({ id }) => !reasons.has(id));
  await replaceSnapshot(ctx, session, repriced(session, others));
  return fail('price_changed', { message: 'An offer has ended, so the total has changed.' });
}

/** Returns a session's frozen cart with the promotions that apply to it of these. */
function repriced(session: SessionRow, others: readonly PromotionSource[]) {
  const snapshot = { ...session.snapshot, promotions: others, alternatives: [] };
  const { totals, applied } = priceSession({ ...session, snapshot }, deliveryOf(session, {}));
  const chosen = new Set(applied.map(({ promotion }) => promotion.id));
  return {
    ...snapshot,
    totals,
    promotions: others.filter(({ id }) => chosen.has(id)),
    alternatives: others.filter(({ id }) => !chosen.has(id)),
  };
}
