import { cartAt } from '../cart/index.ts';
import type { Database } from '../kernel/database.ts';
import { isOver, type LoadedSession, voidSession } from './sessions.ts';

/** Where a session is: `over` when no order came of it, and none can. */
export type Stage = 'open' | 'pending' | 'paid' | 'cancelled' | 'over';

/** Where a session is; one whose cart was edited ends here. */
export async function stageOf(env: Env, db: Database, loaded: LoadedSession): Promise<Stage> {
  const { session, order } = loaded;
  if (order) return order.row.status;
  if (isOver(session) || loaded.tenant.status !== 'active') return 'over';
  const standing = await cartAt(env, session.tenantId, session.cartId).standing();
  if (standing.ok && standing.value.version === session.cartVersion) return 'open';
  await voidSession(db, session);
  return 'over';
}
