import { ok, type Result } from '../../kernel/core/result.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { toNumber } from '../../kernel/values/money.ts';
import { orderById } from '../store.ts';
import { planRefund } from './plan-refund.ts';
import type { RefundCreate } from './schemas.ts';
import type { RefundedItem } from './tables.ts';

/** What a refund would pay back and what for, in decimal numbers. */
export interface RefundPreview {
  readonly amount: number;
  readonly currency: string;
  /** The payment provider that pays it back. */
  readonly provider: string;
  readonly items: readonly RefundedItem[];
  readonly shipping: number;
  /** The part of `amount` that is for neither items nor shipping. */
  readonly further: number;
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
  const { payment, items, shipping, amount } = plan.value;
  const { currency } = order.value.row;
  const money = (minor: number) => toNumber(minor, currency);
  return ok({
    amount: money(amount),
    currency,
    provider: payment.provider,
    items: items.map((item) => ({ ...item, amount: money(item.amount) })),
    shipping: money(shipping),
    further: money(items.reduce((rest, item) => rest - item.amount, amount - shipping)),
  });
}
