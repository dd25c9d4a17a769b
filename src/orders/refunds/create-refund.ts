import { SYSTEM } from '../../kernel/core/actor.ts';
import { invalid, ok, type Result } from '../../kernel/core/result.ts';
import { id } from '../../kernel/crypto/crypto.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import { transitionOf } from '../lifecycle/apply-transition.ts';
import type { StoredOrder } from '../store.ts';
import { EXTERNAL } from '../tables.ts';
import { newRefund, refundsTransition } from './change.ts';
import { planRefund } from './plan-refund.ts';
import { unitsReturnedBy } from './returned-units.ts';
import type { RefundCreate } from './schemas.ts';

/** A refund to request. */
interface RefundRequest {
  readonly body: RefundCreate;
  readonly once: IdempotencyScope;
  /** Returns whether the provider can pay back this amount (minor units). */
  readonly accepts: (amount: number, currency: string) => boolean;
}

interface Creation extends RefundRequest {
  readonly refundId: string;
}

const UNPAYABLE = 'the payment provider cannot pay back this amount exactly; add to it with `amount`';

const create = transitionOf<Creation>((ctx, { order, input }) => {
  const plan = planRefund(order, input.body);
  if (!plan.ok) return { result: plan };
  const { payment, amount } = plan.value;
  if (!input.accepts(amount, payment.currency)) return { result: invalid('amount', UNPAYABLE) };
  const refund = newRefund({
    ...plan.value,
    id: input.refundId,
    source: 'request',
    requestedBy: ctx.actor ?? SYSTEM,
    ...(input.body.reason !== undefined && { reason: input.body.reason }),
    // The tenant's own checkout has paid it back; nobody needs to pay back nothing.
    status: payment.provider === EXTERNAL || amount === 0 ? 'succeeded' : 'pending',
  });
  const statements = input.once.mark(refund.id);
  const transition = refundsTransition(ctx, order, { after: [...order.refunds, refund], statements });
  return { transition: { ...transition, returned: unitsReturnedBy(order, refund) } };
});

/**
 * Records a refund that a caller requests, with the units that it returns to stock. It is `pending` until the
 * provider has made it; one of the tenant's own checkout has succeeded. Fails as {@link planRefund} does.
 */
export async function createRefund(
  ctx: TenantContext,
  orderId: string,
  request: RefundRequest,
): Promise<Result<{ readonly order: StoredOrder; readonly refundId: string }>> {
  const refundId = id('ref');
  const created = await create(ctx, orderId, { ...request, refundId });
  return created.ok ? ok({ order: created.value, refundId }) : created;
}
