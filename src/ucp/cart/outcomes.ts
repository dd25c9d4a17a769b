import type { Failure } from '../../kernel/core/errors.ts';
import type { Failed } from '../../kernel/core/result.ts';
import type { UcpContext } from '../context.ts';
import { fromFailure, type Rejected, refused, rejected, type UcpResult } from '../protocol/outcome.ts';
import { CART_NOT_FOUND } from './names.ts';

/** Returns the request of a call to its cart. */
export const requestOf = ({ agent, once }: UcpContext) => ({ profile: agent.profile, once });

/** Returns the outcome of a failed call to a cart; null for a failure that says something of its own. */
export function cartFailure({ failure }: Failed): UcpResult<never> {
  switch (failure.code) {
    case 'cart_not_found':
    case 'cart_expired':
      return CART_NOT_FOUND;
    case 'idempotency_key_reused':
      return refused(409, 'idempotency_conflict', 'The idempotency key was used for another request.');
    case 'cart_empty':
      return nothingToSell(failure);
    default:
      return fromFailure(failure);
  }
}

/**
 * Returns the outcome for a request none of whose items can be sold. If they need choices that are made on a page of
 * the shop, the buyer continues there.
 */
function nothingToSell({ message = '', details }: Failure): Rejected {
  const { continueUrl } = details ?? {};
  return rejected('item_unavailable', message, {
    path: '$.line_items',
    ...(typeof continueUrl === 'string' && { continueUrl, severity: 'requires_buyer_input' as const }),
  });
}
