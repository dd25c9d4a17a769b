import { now } from '../../kernel/core/clock.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { releaseRedemptions } from '../../promotions/index.ts';
import type { OrderForChange, Transition } from './apply-transition.ts';

/** Completes a cancellation: releases redemptions and stock, and notifies the cart and subscribers. */
export const cancelTransition = (
  ctx: TenantDatabase,
  { row }: OrderForChange,
  more: Transition,
): Transition => ({
  ...more,
  set: { status: 'cancelled', cartNotice: 'cancelled', cancelledAt: now(), ...more.set },
  timeline: [
    ...(more.timeline ?? []),
    { type: 'cancelled', details: { cancel_reason: more.set.cancelReason ?? null } },
  ],
  statements: [...more.statements, ...releaseRedemptions(ctx, row.id)],
  reservation: { to: 'released', reason: 'order_cancelled' },
  event: 'order.cancelled',
});
