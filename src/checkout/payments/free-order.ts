import type { Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import {
  markPaid,
  type OrderWithPayments,
  type PaymentReference,
  type PaymentRow,
  type StoredOrder,
} from '../../orders/index.ts';
import { notifyCart } from '../placing/notify-cart.ts';

/** Returns the payment of an order whose total is 0, which no provider takes; null if there is a total to pay. */
export const freePayment = ({ row }: StoredOrder, { id, provider }: PaymentRow): PaymentReference | null =>
  row.grandTotal === 0 ? { provider, reference: `free_${id}` } : null;

/**
 * Marks a pending order as paid if its total is 0: its shopper confirmed it, and the request was interrupted before the
 * order was paid. Returns null for an order that has to be paid, or belongs to the tenant's own checkout.
 */
export async function payFreeOrder(
  ctx: TenantContext,
  order: OrderWithPayments,
): Promise<Result<StoredOrder> | null> {
  const open = order.payments.find(({ state }) => state === 'open');
  const free = open && freePayment(order, open);
  if (!free) return null;
  return notifyCart(ctx, await markPaid(ctx, order.row.id, free));
}
