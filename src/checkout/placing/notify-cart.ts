import { checkoutPort } from '../../cart/index.ts';
import { log } from '../../kernel/core/log.ts';
import type { Result } from '../../kernel/core/result.ts';
import type { Chore } from '../../kernel/data/chore.ts';
import { type TenantContext, tenantContext } from '../../kernel/data/tenant-context.ts';
import {
  markNotified,
  type OrderStatusUpdate,
  pendingNotifications,
  readOrderStatus,
  type StoredOrder,
} from '../../orders/index.ts';
import { sessionTokenOf } from '../signatures.ts';

/** How often one call re-sends the status because the order changed meanwhile. */
const MAX_NOTIFY_ROUNDS = 3;

/**
 * Sends an order's status to its cart, then re-reads the order and re-sends a status that changed meanwhile.
 * A cart that no longer exists counts as notified.
 */
async function notify(ctx: TenantContext, order: OrderStatusUpdate): Promise<void> {
  let { revision, status, paidAt } = order;
  const { id, number, cartId, cartVersion } = order;
  const payUrl = `${order.origin}/checkout/${sessionTokenOf(ctx.env, ctx.tenantId, id)}`;
  for (let n = 0; n < MAX_NOTIFY_ROUNDS; n++) {
    const notified = await checkoutPort(ctx, cartId).orderStatus({
      id,
      number,
      status,
      revision,
      cartVersion,
      payUrl,
      paidAt,
    });
    const missing = !notified.ok && ['cart_not_found', 'cart_expired'].includes(notified.failure.code);
    if (!notified.ok && !missing) return;
    const current = await markNotified(ctx, id, status);
    if (!current || current.status === status) return;
    ({ revision, status, paidAt } = current);
  }
}

const logFailure = ({ tenantId }: TenantContext, order: string): void =>
  log('cart_notification_failed', { tenant: tenantId, order });

/**
 * Notifies the cart of an order in `waitUntil`, if the order was changed, and returns the result of the change. The
 * cron's {@link retryNotices} covers a failure.
 */
export function notifyCart<Order extends Pick<StoredOrder, 'row'>>(
  ctx: TenantContext,
  changed: Result<Order>,
): Result<Order> {
  if (!changed.ok) return changed;
  const { row } = changed.value;
  const { cartNotice: status } = row;
  if (status !== null)
    ctx.ctx.waitUntil(notify(ctx, { ...row, status }).catch(() => logFailure(ctx, row.id)));
  return changed;
}

/** Sends the cart of an order its current status, if the order exists. The cron covers a failure. */
export async function sendStatus(ctx: TenantContext, orderId: string): Promise<void> {
  try {
    const order = await readOrderStatus(ctx, orderId);
    if (order) await notify(ctx, order);
  } catch {
    logFailure(ctx, orderId);
  }
}

/** How old a pending notification must be before the cron retries it (ms). */
const MIN_RETRY_AGE_MS = 10_000;
/** How many notifications one step retries. */
const NOTICES_PER_STEP = 50;

/**
 * The chore that retries pending cart notifications with each order's current status. A failure doesn't stop
 * the others.
 */
export const retryNotices: Chore = async (runtime, { after = '' }) => {
  const notices = await pendingNotifications(runtime.db, {
    minAgeMs: MIN_RETRY_AGE_MS,
    after: String(after),
    limit: NOTICES_PER_STEP,
  });
  for (const { tenantId, id } of notices) await sendStatus(tenantContext(runtime, tenantId), id);
  return { more: notices.length < NOTICES_PER_STEP ? undefined : { after: notices.at(-1)?.cursor } };
};
