import { fail, ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { buyerHasPaid } from '../../orders/index.ts';
import { type CartPromotion, type EnteredCode, findCode } from '../../promotions/index.ts';

/**
 * Returns the promotion of a code that a shopper entered. Fails as {@link findCode} does, and with
 * `coupon_not_applicable` if the code is for a first order and this customer has paid one. A guest is checked when
 * the order is placed, since only then the e-mail address is known.
 */
export async function findCartCode(ctx: TenantContext, entered: EnteredCode): Promise<Result<CartPromotion>> {
  const found = await findCode(ctx, entered);
  if (!found.ok) return found;
  const { promotion, firstOrder } = found.value;
  const { customerId } = entered;
  const late = firstOrder && customerId !== null && (await buyerHasPaid(ctx, { customerId, email: null }));
  return late ? fail('coupon_not_applicable', { details: { reason: 'not_first_order' } }) : ok(promotion);
}
