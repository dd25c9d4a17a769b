import type { Result } from '../../kernel/core/result.ts';
import type { Database } from '../../kernel/data/database.ts';
import type { Runtime } from '../../kernel/http/context.ts';
import { noteRefunded, orderById, postponeRefund, type WholeOrder } from '../../orders/index.ts';
import { notifyCart } from '../notify-cart.ts';
import type { Provider } from './provider.ts';

/**
 * Gives back what of an order's money has to go back, as far as the provider takes it on; the rest is tried
 * again later. Answers the order as it is then: a paid one is cancelled once all its money is back.
 */
export async function refundPayment(
  runtime: Runtime,
  db: Database,
  { tenantId, orderId, provider }: { tenantId: number; orderId: string; provider: Provider },
): Promise<Result<WholeOrder>> {
  const found = await orderById(db, tenantId, orderId);
  if (!found.ok) return found;
  const due = found.value.payments.filter(({ state }) => state === 'refund_due');
  for (const payment of due) {
    const { reference } = payment;
    const taken =
      payment.amount === 0 ||
      reference === null ||
      (await provider.refund(payment).catch(() => {
        console.warn(JSON.stringify({ event: 'refund_failed', tenant: tenantId, provider: provider.name }));
        return false;
      }));
    if (!taken) await postponeRefund(db, payment);
    else {
      const name = { provider: payment.provider, reference: reference ?? payment.id };
      const noted = await noteRefunded(runtime, db, tenantId, orderId, name);
      if (!noted.ok) return noted;
      notifyCart(runtime, db, noted.value);
    }
  }
  return due.length === 0 ? found : orderById(db, tenantId, orderId);
}
