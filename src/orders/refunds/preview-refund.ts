import { toNumber } from '../../kernel/core/money.ts';
import { ok, type Result } from '../../kernel/core/result.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { orderById } from '../store.ts';
import { planRefund } from './plan-refund.ts';
import type { RefundCreate } from './schemas.ts';

/** What a refund would pay back, as a decimal number. */
export interface RefundPreview {
  readonly amount: number;
  readonly currency: string;
}

/** Returns what a refund would pay back now, without making it; fails as making it would. */
export async function previewRefund(
  ctx: TenantDatabase,
  orderId: string,
  body: RefundCreate,
): Promise<Result<RefundPreview>> {
  const order = await orderById(ctx, orderId);
  if (!order.ok) return order;
  const plan = planRefund(order.value, body);
  if (!plan.ok) return plan;
  const { currency } = order.value.row;
  return ok({ amount: toNumber(plan.value.amount, currency), currency });
}
