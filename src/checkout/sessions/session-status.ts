import { checkoutPort } from '../../cart/index.ts';
import type { Database } from '../../kernel/data/database.ts';
import { isOver, type LoadedSession, voidSession } from './store.ts';

/** Where a session is: `over` when no order came of it, and none can. */
export type SessionStatus = 'open' | 'pending' | 'paid' | 'cancelled' | 'over';

/** Where a session is; one whose cart was edited ends here. */
export async function sessionStatus(env: Env, db: Database, loaded: LoadedSession): Promise<SessionStatus> {
  const { session, order } = loaded;
  if (order) return order.row.status;
  if (isOver(session) || loaded.tenant.status !== 'active') return 'over';
  const standing = await checkoutPort(env, session.tenantId, session.cartId).standing();
  if (standing.ok && standing.value.version === session.cartVersion) return 'open';
  await voidSession(db, session);
  return 'over';
}
