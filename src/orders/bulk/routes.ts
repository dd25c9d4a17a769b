import { ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { orderBulkExample } from '../examples.ts';
import { changeOrders } from './change-orders.ts';
import { MAX_BULK_ORDERS, OrderBulkRequest, OrderBulkResult } from './schemas.ts';

const change = endpoint(
  {
    method: 'post',
    path: '/v1/orders/bulk',
    id: 'changeOrders',
    tag: 'Orders',
    summary: 'Change several orders at once',
    description: `Fulfils, archives or tags at most ${MAX_BULK_ORDERS} orders, one after the other. An order that refuses the change is listed in \`errors\`; the others change. The same request again changes nothing more.`,
    access: 'orders:write',
    body: OrderBulkRequest,
    answer: OrderBulkResult,
    example: orderBulkExample,
  },
  async (call) => ok(await changeOrders(call, call.body)),
);

/** The endpoint that changes several orders at once. */
export const orderBulkEndpoints: readonly Endpoint[] = [change];
