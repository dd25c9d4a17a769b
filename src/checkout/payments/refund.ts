import type { Result } from '../../kernel/core/result.ts';
import type { Database } from '../../kernel/data/database.ts';
import { type Runtime, tenantContext } from '../../kernel/data/tenant-context.ts';
import { type OrderWithPayments, orderById, postponeRefund, recordRefunded } from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import type { Provider } from './provider.ts';

/**
 * Refunds an order's payments that are `refund_due`, and postpones those that the provider rejects. Returns
 * the order as it is afterwards: a paid order is cancelled once its last payment is refunded.
 */
export async function refundDuePayments(
  runtime: Runtime,
  db: Database,
  { tenantId, orderId, provider }: { tenantId: number; orderId: string; provider: Provider },
): Promise<Result<OrderWithPayments>> {
  const found = await orderById({ db, tenantId }, orderId);
  if (!found.ok) return found;
  const due = found.value.payments.filter(({ state }) => state === 'refund_due');
  for (const payment of due) {
    const { reference } = payment;
    const accepted =
      payment.amount === 0 ||
      reference === null ||
      (await provider.refund(payment).catch(() => {
        console.warn(JSON.stringify({ event: 'refund_failed', tenant: tenantId, provider: provider.name }));
        return false;
      }));
    if (!accepted) await postponeRefund(db, payment);
    else {
      const paymentReference = { provider: payment.provider, reference: reference ?? payment.id };
      const recorded = await recordRefunded(tenantContext(runtime, tenantId), orderId, paymentReference);
      if (!recorded.ok) return recorded;
      notifyCart(runtime, db, recorded.value);
    }
  }
  return due.length === 0 ? found : orderById({ db, tenantId }, orderId);
}
