import { checkoutPort } from '../cart/index.ts';
import type { Chore } from '../kernel/data/chore.ts';
import { type Database, database } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/http/context.ts';
import {
  markNotified,
  type OrderRow,
  type OrderStanding,
  orderStanding,
  pendingNotifications,
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
    const told = await checkoutPort(env, tenantId, cartId).orderStatus(id, status, revision);
    const gone = !told.ok && ['cart_not_found', 'cart_expired'].includes(told.failure.code);
    if (!told.ok && !gone) return;
    const now = await markNotified(db, tenantId, id, status);
    if (!now || now.status === status) return;
    ({ revision, status } = now);
  }
}

/** Tells the cart beside the answer: what is lost here, the minute's cron finds again. */
export function notifyCart({ env, ctx }: Runtime, db: Database, { row }: { row: OrderRow }): void {
  if (row.cartNotice === null) return;
  const { tenantId, id, cartId, revision, cartNotice: status } = row;
  ctx.waitUntil(
    tell(env, db, { tenantId, id, cartId, revision, status }).catch(() =>
      console.warn(JSON.stringify({ event: 'cart_not_told', tenant: tenantId })),
    ),
  );
}

/** A cart is told again after this long (ms), and so many of them in one step. */
const TOLD_AGAIN_AFTER_MS = 10_000;
const TOLD_AT_ONCE = 50;

/**
 * The chore that tells carts what they could not be told, as each order stands by then; one that can't be
 * reached keeps no other from it.
 */
export const retryNotices: Chore = async ({ env }, { after = '' }) => {
  const db = database(env);
  const notices = await pendingNotifications(db, TOLD_AGAIN_AFTER_MS, String(after), TOLD_AT_ONCE);
  for (const { tenantId, id } of notices) {
    const standing = await orderStanding(db, tenantId, id).catch(() => null);
    if (standing) await tell(env, db, standing).catch(() => undefined);
  }
  return { more: notices.length < TOLD_AT_ONCE ? undefined : { after: notices.at(-1)?.place } };
};
