import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { listOrders } from './listing/list-orders.ts';
import { presentOrder } from './present.ts';
import type { Order, OrderKey } from './schemas.ts';

/** The orders that are read at once. */
const ORDERS_PER_PAGE = 50;

/** Yields the orders of a customer, newest first, as servers see them. Holds a page in memory. */
export async function* ordersOfPerson(ctx: TenantContext, customerId: number): AsyncGenerator<Order, void> {
  const query = { page: 1, limit: ORDERS_PER_PAGE, customer_id: customerId };
  let after: OrderKey | null = null;
  for (;;) {
    // Nobody asks for the total.
    const { orders, found } = await listOrders(ctx, query, { ...query, after, counted: 0 });
    for (const order of orders) yield presentOrder(ctx.env, order);
    const last = orders.at(-1)?.row;
    if (!last || found <= orders.length) return;
    after = [last.createdAt, last.number];
  }
}
