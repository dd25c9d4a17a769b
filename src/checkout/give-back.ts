import type { Runtime } from '../kernel/call.ts';
import type { Database } from '../kernel/database.ts';
import type { Result } from '../kernel/result.ts';
import { noteRefunded, orderById, postponeRefund, type WholeOrder } from '../orders/index.ts';
import type { Provider } from './providers/provider.ts';
import { tellCart } from './tell-cart.ts';

/**
 * Gives back what of an order's money has to go back, as far as the provider takes it on; the rest is tried
 * again later. Answers the order as it is then: a paid one is cancelled once all its money is back.
 */
export async function giveBack(
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
      tellCart(runtime, db, noted.value);
    }
  }
  return due.length === 0 ? found : orderById(db, tenantId, orderId);
}
