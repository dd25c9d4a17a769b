import { cartAt } from '../cart/index.ts';
import type { Runtime } from '../kernel/call.ts';
import { type Database, database } from '../kernel/database.ts';
import { noticeTold, type OrderRow, pendingNotices } from '../orders/index.ts';

/** What a cart has to be told of its order. */
type CartNotice = Pick<OrderRow, 'tenantId' | 'id' | 'cartId' | 'revision' | 'status'>;

/** Tells a cart how its order stands, and notes that it knows. A cart that is gone needs to know nothing. */
async function tell(env: Env, db: Database, notice: CartNotice): Promise<void> {
  const { tenantId, id, cartId, revision, status } = notice;
  const told = await cartAt(env, tenantId, cartId).orderStatus(id, status, revision);
  const gone = !told.ok && ['cart_not_found', 'cart_expired'].includes(told.failure.code);
  if (told.ok || gone) await noticeTold(db, tenantId, id, status);
}

/** Tells the cart beside the answer: what is lost here, the minute's cron finds again. */
export function tellCart({ env, ctx }: Runtime, db: Database, { row }: { row: OrderRow }): void {
  if (row.cartNotice === null) return;
  const { tenantId, id, cartId, revision, cartNotice: status } = row;
  ctx.waitUntil(
    tell(env, db, { tenantId, id, cartId, revision, status }).catch(() =>
      console.warn(JSON.stringify({ event: 'cart_not_told', tenant: tenantId })),
    ),
  );
}

/** For the minute's cron: tells carts what they could not be told. */
export async function sweepNotices(env: Env): Promise<void> {
  const db = database(env);
  for (const notice of await pendingNotices(db, 10_000)) {
    await tell(env, db, notice).catch(() => undefined);
  }
}
