import { checkoutPort } from '../../cart/index.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { LoadedSession } from './load-session.ts';
import { isEnded, voidSession } from './store.ts';

/**
 * A session's status. `pending`, `paid` and `cancelled` are the order's; `ended` means that it has no order
 * and can't get one, `closed` that it can't while its shop is suspended.
 */
export type SessionStatus = 'open' | 'pending' | 'paid' | 'cancelled' | 'ended' | 'closed';

/** Returns a session's status, and ends a session whose cart was edited. */
export async function sessionStatus(ctx: TenantContext, loaded: LoadedSession): Promise<SessionStatus> {
  const { session, order, tenant } = loaded;
  if (order) return order.row.status;
  if (isEnded(session)) return 'ended';
  if (tenant.status !== 'active') return 'closed';
  const cart = await checkoutPort(ctx, session.cartId).standing();
  if (cart.ok && cart.value.version === session.cartVersion) return 'open';
  await voidSession(ctx, session);
  return 'ended';
}
