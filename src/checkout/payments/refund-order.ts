import { ok, type Result } from '../../kernel/core/result.ts';
import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../../kernel/http/context.ts';
import {
  createRefund,
  orderById,
  type RefundCreate,
  type RefundRow,
  refundOf,
  type StoredOrder,
} from '../../orders/index.ts';
import { settleRefunds } from './refund.ts';
import { type PaymentTenant, resolveProvider } from './resolve-provider.ts';

/** A refund that a caller requests. */
interface RefundInput {
  readonly orderId: string;
  readonly body: RefundCreate;
  readonly once: IdempotencyScope;
}

/** An order and one of its refunds. */
interface RefundedOrder {
  readonly order: StoredOrder;
  readonly refund: RefundRow;
}

/**
 * Refunds a part of what was paid for an order, or all of it, through its provider. The refund is `pending` if the
 * provider has not completed it; the chore `refunds` goes on then. In the tenant's own checkout, which has made it
 * already, it has succeeded. A repeated Idempotency-Key only returns the refund.
 */
export async function refundOrder(
  ctx: TenantContext,
  tenant: PaymentTenant,
  { orderId, body, once }: RefundInput,
): Promise<Result<RefundedOrder>> {
  const found = await orderById(ctx, orderId);
  if (!found.ok) return found;
  if (once.ref !== null) return withRefund(found.value, once.ref);
  const resolved = await resolveProvider(ctx, tenant, found.value.row.provider);
  if (!resolved.ok) return resolved;
  const provider = resolved.value;
  const accepts = provider ? provider.accepts.bind(provider) : () => true;
  const created = await createRefund(ctx, orderId, { body, once, accepts });
  if (!created.ok) return created;
  const { order, refundId } = created.value;
  if (!provider) return withRefund(order, refundId);
  const settled = await settleRefunds(ctx, { orderId, provider });
  return settled.ok ? withRefund(settled.value, refundId) : settled;
}

function withRefund(order: StoredOrder, refundId: string): Result<RefundedOrder> {
  const refund = refundOf(order, refundId);
  return refund.ok ? ok({ order, refund: refund.value }) : refund;
}
