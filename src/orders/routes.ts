import { z } from '@hono/zod-openapi';
import { pageMeta, pageQuery } from '../kernel/core/pagination.ts';
import { ok } from '../kernel/core/result.ts';
import { customerOf } from '../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { orderExamples } from './examples.ts';
import { presentOrder } from './present.ts';
import { Order, OrderList, OrderListQuery, OrderParams } from './schemas.ts';
import { listOrders, orderById } from './store.ts';

const tag = 'Orders';

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
  async (call) => {
    const { env, query } = call;
    const { orders, total } = await listOrders(call, query);
    const data = orders.map(({ row, lines }) => presentOrder(env, row, lines));
    return ok({ data, meta: pageMeta(query, total) });
  },
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
    tag: 'Customers',
    summary: "List the signed-in customer's orders, newest first",
    access: 'customers:write',
    customer: 'required',
    query: z.object(pageQuery),
    answer: OrderList,
    example: orderExamples.mine,
  },
  async (call) => {
    const { env, query } = call;
    const filter = { ...query, customer_id: customerOf(call).customerId };
    const { orders, total } = await listOrders(call, filter);
    const data = orders.map(({ row, lines }) => presentOrder(env, row, lines));
    return ok({ data, meta: pageMeta(query, total) });
  },
);

/** The endpoints that read orders; checkout owns those that change them. */
export const orderEndpoints: readonly Endpoint[] = [list, get, mine];
