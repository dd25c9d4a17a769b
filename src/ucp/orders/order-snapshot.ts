import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import { orderById } from '../../orders/index.ts';
import { presentOrder } from './present-order.ts';
import type { Order } from './schemas.ts';

/** An order, and the agent that must have made it. */
export interface OrderOfAgent {
  readonly orderId: string;
  /** The URI of the agent's profile. */
  readonly profile: string;
}

/** Returns the current state of an order; null if there is none, or another agent or a shopper made it. */
export async function orderSnapshot(
  ctx: TenantDatabase & { readonly env: object },
  { orderId, profile }: OrderOfAgent,
): Promise<Order | null> {
  const order = await orderById(ctx, orderId);
  return order.ok && order.value.row.agent?.profile === profile ? presentOrder(ctx, order.value) : null;
}
