import { z } from '@hono/zod-openapi';
import { changesMeta, type PageMeta } from '../kernel/core/pagination.ts';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import type { TenantContext } from '../kernel/data/tenant-context.ts';
import { customerOf } from '../kernel/http/context.ts';
import { csvDescription, wantsCsv } from '../kernel/http/csv.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { orderExamples } from './examples.ts';
import { patchOrder } from './lifecycle/transitions.ts';
import { listOrders } from './listing/list-orders.ts';
import { orderCsv } from './listing/order-csv.ts';
import { checkSort, orderKeyOf, sortOf } from './listing/sorting.ts';
import { customerOrder, presentOrder } from './present.ts';
import { presentRefunds } from './refunds/present.ts';
import { RefundList } from './refunds/schemas.ts';
import {
  CustomerOrder,
  CustomerOrderList,
  Order,
  OrderList,
  OrderListQuery,
  OrderParams,
  OrderPatch,
  orderPages,
} from './schemas.ts';
import { orderById } from './store.ts';

const tag = 'Orders';

const LARGE_ORDERS =
  'A page of orders with very many options or files (more than 8 MiB together) ends early: `meta.next_cursor` continues after its last one, while a `page` number counts `limit` orders for each page before.';

/** Returns a page of the tenant's orders that match the filters. */
async function pageOfOrders(
  ctx: TenantContext,
  query: OrderListQuery,
): Promise<Result<{ data: Order[]; meta: z.infer<typeof PageMeta> }>> {
  const sort = sortOf(query);
  const page = orderPages.pageOf(query);
  const checked = checkSort(sort, page.after);
  if (!checked.ok) return checked;
  const { orders, found, total } = await listOrders(ctx, query, page);
  const shown = orderPages.cut(orders, page, {
    total,
    found,
    key: ({ row }) => orderKeyOf(sort, row),
    carriesTotal: true,
  });
  const data = shown.rows.map((order) => presentOrder(ctx.env, order));
  return ok({ data, meta: shown.meta });
}

const list = endpoint(
  {
    method: 'get',
    path: '/v1/orders',
    tag,
    summary: 'List orders',
    description: `${csvDescription('order')} ${LARGE_ORDERS}`,
    access: 'orders:read',
    query: OrderListQuery,
    answer: OrderList,
    csv: orderCsv.columns,
    readsMany: true,
    example: orderExamples.list,
  },
  async (call) => {
    const page = await pageOfOrders(call, call.query);
    if (!page.ok) return page;
    const { data, meta } = page.value;
    if (wantsCsv(call.c)) return orderCsv.respondPage(call.c, data, meta.next_cursor);
    const { updated_since, cursor } = call.query;
    const since = sortOf(call.query) === 'updated' ? updated_since : undefined;
    return ok({ data, meta: changesMeta(meta, { since, cursor: cursor?.[1][0] }, data.at(-1)) });
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
    return found.ok ? ok(presentOrder(env, found.value)) : found;
  },
);

const mine = endpoint(
  {
    method: 'get',
    path: '/v1/customers/me/orders',
    id: 'listCustomerOrders',
    tag: 'Customers',
    summary: "List the signed-in customer's orders, newest first",
    description: LARGE_ORDERS,
    access: 'customers:write',
    customer: 'required',
    query: z.object(orderPages.query),
    answer: CustomerOrderList,
    example: orderExamples.mine,
  },
  async (call) => {
    const page = await pageOfOrders(call, { ...call.query, customer_id: customerOf(call).customerId });
    return page.ok ? ok({ ...page.value, data: page.value.data.map(customerOrder) }) : page;
  },
);

const getMine = endpoint(
  {
    method: 'get',
    path: '/v1/customers/me/orders/{id}',
    id: 'getCustomerOrder',
    tag: 'Customers',
    summary: "Get one of the signed-in customer's orders",
    description: 'A paid order includes signed download links for its downloadable lines.',
    access: 'customers:write',
    customer: 'required',
    params: OrderParams,
    answer: CustomerOrder,
    errors: ['order_not_found'],
    example: orderExamples.getMine,
  },
  async (call) => {
    const found = await orderById(call, call.params.id);
    if (!found.ok) return found;
    const order = presentOrder(call.env, found.value);
    return order.customer.id === customerOf(call).customerId
      ? ok(customerOrder(order))
      : fail('order_not_found');
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/orders/{id}',
    tag,
    summary: 'Update an order',
    description:
      'Replaces `tags`, merges `metadata` by key, and archives the order or opens it again. The customer never sees any of it; erasing the customer deletes tags and metadata. Raises no event.',
    access: 'orders:write',
    params: OrderParams,
    body: OrderPatch,
    answer: Order,
    errors: ['order_not_found', 'conflict'],
    example: orderExamples.patch,
  },
  async (call) => {
    const { env, params, body } = call;
    const patched = await patchOrder(call, params.id, body);
    return patched.ok ? ok(presentOrder(env, patched.value)) : patched;
  },
);

const refunds = endpoint(
  {
    method: 'get',
    path: '/v1/orders/{id}/refunds',
    id: 'listOrderRefunds',
    tag,
    summary: 'List the refunds of an order, oldest first',
    description: 'A payment that came twice, or too late to be used, is returned as a whole and not listed.',
    access: 'orders:read',
    params: OrderParams,
    answer: RefundList,
    errors: ['order_not_found'],
    example: orderExamples.refunds,
  },
  async (call) => {
    const found = await orderById(call, call.params.id);
    return found.ok ? ok({ data: presentRefunds(found.value) }) : found;
  },
);

/** The endpoints that read and annotate orders; checkout owns those that move them on. */
export const orderEndpoints: readonly Endpoint[] = [list, get, refunds, patch, mine, getMine];
