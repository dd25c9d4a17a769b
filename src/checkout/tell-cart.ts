import { cartAt } from '../cart/index.ts';
import type { Runtime } from '../kernel/call.ts';
import { type Database, database } from '../kernel/database.ts';
import {
  noticeTold,
  type OrderRow,
  type OrderStanding,
  orderStanding,
  pendingNotices,
} from '../orders/index.ts';

/** How often a notice is repeated because the order has changed meanwhile. */
const MAX_NOTICES = 3;

/**
 * Tells a cart how its order stands, and reads the order again afterwards: what was overtaken on its way is
 * corrected at once. A cart that is gone needs to know nothing.
 */
async function tell(env: Env, db: Database, standing: OrderStanding): Promise<void> {
  let { revision, status } = standing;
  const { tenantId, id, cartId } = standing;
  for (let n = 0; n < MAX_NOTICES; n++) {
    const told = await cartAt(env, tenantId, cartId).orderStatus(id, status, revision);
    const gone = !told.ok && ['cart_not_found', 'cart_expired'].includes(told.failure.code);
    if (!told.ok && !gone) return;
    const now = await noticeTold(db, tenantId, id, status);
    if (!now || now.status === status) return;
    ({ revision, status } = now);
  }
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

/** For the minute's cron: tells carts what they could not be told, as each order stands by then. */
export async function sweepNotices(env: Env): Promise<void> {
  const db = database(env);
  for (const { tenantId, id } of await pendingNotices(db, 10_000)) {
    const standing = await orderStanding(db, tenantId, id).catch(() => null);
    if (standing) await tell(env, db, standing).catch(() => undefined);
  }
}
