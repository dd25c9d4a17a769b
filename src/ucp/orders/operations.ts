import { z } from '@hono/zod-openapi';
import { operation } from '../protocol/operation.ts';
import { done, rejected } from '../protocol/outcome.ts';
import { orderSnapshot } from './order-snapshot.ts';
import { Order } from './schemas.ts';

const ORDER_NOT_FOUND = rejected('not_found', 'Order not found.');

/** The longest id that is looked up, in characters. */
const MAX_ID_LENGTH = 64;

const get = operation(
  {
    capability: 'dev.ucp.shopping.order',
    name: 'get_order',
    method: 'get',
    path: '/orders/{id}',
    summary: 'Get the current state of an order that the agent made',
    argument: null,
    key: 'none',
    identity: 'required',
    input: z.object({}),
    output: Order,
  },
  async (ctx, { id }) => {
    if (id.length > MAX_ID_LENGTH) return ORDER_NOT_FOUND;
    const order = await orderSnapshot(ctx, { orderId: id, profile: ctx.agent.profile });
    return order ? done(order) : ORDER_NOT_FOUND;
  },
);

/** The operations of orders. */
export const orderOperations = [get];
