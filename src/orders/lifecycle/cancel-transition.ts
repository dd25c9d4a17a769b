import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { releaseRedemption } from '../../promotions/index.ts';
import type { OrderForChange, Transition } from './apply-transition.ts';

/** Completes a cancellation: releases coupon and stock, and notifies the cart and subscribers. */
export const cancelTransition = (
  ctx: TenantDatabase,
  { row }: OrderForChange,
  more: Transition,
): Transition => ({
  ...more,
  set: { status: 'cancelled', cartNotice: 'cancelled', ...more.set },
  timeline: [
    ...(more.timeline ?? []),
    { type: 'cancelled', details: { cancel_reason: more.set.cancelReason ?? null } },
  ],
  statements: [...more.statements, ...releaseRedemption(ctx, row.id)],
  reservation: { to: 'released', reason: 'order_cancelled' },
  event: 'order.cancelled',
});
