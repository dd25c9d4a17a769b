import type { FoundAgentCart } from '../../cart/index.ts';
import type { Result } from '../../kernel/core/result.ts';
import { CHECKOUT_NOT_FOUND } from '../cart/names.ts';
import { cartFailure } from '../cart/outcomes.ts';
import type { UcpContext } from '../context.ts';
import { done, refused, type UcpResult } from '../protocol/outcome.ts';
import { presentCheckout } from './present.ts';
import type { Checkout } from './schemas.ts';

/** The edit that makes a cart a checkout. */
export const START = { op: 'agent_transition', transition: { to: 'start_checkout' } } as const;

/** The protocol error for a change of a checkout that is final, or whose order is placed. */
export const NOT_MODIFIABLE = refused(
  409,
  'checkout_not_modifiable',
  'The checkout is completed, canceled, or being paid for, and cannot be changed.',
);

/** Returns the outcome of a call to a checkout. */
export async function shownCheckout(
  ctx: UcpContext,
  found: Result<FoundAgentCart>,
): Promise<UcpResult<Checkout>> {
  if (found.ok) return done(await presentCheckout(ctx, found.value));
  const { code } = found.failure;
  if (code === 'cart_not_found' || code === 'cart_expired') return CHECKOUT_NOT_FOUND;
  return code === 'cart_locked' || code === 'conflict' ? NOT_MODIFIABLE : cartFailure(found);
}
