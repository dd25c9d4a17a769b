import { z } from '@hono/zod-openapi';
import { ok, type Result } from '../kernel/core/result.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { customerOf } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { orderExamples } from './examples.ts';
import { presentOrder } from './present.ts';
import { Order, OrderList, OrderListQuery, OrderParams, orderPages } from './schemas.ts';
import { listOrders, orderById } from './store.ts';

const tag = 'Orders';

/** Returns a page of the tenant's orders that match the filters. */
async function respondWithPage(
  ctx: TenantContext,
  query: OrderListQuery,
): Promise<Result<z.infer<typeof OrderList>>> {
  const page = orderPages.pageOf(query);
  const { orders, total } = await listOrders(ctx, query, page);
  const shown = orderPages.cut(orders, page, { total, key: ({ row }) => [row.createdAt, row.number] });
  const data = shown.rows.map(({ row, lines }) => presentOrder(ctx.env, row, lines));
  return ok({ data, meta: shown.meta });
}

const list = endpoint(
  {
    method: 'get',
    path: '/v1/orders',
    tag,
    summary: 'List orders, newest first',
    access: 'orders:read',
    query: OrderListQuery,
    answer: OrderList,
    example: orderExamples.list,
  },
  (call) => respondWithPage(call, call.query),
);

const get = endpoint(
  {
    method: 'get',
    path: '/v1/orders/{id}',
    tag,
    summary: 'Get an order',
    description: 'A paid order includes signed download links for its downloadable lines.',
    access: 'orders:read',
    params: OrderParams,
    answer: Order,
    errors: ['order_not_found'],
    example: orderExamples.get,
  },
  async (call) => {
    const { env, params } = call;
    const found = await orderById(call, params.id);
    return found.ok ? ok(presentOrder(env, found.value.row, found.value.lines)) : found;
  },
);

const mine = endpoint(
  {
    method: 'get',
    path: '/v1/customers/me/orders',
    id: 'listCustomerOrders',
    tag: 'Customers',
    summary: "List the signed-in customer's orders, newest first",
    access: 'customers:write',
    customer: 'required',
    query: z.object(orderPages.query),
    answer: OrderList,
    example: orderExamples.mine,
  },
  (call) => respondWithPage(call, { ...call.query, customer_id: customerOf(call).customerId }),
);

/** The endpoints that read orders; checkout owns those that change them. */
export const orderEndpoints: readonly Endpoint[] = [list, get, mine];
