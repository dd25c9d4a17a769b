import { formatMoney, type Schemas } from '../../../client/src/index.ts';

type Reason = NonNullable<Schemas['CartCoupon']['reason']> | 'used_up' | 'too_many_codes';

/** Why a code has no effect, and what the cart lacks. */
interface Unapplied {
  readonly reason?: Reason;
  readonly minimum_subtotal?: number;
  readonly minimum_quantity?: number;
}

const TEXTS: Readonly<Record<Reason, string>> = {
  no_eligible_line: 'is for other products',
  below_minimum_subtotal: 'is for larger orders',
  below_minimum_quantity: 'is for more items',
  currency: 'is for another currency',
  not_started: 'is not valid yet',
  ended: 'is not valid any more',
  used_up: 'has been used up',
  used_up_by_customer: 'has been used by you already',
  not_first_order: 'is for a first order',
  too_many_codes: 'is one too many: remove another code first',
  not_combined: 'is not combined with better offers',
  nothing_to_reduce: 'has nothing to reduce',
  raises_total: 'would make the order cost more',
};

/** Returns why a code has no effect, to go on after its name. With the cart's currency it says from which amount it has one. */
export function codeReason(
  { reason, minimum_subtotal, minimum_quantity }: Unapplied,
  currency?: string,
): string {
  if (minimum_subtotal !== undefined && currency) {
    return `applies from ${formatMoney(minimum_subtotal, currency, 'en')} of goods`;
  }
  if (minimum_quantity !== undefined) return `applies from ${minimum_quantity} items`;
  return reason ? TEXTS[reason] : 'has no effect on this cart';
}
