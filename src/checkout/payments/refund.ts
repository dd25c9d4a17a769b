import { log } from '../../kernel/core/log.ts';
import type { Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { type OrderWithPayments, orderById, postponeRefund, recordRefunded } from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import type { Payable } from './provider.ts';

/**
 * Refunds an order's payments that are `refund_due`, and postpones those that the provider rejects. Returns
 * the order as it is afterwards: a paid order is cancelled once its last payment is refunded.
 */
export async function refundDuePayments(
  ctx: TenantContext,
  { orderId, provider }: Payable,
): Promise<Result<OrderWithPayments>> {
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  const due = found.value.payments.filter(({ state }) => state === 'refund_due');
  for (const payment of due) {
    const { reference } = payment;
    const accepted =
      payment.amount === 0 ||
      reference === null ||
      (await provider.refund(payment).catch(() => {
        log('refund_failed', { tenant: ctx.tenantId, provider: provider.name });
        return false;
      }));
    if (!accepted) await postponeRefund(ctx, payment);
    else {
      const paymentReference = { provider: payment.provider, reference: reference ?? payment.id };
      const recorded = await recordRefunded(ctx, orderId, paymentReference);
      if (!recorded.ok) return recorded;
      notifyCart(ctx, recorded.value);
    }
  }
  return due.length === 0 ? found : orderById(ctx, orderId);
}
