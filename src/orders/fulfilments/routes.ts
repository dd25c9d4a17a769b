import { ok, type Result } from '../../kernel/core/result.ts';
import type { Call } from '../../kernel/http/context.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { dataSubjectOf } from '../forget.ts';
import { OrderParams } from '../schemas.ts';
import { fulfilmentExamples } from './examples.ts';
import { fulfilOrder, type OrderFulfilment, patchFulfilment } from './fulfil-order.ts';
import { presentFulfilment } from './present.ts';
import { Fulfilment, FulfilmentCreate, FulfilmentParams, FulfilmentPatch } from './schemas.ts';

const tag = 'Orders';

/** Renders a fulfilment. Marks the response as the buyer's, so that erasure reaches a stored one. */
function fulfilmentResponse({ c }: Call, result: Result<OrderFulfilment>): Result<Fulfilment> {
  if (!result.ok) return result;
  c.set('concerns', dataSubjectOf(result.value.order.row));
  return ok(presentFulfilment(result.value.fulfilment));
}

const create = endpoint(
  {
    method: 'post',
    path: '/v1/orders/{id}/fulfilments',
    id: 'createFulfilment',
    tag,
    summary: 'Fulfil an order',
    description:
      "Records that goods of a paid order were shipped: `items`, or everything that is left. Raises `order.fulfilled` and updates the order's `fulfilment_status`. A quantity that exceeds what is left is a 422, as is a line that is not shipped (`ships: false`: virtual, downloadable and booking products). `order_not_fulfillable` if the order is not paid, is being cancelled, has nothing left, or has 50 fulfilments. Without `Idempotency-Key`, a repeated request ships what it names again, if enough is left.",
    access: 'orders:write',
    params: OrderParams,
    body: FulfilmentCreate,
    status: 201,
    answer: Fulfilment,
    errors: ['order_not_found', 'fulfilment_not_found', 'order_not_fulfillable', 'conflict'],
    examples: fulfilmentExamples.create,
  },
  async (call) => {
    const { params, body, once } = call;
    return fulfilmentResponse(call, await fulfilOrder(call, params.id, { body, once }));
  },
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/orders/{id}/fulfilments/{fulfilment_id}',
    id: 'updateFulfilment',
    tag,
    summary: 'Update a fulfilment',
    description:
      "Changes its `status` or replaces its `tracking` (null removes it). `cancelled` gives the quantities back, so that they can be fulfilled again; a cancelled fulfilment can't be changed any more. Other tracking raises `order.tracking_changed`; a status raises no event. The order's timeline shows both.",
    access: 'orders:write',
    params: FulfilmentParams,
    body: FulfilmentPatch,
    answer: Fulfilment,
    errors: ['order_not_found', 'fulfilment_not_found', 'fulfilment_cancelled', 'conflict'],
    examples: fulfilmentExamples.patch,
  },
  async (call) => {
    const { params, body } = call;
    const change = { id: params.fulfilment_id, body };
    return fulfilmentResponse(call, await patchFulfilment(call, params.id, change));
  },
);

/** The endpoints of fulfilments; they are listed in their order. */
export const fulfilmentEndpoints: readonly Endpoint[] = [create, patch];
