import { promotionsOf } from '../../cart/index.ts';
import { type Failed, fail } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { spentFor } from '../../orders/index.ts';
import { choosePromotions, type PromotionSource, promotionFor, traceTotals } from '../../pricing/index.ts';
import { deliveryOf, rulesOf } from '../sessions/purchase.ts';
import { replaceSnapshot } from '../sessions/store.ts';
import type { SessionRow } from '../tables.ts';

/**
 * Decides what happens to an order that was refused because a promotion can't be redeemed any more, in total, by this
 * shopper, or because it is not their first order. A code fails with `coupon_not_applicable`: the shopper entered it
 * and removes it. Automatic promotions are taken out of the session, the next best ones apply, and the call fails with
 * `price_changed`: a retry at the new total succeeds. Returns null if all can be redeemed again.
 */
export async function refuseSpent(
  ctx: TenantContext,
  session: SessionRow,
  shopper: { readonly customerId: number | null; readonly email: string | null },
): Promise<Failed | null> {
  const { snapshot } = session;
  const frozen = promotionsOf(snapshot);
  const ids = frozen.map(({ id }) => id);
  const reasons = new Map((await spentFor(ctx, ids, shopper)).map(({ id, reason }) => [id, reason]));
  if (reasons.size === 0) return null;
  const spentCode = frozen.find(({ id, code }) => code !== null && reasons.has(id));
  if (spentCode) {
    const { id, code } = spentCode;
    const message = `The code ${code} can no longer be used for this order.`;
    return fail('coupon_not_applicable', { message, details: { code, reason: reasons.get(id) } });
  }
  const others = [...frozen, ...(snapshot.alternatives ?? [])].filter(({ id }) => !reasons.has(id));
  await replaceSnapshot(ctx, session, repriced(session, others));
  return fail('price_changed', { message: 'An offer has ended, so the total has changed.' });
}

/** Returns a session's frozen cart with the promotions that apply to it of these. */
function repriced(session: SessionRow, others: readonly PromotionSource[]) {
  const { snapshot } = session;
  const { lines, currency } = snapshot;
  const rules = rulesOf(session, deliveryOf(session, {}));
  const candidates = others.flatMap((one) => promotionFor(one, currency) ?? []);
  const { totals, applied } = traceTotals(lines, rules, choosePromotions(lines, rules, candidates));
  const chosen = new Set(applied.map(({ promotion }) => promotion.id));
  return {
    ...snapshot,
    totals,
    promotions: others.filter(({ id }) => chosen.has(id)),
    alternatives: others.filter(({ id }) => !chosen.has(id)),
  };
}
